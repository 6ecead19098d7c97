/** The sources that a graph is made of: its own file, and what that imports of the project, read once. */

import { dirname, join, resolve } from "node:path";
import { insideOf, readPython } from "./python.ts";
import { readScript } from "./script.ts";
import {
  type Declaration,
  declarationAt,
  type Expression,
  type Imported,
  type Source,
  type Span,
} from "./source.ts";

/** The text of a file; undefined where there is none, or it is too large. */
export type ReadText = (path: string) => Promise<string | undefined>;

/** Sources that were read before, by their paths, each with its text: only what is another text now is read anew. */
export type ReadSources = Map<string, { readonly text: string; readonly source: Source }>;

/** What a name stands for. */
export interface Bound {
  readonly source: Source;
  /** Where it is named; the whole file for a module. */
  readonly at: Span;
  readonly value: Expression | undefined;
  readonly declaration?: Declaration;
  readonly isModule?: true;
}

/** More files are not read for one graph. */
const mostFiles = 80;
const deepest = 30;
const scriptEndings = ["", ".ts", ".tsx", ".mts", ".cts", ".js", ".jsx", ".mjs", ".cjs"];

/** Sources that know each other. */
export class Sources {
  readonly #byPath: ReadonlyMap<string, Source>;
  readonly #modules: ReadonlyMap<string, string>;

  private constructor(byPath: ReadonlyMap<string, Source>, modules: ReadonlyMap<string, string>) {
    this.#byPath = byPath;
    this.#modules = modules;
  }

  /** Reads the file, and what it and they import from within `root`. */
  static async read(
    path: string,
    root: string,
    read: ReadText,
    before: ReadSources = new Map(),
  ): Promise<Sources> {
    const byPath = new Map<string, Source>();
    const modules = new Map<string, string>();
    const add = async (file: string): Promise<boolean> => {
      if (byPath.has(file)) return true;
      if (byPath.size >= mostFiles || !`${file}/`.startsWith(`${root}/`)) return false;
      const text = await read(file);
      if (text === undefined) return false;
      const known = before.get(file);
      const source =
        known?.text === text
          ? known.source
          : /\.pyi?$/.test(file)
            ? readPython(file, text)
            : readScript(file, text);
      before.set(file, { text, source });
      byPath.set(file, source);
      return true;
    };
    await add(path);
    // The map grows while it is walked.
    for (const [from, { imports }] of byPath)
      for (const module of imports)
        for (const file of filesOf(module, from, root))
          if (await add(file)) {
            modules.set(`${from} ${module}`, file);
            break;
          }
    return new Sources(byPath, modules);
  }

  get all(): readonly Source[] {
    return [...this.#byPath.values()];
  }

  of(path: string): Source | undefined {
    return this.#byPath.get(path);
  }

  /** What a name means at a position; undefined for one of a package, or that is not bound. */
  named(source: Source, name: string, at: number, depth = 0): Bound | undefined {
    const declaration = declarationAt(source, name, at);
    if (declaration === undefined || depth > deepest) return undefined;
    const { value, from, to } = declaration;
    if (value?.kind === "import") return this.#imported(source, value, depth + 1);
    return { source, at: { from, to }, value, declaration };
  }

  /** What a module gives by that name. */
  exported(source: Source, name: string, depth = 0): Bound | undefined {
    if (depth > deepest) return undefined;
    const exported = source.exports.get(name);
    if (exported?.kind === "import") return this.#imported(source, exported, depth + 1);
    if (exported !== undefined) {
      const { value } = exported;
      if (value.kind === "name") return this.named(source, value.name, value.from, depth + 1);
      return { source, at: value, value };
    }
    for (const module of source.passedOn) {
      const other = this.#module(source, module);
      const found = other && this.exported(other, name, depth + 1);
      if (found !== undefined) return found;
    }
    return undefined;
  }

  #imported(source: Source, { module, name }: Imported, depth: number): Bound | undefined {
    const whole = (of: Source | undefined): Bound | undefined =>
      of && { source: of, at: { from: 0, to: 0 }, value: undefined, isModule: true };
    const from = this.#module(source, module);
    if (name === "*") return whole(from);
    const found = from && this.exported(from, name, depth);
    return found ?? whole(this.#module(source, insideOf(module, name)));
  }

  #module(source: Source, module: string): Source | undefined {
    return this.#byPath.get(this.#modules.get(`${source.path} ${module}`) ?? "");
  }
}

/** Where a module may be, the likeliest first. */
function filesOf(module: string, from: string, root: string): readonly string[] {
  const folder = dirname(from);
  if (!/\.pyi?$/.test(from)) {
    const bases = /^\.\.?(?:\/|$)/.test(module)
      ? [resolve(folder, module)]
      : /^[@~]\//.test(module)
        ? [join(root, "src", module.slice(2)), join(root, module.slice(2))]
        : [];
    return bases.flatMap((base) => {
      const bare = base.replace(/\.[cm]?jsx?$/, "");
      const files = scriptEndings.map((ending) => bare + ending);
      return [
        base,
        ...files.slice(1),
        ...scriptEndings.slice(1).map((ending) => join(base, `index${ending}`)),
      ];
    });
  }
  const [, dots = "", rest = ""] = /^(\.*)(.*)$/.exec(module) ?? [];
  const path = rest.split(".").join("/");
  const folders: string[] = [];
  if (dots !== "") folders.push(resolve(folder, ...Array.from({ length: dots.length - 1 }, () => "..")));
  else {
    for (let up = folder; `${up}/`.startsWith(`${root}/`); up = dirname(up)) folders.push(up);
    folders.push(join(root, "src"));
  }
  return folders.flatMap((base) =>
    path === "" ? [join(base, "__init__.py")] : [join(base, `${path}.py`), join(base, path, "__init__.py")],
  );
}

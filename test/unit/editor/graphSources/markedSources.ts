import { findSource, type Wanted } from "../../../../src/editor/graphSources/findSource.ts";

/** Files by their paths; a location that is expected is marked by the comment `here` at the end of its line. */
export type Files = Readonly<Record<string, string>>;

/** One script. */
export const ts = (...lines: readonly string[]): Files => ({ "graph.ts": lines.join("\n") });
/** One Python module. */
export const py = (...lines: readonly string[]): Files => ({ "graph.py": lines.join("\n") });

/** Where the source is, by lines. */
export async function found(files: Files, wanted: Wanted, exported = "graph") {
  const path = Object.keys(files)[0]!;
  const read = (file: string) => Promise.resolve(files[file.replace(/^\/p\//, "")]);
  const { locations, isCertain } = await findSource(
    { path: `/p/${path}`, exported, root: "/p" },
    wanted,
    read,
  );
  const lines = locations.map(({ path, from, isUse }) => {
    const line = files[path.slice(3)]!.slice(0, from).split("\n").length;
    return `${path.slice(3)}:${line}${isUse ? " (its use)" : ""}`;
  });
  return { isCertain, lines };
}

/** Where it is expected. */
export function marked(files: Files): readonly string[] {
  return Object.entries(files).flatMap(([path, text]) =>
    text
      .split("\n")
      .flatMap((line, index) => (/(?:\/\/|#) here$/.test(line) ? [`${path}:${index + 1}`] : [])),
  );
}

export const plan: Wanted = { node: "plan", within: [] };
export const inTeam: Wanted = { node: "plan", within: ["team"] };
export const start = "const graph = new StateGraph(State)";

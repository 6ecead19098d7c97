/** What a `langgraph.json` says: its graphs with where they are written, its env file, and what is wrong in its text. */

import { isObject } from "../../api/shape.ts";
import { type DraftPath, parseDraft, type TextSpan, spanOf } from "../deployments/drafts/parsedDraft.ts";

/** The file that makes a folder a graph project. */
export const GRAPH_FILE = "langgraph.json";

/** One graph of the file. */
export interface GraphEntry {
  /** What the server calls it. */
  readonly name: string;
  /** Where its source is, as it is written: a path from the file's folder, or a Python module. */
  readonly file: string;
  /** What the source exports it as. */
  readonly exported: string;
  /** Where the graph stands in the text. */
  readonly span: TextSpan;
}

/** Something wrong at a stretch of the text. */
export interface FileProblem {
  readonly message: string;
  readonly span: TextSpan;
  readonly severity: "error" | "warning";
}

/** Which command line runs the graphs. */
export type Runtime = "node" | "python";

/** The file as data; what could not be read of it is a problem and left out. */
export interface GraphFile {
  readonly graphs: readonly GraphEntry[];
  readonly runtime: Runtime;
  /** The env file, as it is written, and where; undefined where the file has none, or has the variables itself. */
  readonly env: { readonly file: string; readonly span: TextSpan } | undefined;
  readonly problems: readonly FileProblem[];
}

/** Reads the text of the file; never throws. */
export function readGraphFile(text: string): GraphFile {
  if (text.trim() === "")
    return broken("The file is empty: it needs at least “graphs”.", { offset: 0, length: 0 });
  const parsed = parseDraft(text);
  if (parsed.kind === "problem") return broken(parsed.message, parsed.span);
  const { root, value } = parsed;
  const at = (...path: DraftPath): TextSpan => spanOf(root, path).span;
  if (!isObject(value)) return broken("The file must hold an object with “graphs”.", at());
  const { graphs: listed, env } = value as Readonly<Record<string, unknown>>;
  const problems: FileProblem[] = [];
  const wrong = (message: string, span: TextSpan): void =>
    void problems.push({ message, span, severity: "error" });
  if (!isObject(listed)) {
    const message = "“graphs” is missing: it names each graph with its file and export.";
    return broken(message, at("graphs"));
  }
  const graphs = Object.entries(listed).flatMap(([name, graph]): readonly GraphEntry[] => {
    const span = at("graphs", name);
    const source = isObject(graph) ? graph["path"] : graph;
    const split = typeof source === "string" ? source.lastIndexOf(":") : -1;
    if (typeof source !== "string" || split < 1 || split === source.length - 1) {
      wrong(`The graph “${name}” needs a file and an export, such as “./agent.ts:graph”.`, span);
      return [];
    }
    return [{ name, file: source.slice(0, split), exported: source.slice(split + 1), span }];
  });
  if (Object.keys(listed).length === 0) wrong("There is no graph in “graphs”.", at("graphs"));
  return {
    graphs,
    runtime: graphs.some(({ file }) => isPython(file)) ? "python" : "node",
    env: typeof env === "string" ? { file: env, span: at("env") } : undefined,
    problems,
  };
}

/** Whether a graph's source is a Python file or module. */
export function isPython(file: string): boolean {
  return /\.py[xdi]?$/.test(file) || isModule(file);
}

/** Whether a graph's source is named as a Python module, such as `my_agent.graph`. */
export function isModule(file: string): boolean {
  return /^[A-Za-z_]\w*(\.[A-Za-z_]\w*)*$/.test(file) && !/\.[cm]?[jt]sx?$/.test(file);
}

function broken(message: string, span: TextSpan): GraphFile {
  return { graphs: [], runtime: "node", env: undefined, problems: [{ message, span, severity: "error" }] };
}

/** What is wrong with a graph file beyond its text: sources, exports and env files that are not there. */

import { readFile, stat } from "node:fs/promises";
import { dirname, resolve } from "node:path";
import { type OddLine, oddLines } from "./envFile.ts";
import { exportedByPython, exportedByScript } from "./exports.ts";
import { type FileProblem, isModule, isPython, readGraphFile } from "./graphFile.ts";

/** Problems of the file itself, and of the env file that it names. */
export interface CheckedFile {
  readonly problems: readonly FileProblem[];
  readonly env: { readonly path: string; readonly odd: readonly OddLine[] } | undefined;
}

/** More of a source is not looked into. */
const mostBytes = 2_000_000;

/** Checks the text as that of the file at the path; never throws. */
export async function checkGraphFile(path: string, text: string): Promise<CheckedFile> {
  const { graphs, env, problems } = readGraphFile(text);
  const folder = dirname(path);
  const found = await Promise.all(
    graphs.map(async ({ name, file, exported, span }): Promise<readonly FileProblem[]> => {
      if (isModule(file)) return [];
      const source = await textOf(resolve(folder, file));
      if (source === "missing")
        return [
          { message: `The file ${file} of the graph “${name}” does not exist.`, span, severity: "error" },
        ];
      if (source === "unread") return [];
      const answer = isPython(file)
        ? exportedByPython(source.text, exported)
        : exportedByScript(source.text, exported);
      const message = `${file} has no export “${exported}”.`;
      return answer === "no" ? [{ message, span, severity: "error" }] : [];
    }),
  );
  const envPath = env && resolve(folder, env.file);
  const variables = envPath === undefined ? undefined : await textOf(envPath);
  const missing: readonly FileProblem[] =
    env !== undefined && variables === "missing"
      ? [{ message: `The env file ${env.file} does not exist.`, span: env.span, severity: "warning" }]
      : [];
  return {
    problems: [...problems, ...found.flat(), ...missing],
    env:
      envPath === undefined || typeof variables !== "object"
        ? undefined
        : { path: envPath, odd: oddLines(variables.text) },
  };
}

async function textOf(path: string): Promise<{ readonly text: string } | "missing" | "unread"> {
  try {
    const status = await stat(path);
    if (!status.isFile() || status.size > mostBytes) return "unread";
    return { text: await readFile(path, "utf8") };
  } catch (error) {
    return error instanceof Error && "code" in error && error.code === "ENOENT" ? "missing" : "unread";
  }
}

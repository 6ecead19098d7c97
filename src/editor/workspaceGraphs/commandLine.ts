/** The command line that runs a project's graphs: the project's own, found and never installed. */

import { access, readFile } from "node:fs/promises";
import { delimiter, dirname, join } from "node:path";
import { isObject } from "../../api/shape.ts";
import { RemediableError } from "../kit/remedies.ts";
import type { Runtime } from "./graphFile.ts";

/** How a project's server is started, without its port. */
export interface CommandLine {
  readonly runtime: Runtime;
  readonly command: string;
  readonly args: readonly string[];
  /** As its package says; undefined where that is not known. */
  readonly version: string | undefined;
  /** Where a Python debugger can attach; undefined where none can. */
  readonly debugPort?: number;
}

/** The graphs of a project can't be run, or don't; `remedy` says what to do. */
export class GraphServerError extends RemediableError {
  override readonly name = "GraphServerError";

  constructor(message: string, remedy: string, cause?: unknown) {
    super(message, { remedy, actions: ["showGraphLog"], cause });
  }
}

/** It did not get ready within so long. */
export function notReady(ms: number): GraphServerError {
  return new GraphServerError(
    `The graphs were not ready in ${String(ms / 1000)} s.`,
    "Look into the log of the server, and start it again.",
  );
}

/** It was stopped while somebody waited for it. */
export function wasStopped(): DOMException {
  return new DOMException("The graphs were stopped.", "AbortError");
}

/** It is there without graphs, or ended as it was started. */
export function doesNotRun(isBroken: boolean, message: string): GraphServerError {
  return isBroken
    ? new GraphServerError(`The graphs do not load: ${message}`, "Fix the source and save it.")
    : new GraphServerError(`The graphs do not run. ${message}`, "Look into the log of the server.");
}

/** It ended while it ran; `times` within a minute where that was once too often. */
export function endedByItself(message: string, times: number | undefined): GraphServerError {
  return times === undefined
    ? new GraphServerError(`The graphs ended while they ran. ${message}`, "They are started again.")
    : new GraphServerError(
        `The graphs ended ${String(times)} times within a minute, and are not started again by themselves. ${message}`,
        "Look into the log of the server, mend what ends it, and start it again.",
      );
}

/** Major versions of the command line that were tried. */
const triedMajors = [0, 1];

const packageName = "@langchain/langgraph-cli";

/** What installs a development dependency, by the lock file that is there. */
const installers = [
  ["pnpm-lock.yaml", "pnpm add --save-dev"],
  ["yarn.lock", "yarn add --dev"],
  ["bun.lock", "bun add --dev"],
  ["bun.lockb", "bun add --dev"],
] as const;

/** Finds the command line of the project in the folder; throws GraphServerError where there is none. */
export async function findCommandLine(
  folder: string,
  runtime: Runtime,
  interpreter?: string,
): Promise<CommandLine> {
  return runtime === "node" ? nodeCommandLine(folder) : pythonCommandLine(folder, interpreter);
}

/** The command line with a port for a debugger of Python, which a server opens only at its start. */
export function listeningAt(commandLine: CommandLine, debugPort: number): CommandLine {
  return { ...commandLine, args: [...commandLine.args, "--debug-port", String(debugPort)], debugPort };
}

/** What to say of a version that nobody tried; undefined for the others. */
export function versionWarning({ version }: Pick<CommandLine, "version">): string | undefined {
  const major = Number.parseInt(version ?? "", 10);
  if (Number.isNaN(major) || triedMajors.includes(major)) return undefined;
  return `The project's langgraph command line is version ${version ?? ""}; versions ${triedMajors.join(" and ")} were tried. With this one its graphs run once their server answers; errors at their lines, reloads and the debugger may be missing. ${packageName}@${String(triedMajors.at(-1))} is one that was tried.`;
}

async function nodeCommandLine(folder: string): Promise<CommandLine> {
  const found = await installedAbove(folder);
  if (found === undefined) {
    throw new GraphServerError(
      `${packageName} is not installed in ${folder}.`,
      `Run “${await installCommand(folder)} ${packageName}” there, and start again.`,
    );
  }
  const node = await onPath("node");
  if (node === undefined) {
    throw new GraphServerError(
      "There is no node on the editor's PATH.",
      "Install Node.js 20 or newer, and restart the editor.",
    );
  }
  return { runtime: "node", command: node, args: [found.program, "dev"], version: found.version };
}

async function pythonCommandLine(folder: string, interpreter: string | undefined): Promise<CommandLine> {
  const [bin, exe] = process.platform === "win32" ? ["Scripts", "langgraph.exe"] : ["bin", "langgraph"];
  const beside = [
    ...(interpreter === undefined ? [] : [join(dirname(interpreter), exe)]),
    ...[".venv", "venv"].map((environment) => join(folder, environment, bin, exe)),
  ];
  for (const command of beside) if (await exists(command)) return pythonWith(command);
  const command = interpreter === undefined ? await onPath("langgraph") : undefined;
  if (command !== undefined) return pythonWith(command);
  const python = interpreter ?? "python";
  throw new GraphServerError(
    `langgraph is not installed ${interpreter === undefined ? "for this folder" : `beside ${interpreter}`}.`,
    `Run “${python} -m pip install 'langgraph-cli[inmem]'”, or choose another interpreter, and start again.`,
  );
}

function pythonWith(command: string): CommandLine {
  return { runtime: "python", command, args: ["dev"], version: undefined };
}

/** In the folder or in one above it, as Node finds packages. */
async function installedAbove(
  folder: string,
): Promise<{ readonly program: string; readonly version: string } | undefined> {
  const home = join(folder, "node_modules", ...packageName.split("/"));
  const manifest = await manifestIn(home);
  if (isObject(manifest)) {
    const { bin, version } = manifest as { readonly bin?: unknown; readonly version?: unknown };
    const program = isObject(bin) ? bin["langgraphjs"] : bin;
    if (typeof program === "string") return { program: join(home, program), version: String(version) };
  }
  const above = dirname(folder);
  return above === folder ? undefined : installedAbove(above);
}

async function manifestIn(folder: string): Promise<unknown> {
  try {
    return JSON.parse(await readFile(join(folder, "package.json"), "utf8"));
  } catch {
    return undefined;
  }
}

async function installCommand(folder: string): Promise<string> {
  for (const [lockFile, command] of installers) if (await exists(join(folder, lockFile))) return command;
  return "npm install --save-dev";
}

async function onPath(name: string): Promise<string | undefined> {
  const names = process.platform === "win32" ? [`${name}.exe`, `${name}.cmd`] : [name];
  for (const folder of (process.env["PATH"] ?? "").split(delimiter).filter((part) => part !== "")) {
    for (const file of names) if (await exists(join(folder, file))) return join(folder, file);
  }
  return undefined;
}

async function exists(path: string): Promise<boolean> {
  return access(path).then(
    () => true,
    () => false,
  );
}

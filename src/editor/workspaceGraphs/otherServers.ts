/** A server of a project's graphs that was started outside of the editor: found among processes, no port is tried out. */

import { realpath, readlink } from "node:fs/promises";
import { dirname, resolve } from "node:path";
import { type ListedProcess, listProcesses, processesBelow } from "../kit/nodeProcess.ts";
import { isOk } from "./serverProcess.ts";

/** What the command line takes unless it is told another one. */
const defaultPort = 2024;
const program =
  /(?:langgraphjs|langgraph-cli\/dist\/cli\/cli\.mjs|(?:^|[/\\ ])langgraph(?:\.exe)?)\s+dev(?:\s|$)/;

/** The address of one that runs in the folder and answers; `ours` are the supervisors of servers that were started here. */
export async function otherServer(folder: string, ours: readonly number[]): Promise<string | undefined> {
  // Elsewhere nobody tells where a process runs.
  if (process.platform !== "linux") return undefined;
  const all = await listProcesses().catch(() => []);
  const known = new Set(ours.flatMap((pid) => processesBelow(all, pid).map(({ pid: below }) => below)));
  for (const one of all.filter(({ pid, command }) => !known.has(pid) && program.test(command))) {
    const port = portOf(one);
    const url = `http://127.0.0.1:${String(port)}`;
    if (port !== undefined && (await isIn(folder, one)) && (await isOk(url))) return url;
  }
  return undefined;
}

/** The port of loopback that its command line says; undefined where it listens elsewhere alone. */
export function portOf({ command }: Pick<ListedProcess, "command">): number | undefined {
  const host = /\s--host[= ](\S+)/.exec(command)?.[1] ?? "localhost";
  if (!["localhost", "127.0.0.1", "0.0.0.0", "::"].includes(host)) return undefined;
  const port = /\s(?:--port[= ]|-p[= ]?)(\d{1,5})(?:\s|$)/.exec(command)?.[1];
  return port === undefined ? defaultPort : Number(port);
}

/** Whether it runs the `langgraph.json` of the folder. */
async function isIn(folder: string, { pid, command }: ListedProcess): Promise<boolean> {
  const cwd = await readlink(`/proc/${String(pid)}/cwd`).catch(() => undefined);
  if (cwd === undefined) return false;
  const file = /\s(?:--config[= ]|-c[= ]?)(\S+)/.exec(command)?.[1] ?? "langgraph.json";
  return dirname(resolve(cwd, file)) === (await realpath(folder).catch(() => folder));
}

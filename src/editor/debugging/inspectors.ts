/** The processes of a graph server that a debugger attaches to: found below its supervisor, and asked to listen. */

import { execFile } from "node:child_process";
import { readdir, readFile } from "node:fs/promises";
import { setTimeout as pause } from "node:timers/promises";
import { promisify } from "node:util";
import { Http } from "../../api/http.ts";

/** The ports at which a debugger finds the process that loads graphs anew, and the one that runs them. */
export interface InspectorPorts {
  readonly watcher: number;
  readonly graphs: number;
}

/** What is needed of a server. */
export interface InspectedServer {
  /** Of its supervisor. */
  readonly pid: number;
  /** Where its processes said that they listen, as far as its log was read: `ws://…`, the newest last. */
  said(): Promise<readonly string[]>;
}

interface Listed {
  readonly pid: number;
  readonly parent: number;
  readonly command: string;
}

/** What runs the graphs. */
const program = "entrypoint.mjs";
const isProgram = (script: string): boolean => script.endsWith(program);

const listenMs = 15_000;
const askMs = 5_000;
const run = promisify(execFile);

/** Asks both processes to listen, unless they do already. Throws when one of them is not there or does not listen. */
export async function openInspectors(server: InspectedServer, signal: AbortSignal): Promise<InspectorPorts> {
  const { watcher, graphs } = processesOf(await listProcesses(), server.pid);
  const inTime = AbortSignal.any([signal, AbortSignal.timeout(listenMs)]);
  return {
    watcher: await portOf(watcher, server, inTime, (script) => !isProgram(script)),
    graphs: await portOf(graphs, server, inTime, isProgram),
  };
}

/** Lets no process listen any more of those that said so; each goes on. */
export async function closeInspectors(said: readonly string[]): Promise<void> {
  await Promise.all(
    said.map(async (inspector) => {
      if ((await scriptAt(inspector)) !== undefined) await close(inspector);
    }),
  );
}

/** The two processes below a supervisor: both load the server's program, and one of them is the other's child. */
export function processesOf(
  all: readonly Listed[],
  supervisor: number,
): { readonly watcher: number; readonly graphs: number } {
  const below = new Set([supervisor]);
  // A child is listed after its parent where ids grow, but they begin anew some day.
  for (let size = 0; size < below.size;) {
    size = below.size;
    for (const { pid, parent } of all) if (below.has(parent)) below.add(pid);
  }
  const loading = all.filter(({ pid, command }) => below.has(pid) && command.includes(program));
  const graphs = loading.find(({ parent }) => loading.some(({ pid }) => pid === parent));
  if (graphs === undefined) throw new Error("The process that runs the graphs was not found.");
  return { watcher: graphs.parent, graphs: graphs.pid };
}

/** Where the process listens, which runs a script that is wanted; it is asked to when it does not. */
async function portOf(
  pid: number,
  server: InspectedServer,
  signal: AbortSignal,
  isWanted: (script: string) => boolean,
): Promise<number> {
  for (let asked = false; ; asked = true) {
    for (const inspector of (await server.said()).toReversed()) {
      const script = await scriptAt(inspector);
      if (script !== undefined && isWanted(script)) return Number(new URL(inspector).port);
    }
    // Windows has another way than a signal, which Node knows.
    if (!asked) (process as unknown as { _debugProcess(pid: number): void })._debugProcess(pid);
    await pause(50, undefined, { signal });
  }
}

/** What runs where somebody said to listen; undefined where nobody does, or somebody else has the port by now. */
async function scriptAt(inspector: string): Promise<string | undefined> {
  const http = new Http({ baseUrl: `http://${new URL(inspector).host}` });
  const asked = http.json({ method: "GET", path: "/json/list", idempotent: false, timeoutMs: askMs });
  const targets: unknown = await asked.catch(() => undefined);
  const [target] = Array.isArray(targets) ? (targets as readonly unknown[]) : [];
  const { title, webSocketDebuggerUrl } = Object(target) as Readonly<Record<string, unknown>>;
  return typeof title === "string" && webSocketDebuggerUrl === inspector ? title : undefined;
}

/** It closes a little later: a process waits for everybody to leave its inspector. */
const closing = `void setTimeout(() => process.getBuiltinModule("node:inspector").close(), 300).unref()`;

/** Never rejects: a process that ended has no inspector. */
async function close(inspector: string): Promise<void> {
  const { promise, resolve } = Promise.withResolvers<unknown>();
  const connection = new WebSocket(inspector);
  const ask = { id: 1, method: "Runtime.evaluate", params: { expression: closing } };
  connection.addEventListener("open", () => connection.send(JSON.stringify(ask)));
  for (const event of ["message", "error", "close"] as const) connection.addEventListener(event, resolve);
  await Promise.race([promise, pause(askMs, undefined, { ref: false })]);
  connection.close();
}

async function listProcesses(): Promise<readonly Listed[]> {
  if (process.platform === "linux") return listedByKernel();
  if (process.platform === "win32") {
    const fields = "ProcessId,ParentProcessId,CommandLine";
    const script = `Get-CimInstance Win32_Process | Select-Object ${fields} | ConvertTo-Json -Compress`;
    const { stdout } = await run("powershell", ["-NoProfile", "-Command", script], { maxBuffer: 64_000_000 });
    const found = JSON.parse(stdout) as readonly Readonly<Record<string, unknown>>[];
    return found.map(({ ProcessId: pid, ParentProcessId: parent, CommandLine: command }) => {
      return {
        pid: Number(pid),
        parent: Number(parent),
        command: typeof command === "string" ? command : "",
      };
    });
  }
  const { stdout } = await run("ps", ["-axww", "-o", "pid=,ppid=,command="], { maxBuffer: 64_000_000 });
  return stdout.split("\n").flatMap((line) => {
    const [, pid, parent, command = ""] = /^\s*(\d+)\s+(\d+)\s+(.*)$/.exec(line) ?? [];
    return pid === undefined ? [] : [{ pid: Number(pid), parent: Number(parent), command }];
  });
}

async function listedByKernel(): Promise<readonly Listed[]> {
  const ids = (await readdir("/proc")).filter((name) => /^\d+$/.test(name));
  const read = async (pid: string): Promise<Listed | undefined> => {
    try {
      const stat = await readFile(`/proc/${pid}/stat`, "utf8");
      const command = await readFile(`/proc/${pid}/cmdline`, "utf8");
      // The name, in parentheses, may have spaces and parentheses itself.
      const parent = /^.*\) \S (\d+)/s.exec(stat)?.[1];
      return { pid: Number(pid), parent: Number(parent), command: command.replaceAll("\0", " ") };
    } catch {
      // It ended meanwhile, or is another user's.
      return undefined;
    }
  };
  return (await Promise.all(ids.map(read))).filter((one) => one !== undefined);
}

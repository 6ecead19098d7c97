/** The processes of a graph server that a debugger attaches to: found below its supervisor, and asked to listen. */

import { setTimeout as pause } from "node:timers/promises";
import { Http } from "../../api/http.ts";
import { isAlive, type ListedProcess, listProcesses, processesBelow } from "../kit/nodeProcess.ts";

/** Where a debugger finds the process that loads graphs anew, and the one that runs them: `ws://…`. */
export interface Inspectors {
  readonly watcher: string;
  readonly graphs: string;
}

/** What is needed of a server. */
export interface InspectedServer {
  /** Of its supervisor. */
  readonly pid: number;
  /** Where its processes said that they listen, as far as its log was read: `ws://…`, the newest last. */
  said(): Promise<readonly string[]>;
}

/** What runs the graphs. */
const program = "entrypoint.mjs";
const isProgram = (script: string): boolean => script.endsWith(program);

const listenMs = 15_000;
const againMs = 200;
const askMs = 5_000;

/**
 * Asks both processes to listen, unless they do already; one that loads anew is back in a moment. Throws when one of them
 * is not there in time, or does not listen.
 */
export async function openInspectors(server: InspectedServer, signal: AbortSignal): Promise<Inspectors> {
  const inTime = AbortSignal.any([signal, AbortSignal.timeout(listenMs)]);
  for (;;) {
    try {
      const { watcher, graphs } = processesOf(await listProcesses(), server.pid);
      return {
        watcher: await inspectorOf(watcher, server, inTime, (script) => !isProgram(script)),
        graphs: await inspectorOf(graphs, server, inTime, isProgram),
      };
    } catch (error) {
      if (!isAlive(server.pid)) throw new Error("Its server ended.", { cause: error });
      const again = await pause(againMs, true, { signal: inTime }).catch(() => false);
      if (!again) throw error;
    }
  }
}

/** Whether the process is still there that said so, and listens. */
export async function listens(inspector: string): Promise<boolean> {
  return (await scriptAt(inspector)) !== undefined;
}

/**
 * Resolves when none of the processes listens any more that said so, or after a while; each goes on. While the graphs load
 * anew, the next process is looked out for: it was started by one that was debugged, and waits for a debugger itself.
 */
export async function closeInspectors(
  said: () => Promise<readonly string[]>,
  isLoading: () => boolean,
): Promise<void> {
  const end = Date.now() + listenMs;
  do await Promise.all((await said()).map(close));
  while (isLoading() && Date.now() < end && (await pause(againMs, true)));
}

/** The two processes below a supervisor: both load the server's program, and one of them is the other's child. */
export function processesOf(
  all: readonly ListedProcess[],
  supervisor: number,
): { readonly watcher: number; readonly graphs: number } {
  const loading = processesBelow(all, supervisor).filter(({ command }) => command.includes(program));
  const graphs = loading.find(({ parent }) => loading.some(({ pid }) => pid === parent));
  if (graphs === undefined) throw new Error("The process that runs the graphs was not found.");
  return { watcher: graphs.parent, graphs: graphs.pid };
}

/** Where the process listens, which runs a script that is wanted; it is asked to when it does not. Throws when it ends. */
async function inspectorOf(
  pid: number,
  server: InspectedServer,
  signal: AbortSignal,
  isWanted: (script: string) => boolean,
): Promise<string> {
  for (let asked = false; ; asked = true) {
    for (const inspector of (await server.said()).toReversed()) {
      const script = await scriptAt(inspector);
      if (script !== undefined && isWanted(script)) return inspector;
    }
    // Windows has another way than a signal, which Node knows.
    if (!asked) (process as unknown as { _debugProcess(pid: number): void })._debugProcess(pid);
    await pause(50);
    // One that loads anew is another process now.
    if (!isAlive(pid)) throw new Error("One of its processes ended.");
    if (signal.aborted) throw new Error("One of its processes listens to no debugger.");
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

async function close(inspector: string): Promise<void> {
  if (!(await listens(inspector))) return;
  await askToClose(inspector);
  // What is attached to one that still listens would lose it in a moment.
  for (const end = Date.now() + askMs; (await listens(inspector)) && Date.now() < end;) await pause(50);
}

/** It closes a little later: a process waits for everybody to leave its inspector. */
const closing = `void setTimeout(() => process.getBuiltinModule("node:inspector").close(), 300).unref()`;

/** Lets one go on that waits for a debugger. Never rejects: a process that ended has no inspector. */
async function askToClose(inspector: string): Promise<void> {
  const { promise, resolve } = Promise.withResolvers<unknown>();
  const connection = new WebSocket(inspector);
  const ask = [
    { id: 1, method: "Runtime.runIfWaitingForDebugger" },
    { id: 2, method: "Runtime.evaluate", params: { expression: closing } },
  ];
  let answers = 0;
  connection.addEventListener("open", () => {
    for (const one of ask) connection.send(JSON.stringify(one));
  });
  connection.addEventListener("message", (event) => {
    if ((answers += 1) === ask.length) resolve(event);
  });
  for (const event of ["error", "close"] as const) connection.addEventListener(event, resolve);
  await Promise.race([promise, pause(askMs, undefined, { ref: false })]);
  connection.close();
}

/** The processes of a graph server: how they are started, and what is known and written down of them. */

import { spawn } from "node:child_process";
import { open, readFile, rm } from "node:fs/promises";
import { connect, createServer } from "node:net";
import { basename, join } from "node:path";
import { Http } from "../../api/http.ts";
import { isStartedBy, nodeEnvironment } from "../kit/nodeProcess.ts";
import { SharedRecord } from "../kit/sharedRecord.ts";
import { type CommandLine, GraphServerError } from "./commandLine.ts";
import type { Runtime } from "./graphFile.ts";
import type { ServerError } from "./serverLog.ts";
import { ENDED, LOG, type SupervisorOptions } from "./supervisor.ts";

/** What is written down of a server that runs, for other windows and for this one after a reload. */
export interface GraphServerRecord {
  /** Of the supervisor. */
  readonly pid: number;
  readonly port: number;
  /** Epoch milliseconds. */
  readonly startedAt: number;
  readonly runtime: Runtime;
  readonly version: string | undefined;
  /** Where a Python debugger can attach; undefined where none can. */
  readonly debugPort: number | undefined;
}

/** Where the server's parts are, and how long it may take. */
export interface GraphServerOptions {
  /** The project's folder. */
  readonly folder: string;
  /** Where its log and its record are; made for this user alone. */
  readonly storage: string;
  /** The bundled program, `dist/graphSupervisor.cjs`. */
  readonly supervisor: string;
  readonly lingerMs?: number;
  readonly readyMs?: number;
  /** One that a debugger held and that does not get ready in that time after its window was lost is started anew. */
  readonly stuckMs?: number;
  /** After so long a window looks again whether it still runs, also when its log says nothing. */
  readonly pollMs?: number;
}

/** What the server is doing, as far as this window knows. */
export type GraphServerState =
  | { readonly kind: "stopped" }
  | { readonly kind: "starting" }
  | { readonly kind: "running"; readonly url: string; readonly reloading: boolean }
  /** It waits for the sources to be mended: its graphs do not load. */
  | { readonly kind: "broken"; readonly url: string; readonly error: ServerError }
  | { readonly kind: "failed"; readonly message: string };

/** Whether it ran, and is loading its graphs anew. */
export function isReloading(state: GraphServerState): boolean {
  return state.kind === "running" && state.reloading;
}

/** The record's file. */
export const RECORD = "running.json";

/** The record in the server's folder, which all windows share. */
export function serverRecord(storage: string): SharedRecord<GraphServerRecord> {
  return new SharedRecord(join(storage, RECORD), recordOf);
}

/** Starts the server at the port, below a supervisor that outlives this window for a while. Throws GraphServerError. */
export async function spawnServer(
  { folder, storage, supervisor, lingerMs }: Required<GraphServerOptions>,
  { command, args, runtime, version, debugPort }: CommandLine,
  port: number,
): Promise<GraphServerRecord> {
  for (const name of [LOG, ENDED]) await rm(join(storage, name), { force: true });
  const server = ["--no-browser", "--host", "127.0.0.1", "--port", String(port)];
  const options: SupervisorOptions = {
    command,
    args: [...args, ...server],
    cwd: folder,
    nodeOptions: nodeOptions(),
    folder: storage,
    lingerMs,
  };
  const child = spawn(process.execPath, [supervisor, JSON.stringify(options)], {
    cwd: folder,
    // Neither are counted, nor asked for a key that only the vendor's own page needs.
    env: { ...nodeEnvironment(), LANGGRAPH_CLI_NO_ANALYTICS: "1", BROWSER: "none" },
    detached: true,
    stdio: "ignore",
    windowsHide: true,
  });
  const started = Promise.withResolvers<undefined>();
  child.once("spawn", () => started.resolve(undefined));
  child.once("error", (error) =>
    started.reject(
      new GraphServerError(`The graphs could not be started: ${error.message}.`, "Try again.", error),
    ),
  );
  await started.promise;
  child.unref();
  return { pid: child.pid ?? 0, port, startedAt: Date.now(), runtime, version, debugPort };
}

/** A server that ends by itself again and again within a minute: it is not started again. */
export class CrashLoop {
  static readonly crashes = 3;
  /** Epoch milliseconds. */
  #at: readonly number[] = [];

  /** Answers whether this one was too many; the count begins anew then. */
  addCrash(): boolean {
    const now = Date.now();
    const crashes = [...this.#at.filter((at) => now - at < 60_000), now];
    const isTooOften = crashes.length >= CrashLoop.crashes;
    this.#at = isTooOften ? [] : crashes;
    return isTooOften;
  }
}

/** Whether that server still runs: the id of a supervisor that ended may be another program's by now. */
export async function stillRuns(
  { storage, supervisor }: Required<GraphServerOptions>,
  { pid }: GraphServerRecord,
): Promise<boolean> {
  if ((await endOf(storage, pid)) !== undefined) return false;
  // By names: how a path is quoted depends on the platform, and the extension's folder on its version.
  return isStartedBy(pid, [basename(supervisor), basename(storage)]);
}

/** How the supervisor of that id says that the server ended: "by SIGTERM"; undefined where it said nothing. */
export async function endOf(storage: string, pid: number): Promise<string | undefined> {
  try {
    const end = JSON.parse(await readFile(join(storage, ENDED), "utf8")) as Readonly<Record<string, unknown>>;
    if (end["pid"] === pid && typeof end["how"] === "string") return end["how"];
  } catch {
    // It was killed before it could say anything.
  }
  return undefined;
}

/** What a file has from the offset on; all of it when it was begun anew. */
export async function readFrom(
  path: string,
  offset: number,
): Promise<{ readonly bytes: Uint8Array; readonly end: number }> {
  const file = await open(path).catch(() => undefined);
  if (file === undefined) return { bytes: new Uint8Array(), end: offset };
  try {
    const { size } = await file.stat();
    const from = size < offset ? 0 : offset;
    const bytes = Buffer.alloc(size - from);
    const { bytesRead } = await file.read(bytes, 0, bytes.length, from);
    return { bytes: bytes.subarray(0, bytesRead), end: from + bytesRead };
  } finally {
    await file.close();
  }
}

/** Whether the server answers. */
export async function isOk(url: string): Promise<boolean> {
  const http = new Http({ baseUrl: url });
  const asked = http.reply({ method: "GET", path: "/ok", idempotent: false, timeoutMs: 3_000 });
  return asked.then(
    () => true,
    () => false,
  );
}

/** Whether anything listens at the port, also what a debugger holds; nothing is sent there. */
export async function isListening(port: number): Promise<boolean> {
  const { promise, resolve } = Promise.withResolvers<boolean>();
  const socket = connect({ host: "127.0.0.1", port });
  socket.once("connect", () => resolve(true));
  socket.once("error", () => resolve(false));
  return promise.finally(() => socket.destroy());
}

/** The port if it is free, else another; 0 for any. */
export async function freePort(wanted: number): Promise<number> {
  const { promise, resolve } = Promise.withResolvers<number | undefined>();
  const probe = createServer();
  probe.once("error", () => resolve(undefined));
  probe.listen(wanted, "127.0.0.1", () => {
    const address = probe.address();
    probe.close(() => resolve(typeof address === "object" ? address?.port : undefined));
  });
  return (await promise) ?? freePort(0);
}

/** Each process can be asked for an inspector, at a port of its own; none is open before that. */
function nodeOptions(): string {
  const inherited = process.env["NODE_OPTIONS"] ?? "";
  const kept = /--(require|import|inspect)/.test(inherited) ? "" : inherited;
  return `${kept} --inspect-port=127.0.0.1:0`.trim();
}

function recordOf(value: unknown): GraphServerRecord | undefined {
  const fields = Object(value) as Readonly<Record<string, unknown>>;
  const { pid, port, startedAt, runtime, version, debugPort } = fields;
  if (typeof pid !== "number" || typeof port !== "number" || typeof startedAt !== "number") return undefined;
  if (runtime !== "node" && runtime !== "python") return undefined;
  return {
    ...{ pid, port, startedAt, runtime },
    version: typeof version === "string" ? version : undefined,
    debugPort: typeof debugPort === "number" ? debugPort : undefined,
  };
}

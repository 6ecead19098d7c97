/** One Local Platform as a child process: started, awaited until it is ready, stopped. No vscode in here. */

import { type ChildProcess, spawn } from "node:child_process";
import { createInterface } from "node:readline";
import type { Readable } from "node:stream";
import { isObject } from "../../api/shape.ts";
import { endProcess, nodeEnvironment } from "../kit/nodeProcess.ts";
import { RemediableError } from "../kit/remedies.ts";

const readyFields = [
  "baseUrl",
  "controlPlaneUrl",
  "deploymentUrl",
  "localUrl",
  "apiKey",
  "workspaceId",
  "deploymentId",
] as const;

/** The one line that the Local Platform prints when it listens; the key in it is kept in memory only. */
export type ReadyLine = Readonly<Record<(typeof readyFields)[number], string>>;

/** The Local Platform did not start, or stopped by itself; `remedy` says what to do. */
export class LocalPlatformError extends RemediableError {
  override readonly name = "LocalPlatformError";

  constructor(message: string, remedy: string, cause?: unknown) {
    super(message, { remedy, actions: ["startLocalPlatform", "showLog"], blockedBy: "stopped", cause });
  }
}

/** A Local Platform that listens. */
export interface LocalPlatformProcess {
  readonly pid: number;
  readonly ready: ReadyLine;
  /** Settles when the process has ended. */
  readonly ended: Promise<ProcessEnd>;
}

/** How the process came to its end. */
export interface ProcessEnd {
  /** Someone asked it to end, and it did. */
  readonly clean: boolean;
  /** In words. */
  readonly reason: string;
}

/** What is started, and on which data. */
export interface StartOptions {
  /** The bundled program, `dist/emulator.js`. */
  readonly program: string;
  readonly dataDirectory: string;
  /** Each line of the process's log. */
  readonly onLog: (line: string) => void;
  readonly signal?: AbortSignal;
}

const readyWithinMs = 30_000;

/** Starts the program and answers when it is ready; throws LocalPlatformError, or the signal's reason. */
export async function startLocalPlatformProcess(options: StartOptions): Promise<LocalPlatformProcess> {
  const child = spawn(process.execPath, [options.program, "--port", "0", "--data", options.dataDirectory], {
    env: nodeEnvironment(),
    stdio: ["ignore", "pipe", "pipe"],
    windowsHide: true,
  });
  let lastLine = "";
  eachLine(child.stderr, (line) => {
    if (line.trim() !== "") lastLine = line;
    options.onLog(line);
  });
  const ended = endOf(child, () => lastLine);
  try {
    const ready = await readyLine(child, ended, options.signal);
    return { pid: child.pid ?? 0, ready, ended };
  } catch (error) {
    if (child.pid !== undefined) await endProcess(child.pid);
    throw error;
  }
}

/** The ready line's fields when the text is one; undefined for any other line. */
export function parseReadyLine(line: string): ReadyLine | undefined {
  try {
    const value: unknown = JSON.parse(line);
    return isObject(value) && value["ready"] === true ? readyLineOf(value) : undefined;
  } catch {
    return undefined;
  }
}

/** The fields of a ready line when the value has all of them. */
export function readyLineOf(value: unknown): ReadyLine | undefined {
  if (!isObject(value)) return undefined;
  const fields = readyFields.map((name) => [name, value[name]] as const);
  const isWhole = fields.every(([, text]) => typeof text === "string" && text !== "");
  return isWhole ? (Object.fromEntries(fields) as ReadyLine) : undefined;
}

function eachLine(stream: Readable | null, take: (line: string) => void): void {
  if (stream !== null) createInterface({ input: stream }).on("line", take);
}

function endOf(child: ChildProcess, lastLine: () => string): Promise<ProcessEnd> {
  return new Promise((resolve) => {
    child.once("error", (error) => resolve({ clean: false, reason: error.message }));
    child.once("close", (code, signal) => {
      const how = signal === null ? `with code ${String(code)}` : `by ${signal}`;
      const said = lastLine() === "" ? "." : `: ${lastLine()}`;
      resolve({ clean: code === 0 || signal === "SIGTERM", reason: `It ended ${how}${said}` });
    });
  });
}

async function readyLine(
  child: ChildProcess,
  ended: Promise<ProcessEnd>,
  signal?: AbortSignal,
): Promise<ReadyLine> {
  const { promise, resolve, reject } = Promise.withResolvers<ReadyLine>();
  const deadline = setTimeout(() => {
    reject(
      new LocalPlatformError(
        "The Local Platform did not get ready in 30 s.",
        "Look into the log and start it again.",
      ),
    );
  }, readyWithinMs);
  const abort = (): void => reject(signal?.reason);
  signal?.addEventListener("abort", abort, { once: true });
  if (signal?.aborted === true) abort();
  eachLine(child.stdout, (line) => {
    const ready = parseReadyLine(line);
    if (ready !== undefined) resolve(ready);
  });
  void ended.then(({ reason }) =>
    reject(
      new LocalPlatformError(
        `The Local Platform did not start. ${reason}`,
        "Look into the log and start it again.",
      ),
    ),
  );
  try {
    return await promise;
  } finally {
    clearTimeout(deadline);
    signal?.removeEventListener("abort", abort);
  }
}

import { type ChildProcess, spawn, spawnSync } from "node:child_process";
import { createWriteStream, mkdirSync } from "node:fs";
import { constants } from "node:os";
import { dirname } from "node:path";
import { createInterface } from "node:readline";
import { setTimeout as delay } from "node:timers/promises";

/** How to start a process group. */
export interface ProcessGroupOptions {
  readonly cwd?: string;
  /** Laid over this process's own environment; `undefined` removes a variable. */
  readonly env?: Readonly<Record<string, string | undefined>>;
  /** Receives everything the group writes. */
  readonly logFile?: string;
  /** Called with each line of standard output and standard error. */
  readonly onLine?: (line: string) => void;
}

/** A child that leads its own process group, so that it and all its descendants can be ended together. */
export interface ProcessGroup {
  readonly pid: number;
  /** Settles with the exit code, or null when a signal ended the leader. */
  readonly exited: Promise<number | null>;
  /** The last lines it wrote. */
  lastLines(): string;
  /** Asks the group to end, and ends it by force after a few seconds. */
  stop(): Promise<void>;
  /** Ends the group by force, without asking. */
  kill(): Promise<void>;
}

const running = new Set<number>();
let watching = false;
const rememberedLines = 60;
const politeMs = 5_000;

/** Starts a program without a shell; the group is ended with this process, however this process ends. */
export function startProcessGroup(
  command: string,
  args: readonly string[],
  options: ProcessGroupOptions = {},
): ProcessGroup {
  const child = spawn(command, args, {
    ...(options.cwd === undefined ? {} : { cwd: options.cwd }),
    env: { ...process.env, ...options.env },
    stdio: ["ignore", "pipe", "pipe"],
    detached: process.platform !== "win32",
  });
  const lines = collectLines(child, options);
  const exited = new Promise<number | null>((settle, fail) => {
    child.once("error", fail);
    child.once("exit", settle);
  });
  exited.catch(() => undefined);
  const pid = child.pid ?? 0;
  if (pid > 0) {
    endWithThisProcess(pid);
    child.once("exit", () => endRest(pid));
  }
  const kill = async () => {
    endRest(pid);
    await exited.catch(() => undefined);
  };
  return { pid, exited, lastLines: () => lines.join("\n"), stop: () => stopGroup(pid, exited), kill };
}

function collectLines(child: ChildProcess, options: ProcessGroupOptions): string[] {
  const lines: string[] = [];
  if (options.logFile !== undefined) mkdirSync(dirname(options.logFile), { recursive: true });
  const log = options.logFile === undefined ? undefined : createWriteStream(options.logFile, { flags: "a" });
  child.once("close", () => log?.end());
  for (const stream of [child.stdout, child.stderr]) {
    if (!stream) continue;
    createInterface({ input: stream }).on("line", (line) => {
      lines.push(line);
      if (lines.length > rememberedLines) lines.shift();
      if (log?.writable) log.write(`${line}\n`);
      options.onLine?.(line);
    });
  }
  return lines;
}

async function stopGroup(pid: number, exited: Promise<unknown>): Promise<void> {
  if (!running.has(pid)) return;
  signalGroup(pid, "SIGTERM");
  await settlesWithin(exited, politeMs);
  endRest(pid);
  await settlesWithin(exited, politeMs);
}

async function settlesWithin(promise: Promise<unknown>, ms: number): Promise<void> {
  const timer = new AbortController();
  const timeout = delay(ms, undefined, { signal: timer.signal }).catch(() => undefined);
  await Promise.race([promise.catch(() => undefined), timeout]);
  timer.abort();
}

/** Must follow the leader's exit at once: later its number may belong to a stranger. */
function endRest(pid: number): void {
  if (running.delete(pid)) signalGroup(pid, "SIGKILL");
}

function endWithThisProcess(pid: number): void {
  if (!watching) {
    watching = true;
    process.once("exit", () => running.forEach((group) => signalGroup(group, "SIGKILL")));
    for (const signal of ["SIGINT", "SIGTERM", "SIGHUP"] as const) process.on(signal, exitUnlessHandled);
  }
  running.add(pid);
}

/** A signal ends a process without its exit listeners unless something listens and exits in its place. */
function exitUnlessHandled(signal: NodeJS.Signals): void {
  if (process.listenerCount(signal) === 1) process.exit(128 + constants.signals[signal]);
}

function signalGroup(pid: number, signal: NodeJS.Signals): void {
  if (process.platform === "win32") {
    spawnSync("taskkill", ["/pid", String(pid), "/T", "/F"]);
    return;
  }
  try {
    process.kill(-pid, signal);
  } catch {
    // Nothing of the group is left.
  }
}

/** Processes of this machine: by their ids, who started whom, and Node as the extension host runs it. */

import { execFile } from "node:child_process";
import { readdir, readFile } from "node:fs/promises";
import { setTimeout } from "node:timers/promises";
import { promisify } from "node:util";

/** One process. */
export interface ListedProcess {
  readonly pid: number;
  readonly parent: number;
  /** Its program and arguments. */
  readonly command: string;
  /** Its memory that is not swapped out, in bytes; what it shares with others is counted in each. */
  readonly bytes: number;
}

const politeMs = 5_000;
const run = promisify(execFile);
const maxBuffer = 64_000_000;

/** For running this process's own program as plain Node: its debugging and loading options are not passed on. */
export function nodeEnvironment(): NodeJS.ProcessEnv {
  const kept = Object.entries(process.env).filter(([name]) => !/^(NODE_OPTIONS|VSCODE_.*)$/.test(name));
  return { ...Object.fromEntries(kept), ELECTRON_RUN_AS_NODE: "1" };
}

/**
 * Whether a process with this id exists; another user's does, too, although it takes no signal of ours. Sent as text to
 * a process that only waits, so it uses nothing from this file.
 */
export function isAlive(pid: number): boolean {
  try {
    return process.kill(pid, 0);
  } catch (error) {
    return error instanceof Error && "code" in error && error.code === "EPERM";
  }
}

/** Asks a process to end, insists after 5 s, and resolves when it is gone. */
export async function endProcess(pid: number): Promise<void> {
  const deadline = Date.now() + politeMs;
  for (
    let signal: NodeJS.Signals | 0 = "SIGTERM";
    isAlive(pid);
    signal = Date.now() < deadline ? 0 : "SIGKILL"
  ) {
    try {
      process.kill(pid, signal);
    } catch {
      return;
    }
    await setTimeout(25);
  }
}

/** All processes that this user may look at. */
export async function listProcesses(): Promise<readonly ListedProcess[]> {
  if (process.platform === "linux") return listedByKernel();
  if (process.platform === "win32") {
    const fields = "ProcessId,ParentProcessId,CommandLine,WorkingSetSize";
    const script = `Get-CimInstance Win32_Process | Select-Object ${fields} | ConvertTo-Json -Compress`;
    return parseWindows((await run("powershell", ["-NoProfile", "-Command", script], { maxBuffer })).stdout);
  }
  return parsePs((await run("ps", ["-axww", "-o", "pid=,ppid=,rss=,command="], { maxBuffer })).stdout);
}

/**
 * Whether the process with this id is the one that was started with these words in its command: ids are used again. True
 * where nobody can tell, as where processes may not be listed.
 */
export async function isStartedBy(pid: number, words: readonly string[]): Promise<boolean> {
  if (!isAlive(pid)) return false;
  const all = await listProcesses().catch(() => undefined);
  const command = all?.find((one) => one.pid === pid)?.command ?? "";
  return all === undefined || words.every((word) => command.includes(word));
}

/**
 * When the process with this id started, as the system writes it down: the same text for as long as it runs, whatever is
 * done to the clock. Undefined where nobody can tell, as where it ended.
 */
export async function startOf(pid: number): Promise<string | undefined> {
  try {
    return (await startText(pid)).trim() || undefined;
  } catch {
    return undefined;
  }
}

/** What `ps` says, as on macOS: ids, kilobytes and command lines. */
export function parsePs(text: string): readonly ListedProcess[] {
  return text.split("\n").flatMap((line) => {
    const [, pid, parent, kilobytes, command = ""] = /^\s*(\d+)\s+(\d+)\s+(\d+)\s+(.*)$/.exec(line) ?? [];
    if (pid === undefined) return [];
    return [{ pid: Number(pid), parent: Number(parent), command, bytes: 1024 * Number(kilobytes) }];
  });
}

/** What PowerShell says of Windows' processes, as JSON; those of others have no command line. */
export function parseWindows(text: string): readonly ListedProcess[] {
  const found = JSON.parse(text) as readonly Readonly<Record<string, unknown>>[];
  return found.map(({ ProcessId, ParentProcessId, CommandLine, WorkingSetSize }) => ({
    pid: Number(ProcessId),
    parent: Number(ParentProcessId),
    command: typeof CommandLine === "string" ? CommandLine : "",
    bytes: Number(WorkingSetSize),
  }));
}

/** The process with that id, and all that it or one of those started. */
export function processesBelow(all: readonly ListedProcess[], pid: number): readonly ListedProcess[] {
  const below = new Set([pid]);
  // A child is listed after its parent where ids grow, but they begin anew some day.
  for (let size = 0; size < below.size;) {
    size = below.size;
    for (const one of all) if (below.has(one.parent)) below.add(one.pid);
  }
  return all.filter((one) => below.has(one.pid));
}

async function startText(pid: number): Promise<string> {
  if (process.platform === "linux") {
    const stat = await readFile(`/proc/${String(pid)}/stat`, "utf8");
    // The name of its program stands before, and may hold spaces and brackets.
    return stat.slice(stat.lastIndexOf(")") + 2).split(" ")[19] ?? "";
  }
  if (process.platform === "win32") {
    const script = `(Get-Process -Id ${String(pid)}).StartTime.ToFileTimeUtc()`;
    return (await run("powershell", ["-NoProfile", "-Command", script])).stdout;
  }
  const env = { ...process.env, LC_ALL: "C", TZ: "UTC0" };
  return (await run("ps", ["-p", String(pid), "-o", "lstart="], { env })).stdout;
}

async function listedByKernel(): Promise<readonly ListedProcess[]> {
  const ids = (await readdir("/proc")).filter((name) => /^\d+$/.test(name));
  const read = async (pid: string): Promise<readonly ListedProcess[]> => {
    try {
      const status = await readFile(`/proc/${pid}/status`, "utf8");
      const command = await readFile(`/proc/${pid}/cmdline`, "utf8");
      const number = (name: string): number =>
        Number(new RegExp(`^${name}:\\s+(\\d+)`, "m").exec(status)?.[1]);
      const [parent, bytes] = [number("PPid"), 1024 * number("VmRSS")];
      return [{ pid: Number(pid), parent, command: command.replaceAll("\0", " "), bytes: bytes || 0 }];
    } catch {
      // It ended meanwhile.
      return [];
    }
  };
  return (await Promise.all(ids.map(read))).flat();
}

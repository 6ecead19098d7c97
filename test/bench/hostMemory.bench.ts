/**
 * What a run of 100,000 events adds to the extension host of a real window, which VS Code's own extensions fill before.
 * Linux only: it reads `/proc`.
 */

import { readFileSync, readdirSync, writeFileSync } from "node:fs";
import { setTimeout as pause } from "node:timers/promises";
import { openBenchedWindow } from "./benchedWindow.ts";
import { startRecording } from "./processes.ts";
import { report } from "./report.ts";

const events = 100_000;

if (process.platform === "linux") await measure();
else console.log("\nThe memory of the extension host is measured on Linux only.");
process.exit();

async function measure(): Promise<void> {
  const rows = [];
  for (const kind of ["custom", "tokens"] as const) {
    const server = await startRecording(kind, events);
    try {
      rows.push({ run: `${events.toLocaleString("en")} ${kind}`, ...(await inHost(server.url)) });
    } finally {
      await server.stop();
    }
  }
  report("Memory of the extension host of a real window", rows);
}

interface Memory {
  readonly "before MB": number;
  readonly "peak MB": number;
}

async function inHost(url: string): Promise<Memory> {
  const window = await openBenchedWindow(url);
  try {
    const host = extensionHostOf(window.pid);
    // What the start of the editor left to do is not the run's.
    await pause(5000);
    const before = resetPeak(host);
    await window.conversation.say("go");
    await window.conversation.runs.first().waitFor();
    await window.conversation.idle();
    return { "before MB": before, "peak MB": peakOf(host) };
  } finally {
    await window.close();
  }
}

/** Lets the kernel count the peak anew; returns what is resident now, in MB. */
function resetPeak(pid: number): number {
  writeFileSync(`/proc/${pid}/clear_refs`, "5");
  return statusOf(pid, "VmRSS");
}

function peakOf(pid: number): number {
  return statusOf(pid, "VmHWM");
}

function statusOf(pid: number, field: string): number {
  const line = readFileSync(`/proc/${pid}/status`, "utf8").match(new RegExp(`^${field}:\\s+(\\d+) kB`, "m"));
  return Number(line?.[1]) / 1024;
}

function extensionHostOf(group: number): number {
  const host = readdirSync("/proc").find((pid) => {
    try {
      const stat = readFileSync(`/proc/${pid}/stat`, "utf8");
      const [, , processGroup] = stat.slice(stat.lastIndexOf(")") + 2).split(" ");
      return (
        Number(processGroup) === group &&
        readFileSync(`/proc/${pid}/cmdline`, "utf8").includes("--type=extensionHost")
      );
    } catch {
      return false;
    }
  });
  if (host === undefined) throw new Error("The window has no extension host.");
  return Number(host);
}

/** The Local Platform as it is shipped, in a process of its own. */

import { spawn } from "node:child_process";
import { once } from "node:events";
import { existsSync, readFileSync } from "node:fs";
import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { createInterface } from "node:readline";
import type { Ready } from "../../src/emulator/server.ts";
import type { Server } from "./processes.ts";
import { projectFolder } from "./report.ts";

/** A Local Platform that is measured. */
export interface MeasuredPlatform extends Server {
  readonly ready: Ready;
  /** From the start of the process to its ready line. */
  readonly startMs: number;
  /** The most memory that the process has had, in MB; NaN where the system does not tell. */
  peakMb(): number;
}

/** Makes an empty data directory, and removes it when the work is done. */
export async function withDirectory<Result>(work: (directory: string) => Promise<Result>): Promise<Result> {
  const directory = await mkdtemp(join(tmpdir(), "local-platform-bench-"));
  try {
    return await work(directory);
  } finally {
    await rm(directory, { recursive: true, force: true });
  }
}

/** Starts the bundle on a data directory; `url` is its sample deployment. */
export async function startLocalPlatform(directory: string): Promise<MeasuredPlatform> {
  const bundle = join(projectFolder, "dist", "emulator.js");
  const start = performance.now();
  const child = spawn(process.execPath, [bundle, "--port", "0", "--data", directory], {
    stdio: ["ignore", "pipe", "inherit"],
  });
  const [line] = (await once(createInterface({ input: child.stdout }), "line")) as [string];
  const startMs = performance.now() - start;
  const ready = JSON.parse(line) as Ready;
  return {
    url: ready.deploymentUrl,
    ready,
    startMs,
    peakMb: () => peakOf(child.pid),
    stop: async () => {
      const exited = once(child, "exit");
      child.kill();
      await exited;
    },
  };
}

function peakOf(pid: number | undefined): number {
  const file = `/proc/${pid}/status`;
  if (!existsSync(file)) return NaN;
  return Number(/VmHWM:\s+(\d+) kB/.exec(readFileSync(file, "utf8"))?.[1]) / 1024;
}

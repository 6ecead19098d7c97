/** Work in a process of its own, which is ended when it takes more time or memory than it may. */

import { fork } from "node:child_process";
import { readFileSync } from "node:fs";
import { join } from "node:path";

/** An exported function of a module; it takes one value that can be sent, and gives one back. */
export interface Work {
  /** The module, as `import.meta.filename` gives it. */
  readonly file: string;
  readonly name: string;
  readonly input?: unknown;
  /** Receives what the work says with `process.send` while it goes on; each time its clock starts anew. */
  readonly onProgress?: (progress: unknown) => void;
}

/** What a piece of work may take. */
export interface Limits {
  /** From the last progress, or from the start. */
  readonly ms: number;
  /** Of memory, more than the process had before the work. */
  readonly mb: number;
}

/** What came of it, and what it took. */
export interface Outcome<T> {
  readonly value: T;
  readonly ms: number;
  /** The longest time for which nothing else could run. */
  readonly blockedMs: number;
  /** The most memory, more than the process had before the work. */
  readonly mb: number;
}

/** The work was ended because it took too much, or it ended its process. */
export class BoundError extends Error {
  override readonly name = "BoundError";
}

const watchMs = 50;

/** Does the work; throws what it throws, as text, and BoundError where it takes more than it may. */
export function bounded<T>({ file, name, input, onProgress }: Work, limits: Limits): Promise<Outcome<T>> {
  return new Promise((resolve, reject) => {
    const child = fork(join(import.meta.dirname, "boundedProcess.ts"), [], {
      stdio: ["ignore", "inherit", "inherit", "ipc"],
      serialization: "advanced",
      execArgv: ["--disable-warning=ExperimentalWarning"],
    });
    let baseMb = Infinity;
    let deadline = Infinity;
    const end = (error?: Error, outcome?: Outcome<T>): void => {
      clearInterval(watch);
      child.kill("SIGKILL");
      if (outcome === undefined) reject(error ?? new Error("no outcome"));
      else resolve(outcome);
    };
    const watch = setInterval(() => {
      const mb = residentMb(child.pid) - baseMb;
      if (mb > limits.mb) end(new BoundError(`took more than ${limits.mb} MB`));
      else if (performance.now() > deadline) end(new BoundError(`took more than ${limits.ms} ms`));
    }, watchMs);
    child.on("message", (message: FromChild<T>) => {
      if (message.kind === "outcome") {
        const { outcome } = message;
        if (outcome.mb > limits.mb) end(new BoundError(`took ${outcome.mb} MB, more than ${limits.mb} MB`));
        else if (outcome.ms > limits.ms && onProgress === undefined)
          end(new BoundError(`took ${outcome.ms} ms, more than ${limits.ms} ms`));
        else end(undefined, outcome);
      } else if (message.kind === "failed") end(new Error(message.error));
      else {
        deadline = performance.now() + limits.ms + watchMs;
        if (message.kind === "started") baseMb = message.mb;
        else onProgress?.(message.progress);
      }
    });
    child.once("error", (error) => end(error));
    child.once("exit", (code, signal) =>
      end(new BoundError(`its process ended with ${String(signal ?? code)}`)),
    );
    child.send({ file, name, input });
  });
}

/** What the process of the work says. */
export type FromChild<T = unknown> =
  | { readonly kind: "started"; readonly mb: number }
  | { readonly kind: "progress"; readonly progress: unknown }
  | { readonly kind: "outcome"; readonly outcome: Outcome<T> }
  | { readonly kind: "failed"; readonly error: string };

/** Where the system does not tell it of another process, only the peak at the end is looked at. */
function residentMb(pid: number | undefined): number {
  try {
    const pages = Number(readFileSync(`/proc/${String(pid)}/statm`, "utf8").split(" ")[1]);
    return (pages * 4096) / 2 ** 20;
  } catch {
    return 0;
  }
}

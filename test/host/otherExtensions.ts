import type { EventEmitter } from "node:events";
import { sep } from "node:path";

/** Tells what another extension threw, which is no test's fault: all of them share one host. */
export type Tell = (stack: string) => void;

/**
 * Lets those who begin to listen for uncaught exceptions in `begin` hear of all but those that are thrown by code in
 * these folders alone; gives what `begin` gives.
 */
export function sparing<T>(
  host: EventEmitter,
  folders: readonly string[],
  tell: Tell,
  begin: () => T,
): { readonly result: T; readonly end: () => void } {
  const before = host.listeners("uncaughtException");
  const result = begin();
  const added = host.listeners("uncaughtException").filter((listener) => !before.includes(listener));
  const ends = added.map((listener) => {
    const hears = (error: unknown, ...more: unknown[]): void => {
      const stack = stackOf(error);
      if (isWithin(stack, folders)) tell(stack);
      else listener.call(host, error, ...more);
    };
    host.off("uncaughtException", listener as () => void).on("uncaughtException", hears);
    return () => host.off("uncaughtException", hears);
  });
  return { result, end: () => ends.forEach((end) => end()) };
}

function stackOf(error: unknown): string {
  return error instanceof Error ? (error.stack ?? error.message) : String(error);
}

/** The runtime's own frames are between those of whoever uses it. */
function isWithin(stack: string, folders: readonly string[]): boolean {
  const frames = stack.split("\n").filter((line) => /^\s*at /.test(line) && !/[( ]node:/.test(line));
  return frames.length > 0 && frames.every((frame) => folders.some((folder) => frame.includes(folder + sep)));
}

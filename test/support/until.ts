import { setTimeout as pause } from "node:timers/promises";

const everyMs = 25;

/** Waits until `holds` gives something true and returns it; says what was awaited when it never does. */
export async function until<T>(
  awaited: string,
  holds: () => T | Promise<T>,
  withinMs = 9_000,
): Promise<NonNullable<T>> {
  const deadline = Date.now() + withinMs;
  for (;;) {
    const held = await holds();
    if (held) return held;
    if (Date.now() > deadline) throw new Error(`Waited ${withinMs / 1000} s in vain: ${awaited}`);
    await pause(everyMs);
  }
}

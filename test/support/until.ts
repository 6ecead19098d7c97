import { setTimeout as pause } from "node:timers/promises";

/** The first pause between two looks, and the longest: looking often slows down what is awaited. */
const [firstMs, mostMs] = [25, 150];

/** Waits until `holds` gives something true and returns it; says what was awaited when it never does. */
export async function until<T>(
  awaited: string,
  holds: () => T | Promise<T>,
  withinMs = 30_000,
): Promise<NonNullable<T>> {
  const deadline = Date.now() + withinMs;
  for (let pauseMs = firstMs; ; pauseMs = Math.min(mostMs, pauseMs * 1.5)) {
    const held = await holds();
    if (held) return held;
    if (Date.now() > deadline) throw new Error(`Waited ${withinMs / 1000} s in vain: ${awaited}`);
    await pause(pauseMs);
  }
}

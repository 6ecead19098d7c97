import { setTimeout as delay } from "node:timers/promises";

import type { Locator } from "playwright-core";

const defaultPatienceMs = 30_000;
const lookAgainMs = 50;

/** Waits until `look` gives something true and returns it; says what was awaited when it never does. */
export async function until<T>(
  awaited: string,
  look: () => Promise<T> | T,
  patienceMs = defaultPatienceMs,
): Promise<NonNullable<T>> {
  const deadline = Date.now() + patienceMs;
  for (;;) {
    const seen = await look();
    if (seen) return seen;
    if (Date.now() > deadline) throw new Error(`Waited ${patienceMs / 1000} s in vain until ${awaited}`);
    await delay(lookAgainMs);
  }
}

/** Whether an element comes into sight within so long. */
export async function appears(element: Locator, withinMs: number): Promise<boolean> {
  return element.waitFor({ timeout: withinMs }).then(
    () => true,
    () => false,
  );
}

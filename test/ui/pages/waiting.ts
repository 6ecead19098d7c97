import type { Locator } from "playwright-core";

import { until as untilSoon } from "../../support/until.ts";

/** Waits as long as a whole workbench may take until `holds` gives something true, and returns it. */
export async function until<T>(
  awaited: string,
  holds: () => Promise<T> | T,
  withinMs = 90_000,
): Promise<NonNullable<T>> {
  return untilSoon(awaited, holds, withinMs);
}

/** Whether an element comes into sight within so long. */
export async function appears(element: Locator, withinMs: number): Promise<boolean> {
  return element.waitFor({ timeout: withinMs }).then(
    () => true,
    () => false,
  );
}

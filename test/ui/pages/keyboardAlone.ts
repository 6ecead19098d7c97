import { equal } from "node:assert/strict";

import type { Page } from "playwright-core";

import type { Workbench } from "../../host/workbench.ts";

/** Fails a test of the enclosing `describe` after which a pointer's button has ever gone down in the workbench. */
export function useKeyboardAlone(workbench: Workbench): void {
  let pointerPresses: () => number;
  before(async () => {
    pointerPresses = await countPointerPresses(workbench.page);
  });
  afterEach(() => equal(pointerPresses(), 0, "a pointer was used"));
}

/** Counts how often a pointer's button went down from now on, in the window and in every frame in it. */
async function countPointerPresses(page: Page): Promise<() => number> {
  let presses = 0;
  await page.exposeBinding("pointerPressed", () => (presses += 1));
  const listen = "addEventListener('pointerdown', () => pointerPressed(), true)";
  await page.addInitScript(listen);
  await page.evaluate(listen);
  return () => presses;
}

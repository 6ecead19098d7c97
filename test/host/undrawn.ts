import { join } from "node:path";
import { setTimeout as pause } from "node:timers/promises";
import type { Browser, Page } from "playwright-core";

/** Let a browser without a window wait with a page's frames until it is told to draw one. */
export const drawsWhenTold = ["--enable-begin-frame-control", "--run-all-compositor-stages-before-draw"];

/**
 * Opens a page that nobody looks at, and that is not drawn: an editor then needs a third less processor time. A browser
 * that does not wait until it is told draws it as always.
 */
export async function openUndrawn(browser: Browser): Promise<Page> {
  const session = await browser.newBrowserCDPSession();
  const contexts = async () => (await session.send("Target.getBrowserContexts")).browserContextIds;
  const earlier = await contexts();
  const context = await browser.newContext({ viewport: { width: 800, height: 500 } });
  const browserContextId = (await contexts()).find((id) => !earlier.includes(id))!;
  const opened = context.waitForEvent("page");
  const target = { url: "about:blank", browserContextId, enableBeginFrameControl: true };
  await session.send("Target.createTarget", target);
  const page = await opened;
  await page.addInitScript({ path: join(import.meta.dirname, "undrawn.js") });
  return page;
}

/** Draws the page while something is done that needs to see it. */
export async function whileDrawn<T>(page: Page, work: () => Promise<T>): Promise<T> {
  const session = await page.context().newCDPSession(page);
  const done = new AbortController();
  const drawing = (async () => {
    // One after the other: to ask for a frame before the last one is drawn is an error.
    while (!done.signal.aborted) {
      await session.send("HeadlessExperimental.beginFrame", {});
      await pause(50);
    }
  })().catch(() => undefined);
  try {
    return await work();
  } finally {
    done.abort();
    await drawing;
  }
}

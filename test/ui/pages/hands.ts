import type { Locator, Page } from "playwright-core";

import { type ShortcutTitle, shortcutOf } from "../../host/shortcuts.ts";
import { until } from "./waiting.ts";

/** The key that leads from where the focus is to what is wanted. */
export type Way = "Tab" | "Shift+Tab" | "ArrowDown" | "ArrowLeft" | "ArrowRight";

/** How a person reaches and presses what is on the screen. */
export interface Hands {
  /** Puts the focus on something. */
  reach(target: Locator, way?: Way): Promise<void>;
  /** Presses a button. */
  press(button: Locator, way?: Way): Promise<void>;
}

const mostSteps = 120;
const oneTryMs = 3_000;

/** What is used of the page's elements; the tests' own code knows no DOM. */
interface Focusable {
  readonly ownerDocument: { readonly activeElement: unknown; hasFocus(): boolean };
}

/** Hands on the keyboard alone: they walk to things and press Enter. */
export class Keyboard implements Hands {
  readonly #page: Page;

  constructor(page: Page) {
    this.#page = page;
  }

  /** Walks with one key until the target has the focus. */
  async reach(target: Locator, way: Way = "Tab"): Promise<void> {
    await target.waitFor();
    for (let steps = 0; steps < mostSteps; steps += 1) {
      if (await hasFocus(target)) return;
      await this.#page.keyboard.press(way);
    }
    throw new Error(`${way} never came to ${String(target)}`);
  }

  async press(button: Locator, way: Way = "Tab"): Promise<void> {
    await this.reach(button, way);
    await this.#page.keyboard.press("Enter");
  }

  /** Writes a text in place of what the field holds that has the focus, or is about to get it. */
  async write(field: Locator, text: string, withinMs?: number): Promise<void> {
    await until(`${String(field)} has the focus`, () => hasFocus(field), withinMs);
    await this.#page.keyboard.press("ControlOrMeta+A");
    if (text === "") await this.#page.keyboard.press("Delete");
    else await this.#page.keyboard.insertText(text);
  }
}

/** Presses the key of a command until what it does is seen; one is lost while a page is about to take the focus. */
export async function pressShortcut(
  page: Page,
  title: ShortcutTitle,
  isDone: () => Promise<boolean>,
): Promise<void> {
  await until(`"${title}" is done`, async () => {
    await page.keyboard.press(shortcutOf(title));
    return until("it is", isDone, oneTryMs).catch(() => false);
  });
}

/** Hands on the mouse. */
export class Mouse implements Hands {
  async reach(target: Locator): Promise<void> {
    await target.click();
  }

  async press(button: Locator): Promise<void> {
    await button.click();
  }
}

/** Whether an element is where keys go; one that is not there is not waited for. */
export async function hasFocus(target: Locator): Promise<boolean> {
  return target.evaluateAll((elements: Focusable[]) =>
    elements.some(
      (element) => element === element.ownerDocument.activeElement && element.ownerDocument.hasFocus(),
    ),
  );
}

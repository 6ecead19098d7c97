import type { Locator, Page } from "playwright-core";

import { until } from "./waiting.ts";

/** The menu that opens at the focused or clicked thing. */
export class ContextMenu {
  readonly root: Locator;
  readonly #page: Page;

  constructor(page: Page) {
    this.#page = page;
    this.root = page.locator(".monaco-menu:visible").last();
  }

  /** The labels on show, from the top. */
  async labels(): Promise<string[]> {
    await this.root.waitFor();
    return this.root.locator(".action-item:not(.disabled) .action-label:not(.separator)").allInnerTexts();
  }

  /** Goes to the entry with the arrow keys and takes it. */
  async choose(label: string): Promise<void> {
    // An entry's accessible name ends with its key, where it has one.
    const text = this.#page.getByText(label, { exact: true });
    const focused = this.root.locator(".action-item.focused").filter({ has: text });
    await this.root.locator(".action-item").filter({ has: text }).waitFor();
    await until(`"${label}" is the focused entry`, async () => {
      if (await focused.isVisible()) return true;
      await this.#page.keyboard.press("ArrowDown");
      return false;
    });
    await this.#page.keyboard.press("Enter");
    await this.root.waitFor({ state: "hidden" });
  }
}

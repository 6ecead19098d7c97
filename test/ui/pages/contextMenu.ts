import type { Locator, Page } from "playwright-core";

import { appears } from "./waiting.ts";

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
    if (!(await this.tryToChoose(label, 90_000))) throw new Error(`No menu is open that has "${label}".`);
  }

  /** The same; answers false when the menu has no such entry in time, or is closed before that is reached. */
  async tryToChoose(label: string, withinMs: number): Promise<boolean> {
    // An entry's accessible name ends with its key, where it has one.
    const text = this.#page.getByText(label, { exact: true });
    const entry = this.root.locator(".action-item").filter({ has: text });
    const focused = this.root.locator(".action-item.focused").filter({ has: text });
    if (!(await appears(entry, withinMs))) return false;
    while (!(await focused.isVisible())) {
      if (!(await entry.isVisible())) return false;
      await this.#page.keyboard.press("ArrowDown");
    }
    await this.#page.keyboard.press("Enter");
    await this.root.waitFor({ state: "hidden" });
    return true;
  }
}

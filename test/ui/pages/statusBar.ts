import type { Locator, Page } from "playwright-core";

/** The bar at the bottom. */
export class StatusBar {
  readonly #page: Page;

  constructor(page: Page) {
    this.#page = page;
  }

  /** The entry whose text or accessible name holds `text`. */
  entry(text: string | RegExp): Locator {
    return this.#page.locator(".part.statusbar .statusbar-item:visible").filter({ hasText: text }).first();
  }

  /** What the entries say, from the left. */
  async texts(): Promise<string[]> {
    return this.#page.locator(".part.statusbar .statusbar-item:visible").allInnerTexts();
  }

  /** Does what a click on the entry does. */
  async press(text: string | RegExp): Promise<void> {
    await this.entry(text).locator("a").first().click();
  }
}

import type { Locator, Page } from "playwright-core";

import { CommandPalette } from "./commandPalette.ts";
import type { Hands } from "./hands.ts";

/** The bar at the bottom. */
export class StatusBar {
  readonly #page: Page;
  readonly #hands: Hands;

  constructor(page: Page, hands: Hands) {
    this.#page = page;
    this.#hands = hands;
  }

  /** The entry whose text or accessible name holds `text`. */
  entry(text: string | RegExp): Locator {
    return this.#page.locator(".part.statusbar .statusbar-item:visible").filter({ hasText: text }).first();
  }

  /** What the entries say, from the left. */
  async texts(): Promise<string[]> {
    return this.#page.locator(".part.statusbar .statusbar-item:visible").allInnerTexts();
  }

  /** Does what an entry is for. */
  async press(text: string | RegExp): Promise<void> {
    await new CommandPalette(this.#page).run("View: Focus Status Bar");
    await this.#hands.press(this.entry(text).locator("a").first(), "ArrowRight");
  }
}

import type { Locator, Page } from "playwright-core";

import type { Hands } from "./hands.ts";

/** A modal question. */
export class Dialog {
  readonly root: Locator;
  readonly #page: Page;
  readonly #hands: Hands;

  constructor(page: Page, hands: Hands) {
    this.root = page.locator(".monaco-dialog-box");
    this.#page = page;
    this.#hands = hands;
  }

  /** What it asks, with its detail. */
  async text(): Promise<string> {
    return this.root.locator(".dialog-message-container").innerText();
  }

  /** Waits for the question and answers with one of its buttons. */
  async answer(button: string): Promise<void> {
    await this.#hands.press(this.root.getByRole("button", { name: button, exact: true }));
    await this.root.waitFor({ state: "hidden" });
  }

  /** Leaves without an answer. */
  async dismiss(): Promise<void> {
    await this.root.waitFor();
    await this.#page.keyboard.press("Escape");
    await this.root.waitFor({ state: "hidden" });
  }
}

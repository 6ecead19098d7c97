import type { Locator, Page } from "playwright-core";

/** A modal question. */
export class Dialog {
  readonly root: Locator;

  constructor(page: Page) {
    this.root = page.locator(".monaco-dialog-box");
  }

  /** What it asks, with its detail. */
  async text(): Promise<string> {
    return this.root.locator(".dialog-message-container").innerText();
  }

  /** Waits for the question and answers with one of its buttons. */
  async answer(button: string): Promise<void> {
    await this.root.getByRole("button", { name: button, exact: true }).click();
    await this.root.waitFor({ state: "hidden" });
  }
}

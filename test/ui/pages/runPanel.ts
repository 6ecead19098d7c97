import type { FrameLocator, Locator, Page } from "playwright-core";

/** The page inside the webview editor on show: a frame in a frame. */
export class RunPanel {
  readonly #page: Page;

  constructor(page: Page) {
    this.#page = page;
  }

  /** The panel's own document. */
  frame(): FrameLocator {
    return this.#page.frameLocator("iframe.webview.ready:visible").frameLocator("#active-frame");
  }

  /** The header's buttons for what runs: Detach, Stop, … */
  get actions(): Locator {
    return this.frame().locator(".header-actions button");
  }

  /** What was refused or went wrong, in words. */
  get alerts(): Locator {
    return this.frame().getByRole("alert");
  }

  /** Waits until the panel's document is there. */
  async shown(): Promise<void> {
    await this.frame().locator("body").waitFor();
  }
}

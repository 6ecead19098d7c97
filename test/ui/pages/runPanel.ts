import type { FrameLocator, Page } from "playwright-core";

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

  /** Waits until the panel's document is there. */
  async shown(): Promise<void> {
    await this.frame().locator("body").waitFor();
  }
}

import type { Locator, Page } from "playwright-core";

/** The open editors. */
export class EditorTabs {
  readonly #page: Page;

  constructor(page: Page) {
    this.#page = page;
  }

  /** The tab with this title. */
  tab(title: string | RegExp): Locator {
    return this.#page.locator(".part.editor .tab").filter({ hasText: title }).first();
  }

  /** The titles, from the left. */
  async titles(): Promise<string[]> {
    return this.#page.locator(".part.editor .tab .label-name").allInnerTexts();
  }

  /** The title of the editor on show. */
  async active(): Promise<string> {
    return this.#page.locator(".part.editor .tab.active .label-name").first().innerText();
  }

  /** Brings an editor to the front. */
  async show(title: string | RegExp): Promise<void> {
    await this.tab(title).click();
  }

  /** Closes an editor. */
  async close(title: string | RegExp): Promise<void> {
    const tab = this.tab(title);
    await tab.hover();
    await tab.locator(".tab-actions .action-label").click();
    await tab.waitFor({ state: "detached" });
  }
}

import type { Locator, Page } from "playwright-core";

import { CommandPalette } from "./commandPalette.ts";
import { shortcutOf } from "../../host/shortcuts.ts";
import { appears, until } from "./waiting.ts";

const oneTryMs = 5_000;

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

  /** A button of the title of the editor on show. */
  action(label: string): Locator {
    return this.#page.locator(".part.editor .editor-actions").getByRole("button", { name: label }).first();
  }

  /** Brings an editor to the front, going from tab to tab. */
  async show(title: string): Promise<void> {
    await until(`the editor "${title}" is in front`, async () => {
      const active = await this.active();
      if (active === title) return true;
      await this.#page.keyboard.press(shortcutOf("View: Open Next Editor"));
      const next = this.#page.locator(".part.editor .tab.active").filter({ hasNotText: active }).first();
      await appears(next, oneTryMs);
      return false;
    });
  }

  /** Closes the editor in front. */
  async close(): Promise<void> {
    const titles = await this.titles();
    await new CommandPalette(this.#page).run("View: Close Editor");
    await until("it is closed", async () => (await this.titles()).length < titles.length);
  }
}

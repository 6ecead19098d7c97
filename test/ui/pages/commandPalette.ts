import type { Page } from "playwright-core";

import { Keyboard } from "./hands.ts";
import { appears, until } from "./waiting.ts";
import { QuickInput } from "./quickInput.ts";

const oneTryMs = 3_000;

/** The list of all commands. */
export class CommandPalette {
  readonly #page: Page;
  readonly #keyboard: Keyboard;
  readonly #quickInput: QuickInput;

  constructor(page: Page) {
    this.#page = page;
    this.#keyboard = new Keyboard(page);
    this.#quickInput = new QuickInput(page);
  }

  /** Runs the command with this title, its category included: "Agents: New Thread…". */
  async run(title: string): Promise<void> {
    await until(`the command "${title}" is offered and taken`, () => this.#take(title));
  }

  /** Whether the command is offered right now. */
  async offers(title: string): Promise<boolean> {
    // A page that just opened may take the focus away while the title is typed.
    await until(`the palette lists "${title}"`, () =>
      this.#search(title).then(
        () => true,
        () => false,
      ),
    );
    const offered = await this.#quickInput.option(title).isVisible();
    await this.#quickInput.dismiss();
    return offered;
  }

  /** Gives false when the command is not there yet, or when something that just opened took the focus away. */
  async #take(title: string): Promise<boolean> {
    try {
      await this.#search(title);
      if (await this.#quickInput.option(title).isVisible()) {
        await this.#quickInput.goTo(title, oneTryMs);
        await this.#page.keyboard.press("Enter");
        return true;
      }
      await this.#quickInput.dismiss();
      return false;
    } catch {
      return false;
    }
  }

  /** The key is lost while a page in a tab is about to take the focus: a person would press it again. */
  async #search(title: string): Promise<void> {
    await until("the palette is open", async () => {
      await this.#page.keyboard.press("F1");
      return appears(this.#quickInput.field, oneTryMs);
    });
    await this.#keyboard.write(this.#quickInput.field, `>${title}`, oneTryMs);
    await this.#quickInput.options.first().waitFor({ timeout: oneTryMs });
  }
}

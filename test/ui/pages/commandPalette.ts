import type { Page } from "playwright-core";

import { until } from "./patience.ts";
import { QuickInput } from "./quickInput.ts";

/** The list of all commands. */
export class CommandPalette {
  readonly #page: Page;
  readonly #quickInput: QuickInput;

  constructor(page: Page) {
    this.#page = page;
    this.#quickInput = new QuickInput(page);
  }

  /** Runs the command with this title, its category included: "Agents: New Thread…". */
  async run(title: string): Promise<void> {
    await until(`the command "${title}" is offered`, () => this.#offered(title));
    await this.#page.keyboard.press("Enter");
  }

  /** Whether the command is offered right now. */
  async offers(title: string): Promise<boolean> {
    const offered = await this.#offered(title);
    if (offered) await this.#quickInput.dismiss();
    return offered;
  }

  /** Leaves the palette open at the command when it is offered, closed when it is not. */
  async #offered(title: string): Promise<boolean> {
    await this.#page.keyboard.press("F1");
    await this.#quickInput.type(`>${title}`);
    await this.#quickInput.options.first().waitFor();
    if (await this.#quickInput.option(title).isVisible()) {
      await this.#quickInput.goTo(title);
      return true;
    }
    await this.#quickInput.dismiss();
    return false;
  }
}

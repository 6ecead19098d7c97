import type { Page } from "playwright-core";

import { CommandPalette } from "./commandPalette.ts";
import { QuickInput } from "./quickInput.ts";

/** The themes that everything is looked at in. */
export type Theme = "dark" | "light" | "highContrast";

const labels: Record<Theme, string> = {
  dark: "Dark Modern",
  light: "Light Modern",
  highContrast: "Dark High Contrast",
};
const classes: Record<Theme, string> = { dark: "vs-dark", light: "vs", highContrast: "hc-black" };

/** The choice of the window's colours. */
export class ColorTheme {
  readonly #page: Page;

  constructor(page: Page) {
    this.#page = page;
  }

  /** Switches the window to a theme. */
  async use(theme: Theme): Promise<void> {
    const quickInput = new QuickInput(this.#page);
    await new CommandPalette(this.#page).run("Preferences: Color Theme");
    await quickInput.type(labels[theme]);
    await quickInput.choose(labels[theme]);
    await quickInput.root.waitFor({ state: "hidden" });
    await this.#page.locator(`.monaco-workbench.${classes[theme]}`).waitFor();
  }
}

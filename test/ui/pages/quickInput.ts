import type { Locator, Page } from "playwright-core";

import { hasFocus, Keyboard } from "./hands.ts";
import { until } from "./waiting.ts";

/** The editor's own keys for going back a step, where they differ. */
const backKeys: Readonly<Record<string, string>> = { win32: "Alt+ArrowLeft", darwin: "Control+Minus" };

/** The box at the top in which one picks from a list or types an answer. */
export class QuickInput {
  readonly root: Locator;
  readonly #page: Page;

  constructor(page: Page) {
    this.#page = page;
    this.root = page.locator(".quick-input-widget:visible");
  }

  /** The text field. */
  get field(): Locator {
    return this.root.locator(".quick-input-box input");
  }

  /** The choices on show. */
  get options(): Locator {
    return this.root.locator(".quick-input-list .monaco-list-row");
  }

  /** The choice with this label: the whole label, or a pattern. */
  option(label: string | RegExp): Locator {
    const name = this.#page.locator(".label-name").getByText(label, { exact: true });
    return this.options.filter({ has: name }).first();
  }

  /** Waits for a box with this title. */
  async titled(title: string | RegExp): Promise<void> {
    await this.root.locator(".quick-input-title").getByText(title).waitFor();
  }

  /** The labels of the choices on show, from the top. */
  async labels(): Promise<string[]> {
    return this.root.locator(".quick-input-list-row:first-child .label-name").allInnerTexts();
  }

  /** What the box says below its field: the prompt, or why the answer is not accepted. */
  async message(): Promise<string> {
    return this.root.locator(".quick-input-message").innerText();
  }

  /** Waits for the choice, goes to it with the arrow keys and takes it. */
  async choose(label: string | RegExp): Promise<void> {
    await this.goTo(label);
    await this.#page.keyboard.press("Enter");
  }

  /** Ticks each of the choices in a list of several, and accepts. */
  async chooseAll(labels: readonly (string | RegExp)[]): Promise<void> {
    for (const label of labels) {
      await this.goTo(label);
      await this.#page.keyboard.press("Space");
    }
    await this.#page.keyboard.press("Enter");
  }

  /** Types an answer in place of what is there, and accepts it. */
  async answer(text: string): Promise<void> {
    await this.type(text);
    await this.#page.keyboard.press("Enter");
  }

  /** Types an answer in place of what is there, without accepting it. */
  async type(text: string): Promise<void> {
    await this.#keepFocus();
    await new Keyboard(this.#page).write(this.field, text);
  }

  /** Goes one step back in a sequence of questions. */
  async back(): Promise<void> {
    await this.root.getByRole("button", { name: /^Back/ }).waitFor();
    await this.#page.keyboard.press(backKeys[process.platform] ?? "Control+Alt+Minus");
  }

  /** Leaves without an answer. */
  async dismiss(): Promise<void> {
    await this.#page.keyboard.press("Escape");
    await this.root.waitFor({ state: "hidden" });
  }

  /** Moves the focus to a choice. */
  async goTo(label: string | RegExp, withinMs = 90_000): Promise<void> {
    const option = this.option(label);
    const timeout = withinMs;
    await option.waitFor({ timeout });
    await this.#keepFocus(timeout);
    const goOn = async (): Promise<boolean> => {
      if (/\bfocused\b/.test((await option.getAttribute("class", { timeout })) ?? "")) return true;
      await this.#page.keyboard.press("ArrowDown");
      return false;
    };
    await until(`"${String(label)}" is the focused choice`, goOn, withinMs);
  }

  /**
   * VS Code focuses a tree again once it is drawn anew, also when a box took the focus in that very instant:
   * a person would then click into the box.
   */
  async #keepFocus(withinMs?: number): Promise<void> {
    const tree = this.#page.locator(".part.sidebar .monaco-list:focus");
    const kept = async (): Promise<boolean> => {
      if (await hasFocus(this.field)) return true;
      if ((await tree.isVisible()) && (await this.field.isVisible())) await this.field.focus();
      return false;
    };
    await until("the box has the focus", kept, withinMs);
  }
}

import type { Locator, Page } from "playwright-core";

import { pressShortcut, type Hands } from "./hands.ts";

/** The text editor on show; of a comparison, its right side. */
export class TextEditor {
  readonly root: Locator;
  readonly #page: Page;
  readonly #hands: Hands;

  constructor(page: Page, hands: Hands) {
    this.#page = page;
    this.#hands = hands;
    this.root = page.locator(".part.editor .editor-instance .monaco-editor:visible").last();
  }

  /** The link above the first line that begins with these words. */
  lens(words: string): Locator {
    return this.root.locator(".codelens-decoration a").filter({ hasText: words }).first();
  }

  /** Takes a link above the first line. */
  async takeLens(words: string): Promise<void> {
    await this.#hands.press(this.lens(words));
  }

  /** The lines in sight. */
  async text(): Promise<string> {
    return textIn(this.root);
  }

  /** What stands above the text to say where it is. */
  async breadcrumbs(): Promise<readonly string[]> {
    const items = this.#page.locator(".part.editor .breadcrumbs-control .monaco-breadcrumb-item:visible");
    return (await items.allInnerTexts()).map((text) => text.trim());
  }

  /** The lines in sight on the left side of a comparison. */
  async comparedText(): Promise<string> {
    return textIn(this.#page.locator(".part.editor .monaco-diff-editor:visible .editor.original"));
  }

  /** Puts the focus into it by its command. */
  async focus(): Promise<void> {
    await pressShortcut(this.#page, "View: Focus Active Editor Group", async () =>
      /\bfocused\b/.test((await this.root.getAttribute("class")) ?? ""),
    );
  }

  /** Types a text in place of everything, without reaching for the mouse. */
  async type(text: string): Promise<void> {
    await this.focus();
    await this.#page.keyboard.press("ControlOrMeta+A");
    await this.#page.keyboard.insertText(text);
  }

  /** Pastes a text in place of everything. */
  async write(text: string): Promise<void> {
    await this.root.locator(".view-lines").click();
    await this.#page.keyboard.press("ControlOrMeta+A");
    await this.#page.evaluate(`navigator.clipboard.writeText(${JSON.stringify(text)})`);
    await this.#page.keyboard.press("ControlOrMeta+V");
  }
}

async function textIn(editor: Locator): Promise<string> {
  const lines = await editor.locator(".view-lines .view-line").allInnerTexts();
  return lines.join("\n").replaceAll("\u00a0", " ");
}

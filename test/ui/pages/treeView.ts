import type { Locator, Page } from "playwright-core";

import { ContextMenu } from "./contextMenu.ts";
import { hasFocus, pressShortcut, type Hands } from "./hands.ts";
import type { ShortcutTitle } from "../../host/shortcuts.ts";
import { appears, until } from "./waiting.ts";

const oneTryMs = 5_000;

/** The title of a view of ours. */
type ViewName = ShortcutTitle extends infer Title
  ? Title extends `Agents: Focus on ${infer Name} View`
    ? Name
    : never
  : never;

/** What is used of the page's elements; the tests' own code knows no DOM. */
interface Focusable {
  readonly ownerDocument: { readonly activeElement: unknown };
  contains(other: unknown): boolean;
}

/** A tree in the side bar, walked by keyboard. */
export class TreeView {
  readonly menu: ContextMenu;
  readonly tree: Locator;
  readonly #page: Page;
  readonly #hands: Hands;
  readonly #name: ViewName;
  readonly #pane: Locator;

  constructor(page: Page, hands: Hands, name: ViewName) {
    this.#page = page;
    this.#hands = hands;
    this.#name = name;
    this.#pane = page
      .locator(".part.sidebar .pane")
      .filter({ has: page.locator(`.pane-header[aria-label^="${name}"]`) });
    this.tree = this.#pane.getByRole("tree");
    this.menu = new ContextMenu(page);
  }

  /** The row with this label, wherever it is in the tree, as far as it is scrolled into view. */
  row(label: string | RegExp): Locator {
    const name = this.#page.locator(".label-name").getByText(label, { exact: true });
    return this.tree.getByRole("treeitem").filter({ has: name }).first();
  }

  /** The labels of the rows in view, from the top. */
  async labels(): Promise<string[]> {
    return this.tree.locator(".label-name").allInnerTexts();
  }

  /** The rows in view that tell what went wrong. */
  get failures(): Locator {
    const sign = this.#page.locator(".codicon-warning, .codicon-error");
    return this.tree.getByRole("treeitem").filter({ has: sign });
  }

  /** The dimmed text after a row's label. */
  async description(label: string | RegExp): Promise<string> {
    return this.row(label).locator(".label-description").innerText();
  }

  /** The text and buttons that an empty view shows. */
  get welcome(): Locator {
    return this.#pane.locator(".welcome-view-content");
  }

  /** Whether keys go to the view, be it a tree or empty. */
  async focused(): Promise<boolean> {
    return this.#pane.evaluate((pane: Focusable) => pane.contains(pane.ownerDocument.activeElement));
  }

  /** Puts the focus into the view by its command. */
  async focus(): Promise<void> {
    await pressShortcut(this.#page, `Agents: Focus on ${this.#name} View`, () => this.focused());
  }

  /** Presses a button of the text that an empty view shows. */
  async pressWelcome(button: string): Promise<void> {
    const target = this.welcome.getByRole("button", { name: button });
    await target.waitFor();
    await this.focus();
    await this.#hands.press(target);
  }

  /** Moves the focus to a row with the arrow keys; waits until the row exists. */
  async goTo(label: string | RegExp): Promise<void> {
    const row = this.row(label);
    await until(`the tree has the row "${String(label)}"`, async () => {
      if (!(await hasFocus(this.tree))) await this.focus();
      await this.#page.keyboard.press("Home");
      return this.#walkDownTo(row);
    });
  }

  /** Shows the children of a row and waits for the first of them; a row may turn out to have none. */
  async expand(label: string | RegExp): Promise<void> {
    const row = this.row(label);
    await this.goTo(label);
    await until(`"${String(label)}" shows what is below it`, async () => {
      const expanded = await row.getAttribute("aria-expanded");
      if (expanded !== "false") return expanded === null || this.#hasChildOnShow(row);
      await this.#pressOn(label, "ArrowRight");
      return false;
    });
  }

  /** Hides the children of a row. */
  async collapse(label: string | RegExp): Promise<void> {
    const row = this.row(label);
    await this.goTo(label);
    await until(`"${String(label)}" is collapsed`, async () => {
      if ((await row.getAttribute("aria-expanded")) === "false") return true;
      await this.#pressOn(label, "ArrowLeft");
      return false;
    });
  }

  /** Selects a row beside those that are selected, without opening it; or takes it out. */
  async toggle(label: string | RegExp): Promise<void> {
    await this.goTo(label);
    await this.#page.keyboard.press("ControlOrMeta+Shift+Enter");
  }

  /** Does what a click on the row does. */
  async open(label: string | RegExp): Promise<void> {
    await this.goTo(label);
    await this.#page.keyboard.press("Enter");
  }

  /** Takes an entry of the row's context menu, which is opened again when it closes as the tree is drawn anew. */
  async chooseFor(label: string | RegExp, entry: string): Promise<void> {
    await until(`"${entry}" is taken of "${String(label)}"`, async () => {
      await this.openMenu(label);
      return this.menu.tryToChoose(entry, oneTryMs);
    });
  }

  /** Opens the row's context menu. */
  async openMenu(label: string | RegExp): Promise<void> {
    await until(`the menu of "${String(label)}" is open`, async () => {
      await this.#pressOn(label, "Shift+F10");
      return appears(this.menu.root, oneTryMs);
    });
  }

  /** Presses one of the buttons that a focused row shows. */
  async press(label: string | RegExp, action: string): Promise<void> {
    await this.goTo(label);
    await this.#hands.press(this.row(label).getByRole("button", { name: action }));
  }

  /** Presses a key on a row. */
  async keyOn(label: string | RegExp, key: string): Promise<void> {
    await this.#pressOn(label, key);
  }

  /** Presses a button in the view's title bar. */
  async pressTitle(action: string): Promise<void> {
    const bar = this.#page.locator(".part.sidebar .composite.title, .part.sidebar .pane-header");
    await this.focus();
    await this.#hands.press(bar.getByRole("button", { name: action }).first(), "Shift+Tab");
  }

  /** A key that is pressed while the tree is drawn anew can be lost: a person would press it again. */
  async #pressOn(label: string | RegExp, key: string): Promise<void> {
    await this.goTo(label);
    await this.#page.keyboard.press(key);
  }

  async #hasChildOnShow(row: Locator): Promise<boolean> {
    const index = Number(await row.getAttribute("data-index"));
    const next = this.tree.locator(`[role=treeitem][data-index="${index + 1}"]`);
    if ((await next.count()) === 0) return false;
    return Number(await next.getAttribute("aria-level")) > Number(await row.getAttribute("aria-level"));
  }

  async #walkDownTo(row: Locator): Promise<boolean> {
    const reached = row.and(this.#page.locator(".focused"));
    for (let last: string | null = null; ;) {
      if ((await reached.count()) > 0) return true;
      const focused = await this.tree.getAttribute("aria-activedescendant");
      if (focused === null || focused === last) return false;
      last = focused;
      await this.#page.keyboard.press("ArrowDown");
    }
  }
}

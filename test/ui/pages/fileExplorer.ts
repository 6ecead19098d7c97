import type { Locator, Page } from "playwright-core";

import { CommandPalette } from "./commandPalette.ts";
import { hasFocus } from "./hands.ts";
import { appears, until } from "./waiting.ts";

const oneTryMs = 5_000;
const workspaceWithinMs = 120_000;

/** The editor's own tree of the workspace's folders and files, walked by keyboard. */
export class FileExplorer {
  readonly tree: Locator;
  readonly #page: Page;

  constructor(page: Page) {
    this.#page = page;
    this.tree = page.getByRole("tree", { name: "Files Explorer" });
  }

  /** Opens it by its command. */
  async open(): Promise<void> {
    await new CommandPalette(this.#page).run("View: Show Explorer");
    await this.tree.waitFor();
  }

  /**
   * Opens it in a window that just opened a workspace. The editor in a browser at times opens one without its folders,
   * ordinary ones, too: it shows them once the window is loaded again.
   */
  async openWorkspace(loadAgain: () => Promise<void>): Promise<void> {
    await until(
      "the explorer shows the workspace",
      async () => {
        await new CommandPalette(this.#page).run("View: Show Explorer");
        if (await appears(this.tree, oneTryMs)) return true;
        await loadAgain();
        return false;
      },
      workspaceWithinMs,
    );
  }

  /** The row of a folder or file, as far as it is scrolled into view. */
  row(name: string): Locator {
    return this.tree.getByRole("treeitem", { name, exact: true });
  }

  /** The names in view below a folder, from the top; only what stands directly in it. */
  async below(folder: string): Promise<string[]> {
    const level = Number(await this.row(folder).getAttribute("aria-level"));
    const rows = await this.tree.getByRole("treeitem").all();
    const names: string[] = [];
    let isBelow = false;
    for (const row of rows) {
      const [name, depth] = [await row.innerText(), Number(await row.getAttribute("aria-level"))];
      if (depth <= level) isBelow = name === folder;
      else if (isBelow && depth === level + 1) names.push(name);
    }
    return names;
  }

  /** Shows what a folder holds, and waits for the first of it. */
  async expand(folder: string): Promise<void> {
    await this.#turn(folder, "ArrowRight", "true");
    await until(`"${folder}" shows what it holds`, async () => (await this.below(folder)).length > 0);
  }

  /** Hides what a folder holds. */
  async collapse(folder: string): Promise<void> {
    await this.#turn(folder, "ArrowLeft", "false");
  }

  /** Shows a file and leaves the focus here. */
  async show(file: string): Promise<void> {
    await this.#goTo(file);
    await this.#page.keyboard.press("Space");
  }

  async #turn(folder: string, key: string, expanded: string): Promise<void> {
    await this.row(folder).waitFor();
    await until(`"${folder}" is turned by ${key}`, async () => {
      if ((await this.row(folder).getAttribute("aria-expanded")) === expanded) return true;
      await this.#goTo(folder);
      await this.#page.keyboard.press(key);
      return false;
    });
  }

  async #goTo(name: string): Promise<void> {
    const row = this.row(name);
    await row.waitFor();
    if (!(await hasFocus(this.tree))) await this.open();
    await this.#page.keyboard.press("Home");
    await until(`"${name}" has the focus`, async () => {
      if (/\bfocused\b/.test((await row.getAttribute("class")) ?? "")) return true;
      await this.#page.keyboard.press("ArrowDown");
      return false;
    });
  }
}

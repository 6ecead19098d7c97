import type { FrameLocator, Locator, Page } from "playwright-core";

import { hasFocus, Keyboard, pressShortcut } from "./hands.ts";
import { until } from "./waiting.ts";
import { RunPanel } from "./runPanel.ts";

/** What is used of the page's elements; the tests' own code knows no DOM. */
interface Readable {
  readonly textContent: string;
  cloneNode(deep: boolean): Readable;
  getAttribute(name: string): string;
  querySelectorAll(selector: string): Iterable<{ remove(): void }>;
}

interface Scroll {
  readonly scrollTop: number;
  readonly clientHeight: number;
  readonly scrollHeight: number;
}

/** What was said in the run panel on show, as far as one scrolls. */
export class Transcript {
  readonly #page: Page;

  constructor(page: Page) {
    this.#page = page;
  }

  /** How much a search found. */
  get found(): Locator {
    return this.#frame.locator(".find-count");
  }

  /** The row that has the focus. */
  get rowAtHand(): Locator {
    return this.#frame.locator("[data-row]:focus");
  }

  /** Pieces of code in the colours of their language. */
  get coloured(): Locator {
    return this.#frame.locator("[class^=code-]:not(.code-block, .code-head, .code-tools)");
  }

  /** Looks for words in it. */
  async find(text: string): Promise<void> {
    await this.#page.keyboard.press("ControlOrMeta+F");
    await new Keyboard(this.#page).write(this.#frame.getByLabel("Search in the transcript"), text);
  }

  /** Everything of the transcript, row by row from the top, without what tells the time. */
  async text(): Promise<string[]> {
    await this.toStart();
    const seen = new Map<string, string>();
    for (let readings = 0; readings < 2;) {
      const known = seen.size;
      const atEnd = await this.#atEnd();
      for (const [id, text] of await this.#rows()) seen.set(id, text);
      readings = atEnd && seen.size === known ? readings + 1 : 0;
      if (!atEnd) await this.#pageDown();
    }
    return [...seen.values()].filter((row) => row !== "");
  }

  /** Goes to the start of the transcript, also when it was about to follow its end. */
  async toStart(): Promise<void> {
    await this.#enter();
    await until("the start of the transcript is in sight", async () => {
      await this.#page.keyboard.press("Home");
      return (await this.#scroll()).scrollTop === 0;
    });
  }

  /** Goes to the end of the transcript. */
  async toEnd(): Promise<void> {
    await this.#enter();
    await this.#page.keyboard.press("End");
    await until("the end of the transcript is in sight", () => this.#atEnd());
  }

  /** Waits until a row that says this has the focus. */
  async inFront(text: RegExp): Promise<void> {
    await this.#frame.locator("[data-row]:focus").filter({ hasText: text }).waitFor();
  }

  /** The rows on show that say this. */
  row(text: RegExp): Locator {
    return this.#frame.locator("[data-row]").filter({ hasText: text });
  }

  /** The rows on show, each by its id; the list holds only what is in sight. */
  async #rows(): Promise<[string, string][]> {
    return this.#frame.locator("[data-row]").evaluateAll((elements: Readable[]) =>
      elements.map((element) => {
        const copy = element.cloneNode(true);
        for (const fact of copy.querySelectorAll(".fact")) fact.remove();
        return [element.getAttribute("data-row"), copy.textContent.replace(/\s+/g, " ").trim()];
      }),
    );
  }

  /** By way of the last message: Escape leaves a row for the whole. */
  async #enter(): Promise<void> {
    const entered = this.#region.and(this.#frame.locator(":focus-within"));
    await pressShortcut(this.#page, "Agents: Focus Last Message", () => entered.isVisible());
    await until("the transcript has the focus", async () => {
      if (await hasFocus(this.#region)) return true;
      await this.#page.keyboard.press("Escape");
      return false;
    });
  }

  async #pageDown(): Promise<void> {
    const { scrollTop } = await this.#scroll();
    await this.#page.keyboard.press("PageDown");
    await until("more is in sight", async () => {
      return (await this.#scroll()).scrollTop !== scrollTop || (await this.#atEnd());
    });
  }

  async #atEnd(): Promise<boolean> {
    const { scrollTop, clientHeight, scrollHeight } = await this.#scroll();
    return scrollTop + clientHeight > scrollHeight - 2;
  }

  async #scroll(): Promise<Scroll> {
    return this.#region.evaluate(({ scrollTop, clientHeight, scrollHeight }: Scroll) => ({
      scrollTop,
      clientHeight,
      scrollHeight,
    }));
  }

  get #region(): Locator {
    return this.#frame.getByRole("region", { name: "Transcript" });
  }

  get #frame(): FrameLocator {
    return new RunPanel(this.#page).frame();
  }
}

import { deepEqual } from "node:assert/strict";

import type { Page } from "playwright-core";

import type { FromWebview, PanelState, ToWebview } from "../../src/run/panel/messages.ts";
import type { Entry, TranscriptPatch } from "../../src/run/panel/transcript.ts";
import { until } from "../support/until.ts";
import type { Theme } from "./pageServer.ts";
import { type Opening, Tab } from "./tab.ts";

/** The run panel's page in a browser, with this object in the host's place; it can be opened again and again. */
export class PanelPage {
  #tab: Tab | undefined;
  #revision = 0;

  /** The browser's page. */
  get page(): Page {
    return this.#opened.page;
  }

  /** Errors and refusals of the content policy that the page logged. */
  get complaints(): readonly string[] {
    return this.#opened.complaints;
  }

  /** Addresses that the page asked for outside its own server. */
  get strayRequests(): readonly string[] {
    return this.#opened.strayRequests;
  }

  /** Opens a page that remembers nothing. */
  async open(opening: Opening = {}): Promise<void> {
    this.#tab = await Tab.take(opening);
    this.#revision = 0;
    await this.#tab.visit("run");
  }

  /** Changes the theme of the page that is open, as the editor does. */
  async wear(theme: Theme): Promise<void> {
    await this.#opened.wear(theme);
    await this.settled();
  }

  /** Leaves the page; one that complained fails its test. */
  async close(): Promise<void> {
    const tab = this.#tab;
    this.#tab = undefined;
    await tab?.leave();
    deepEqual(tab?.complaints ?? [], []);
  }

  /** Shows a whole state, as the answer to `ready`. */
  async show(state: PanelState, entries: readonly Entry[]): Promise<void> {
    this.#revision += 1;
    await this.deliver({ type: "snapshot", revision: this.#revision, state, entries });
    await this.painted();
  }

  /** Changes the transcript and waits until the change was painted. */
  async patch(change: Partial<TranscriptPatch>, events = 0): Promise<void> {
    this.#revision += 1;
    const patch = { set: [], append: [], ...change };
    await this.deliver({ type: "patch", revision: this.#revision, patch, events });
    await this.painted();
  }

  /** Appends texts to an entry, one in each frame, and waits until the last one was painted. */
  async stream(id: string, texts: readonly string[], events = 0): Promise<void> {
    const patches = texts.map((text) => {
      this.#revision += 1;
      return { type: "patch", revision: this.#revision, events, patch: { set: [], append: [{ id, text }] } };
    });
    await this.page.evaluate(`(async () => {
      for (const patch of ${JSON.stringify(patches)}) {
        panelHost.deliver(patch);
        await new Promise(requestAnimationFrame);
      }
    })()`);
    await this.painted();
  }

  /** Posts one message to the page. */
  async deliver(message: ToWebview): Promise<void> {
    await this.page.evaluate(`panelHost.deliver(${JSON.stringify(message)})`);
  }

  /** What the page posted of one type, oldest first. */
  async posted<Type extends FromWebview["type"]>(
    type: Type,
  ): Promise<Extract<FromWebview, { type: Type }>[]> {
    const all: FromWebview[] = await this.page.evaluate("panelHost.posted");
    return all.filter((request): request is Extract<FromWebview, { type: Type }> => request.type === type);
  }

  /** Waits for the page to post a message of a type that it had posted `before` times, and gives the newest. */
  async next<Type extends FromWebview["type"]>(
    type: Type,
    before = 0,
  ): Promise<Extract<FromWebview, { type: Type }>> {
    await until(`a message ${type}`, async () => (await this.posted(type)).length > before);
    return (await this.posted(type)).at(-1)!;
  }

  /** Waits until the last revision is on the screen. */
  async painted(): Promise<void> {
    const revision = this.#revision;
    await until(`revision ${revision} on the screen`, async () =>
      (await this.posted("painted")).some((request) => request.revision === revision),
    );
  }

  /** Waits until everything that was delivered, pressed or typed so far is drawn. */
  async settled(): Promise<void> {
    await this.page.evaluate(`new Promise((drawn) => {
      addEventListener("message", () => requestAnimationFrame(() => setTimeout(drawn)), { once: true });
      panelHost.deliver("nothing");
    })`);
  }

  /** Reloads the page, as the editor does when its tab is moved or shown again. */
  async reload(): Promise<void> {
    await this.page.reload();
  }

  get #opened(): Tab {
    if (this.#tab === undefined) throw new Error("The page is only open while a test runs.");
    return this.#tab;
  }
}

/** Gives each test of the enclosing `describe` a page that remembers nothing. */
export function usePanel(opening: Opening = {}): PanelPage {
  const panel = new PanelPage();
  beforeEach("open the page", () => panel.open(opening));
  afterEach("close the page", async function () {
    // What a failed test did to its tab stays away from the others.
    if (this.currentTest?.state === "passed") await panel.close();
  });
  return panel;
}

import { deepEqual } from "node:assert/strict";
import { existsSync } from "node:fs";
import { join } from "node:path";

import type { Browser, Page } from "playwright-core";

import type { FromWebview, PanelState, ToWebview } from "../../src/run/panel/messages.ts";
import type { Entry, TranscriptPatch } from "../../src/run/panel/transcript.ts";
import { launchBrowser } from "../host/browser.ts";
import { type PageServer, servePage, type Theme } from "./pageServer.ts";
import { until } from "../support/until.ts";

/** How a page is opened. */
export interface Opening {
  readonly theme?: Theme;
  readonly width?: number;
  readonly height?: number;
  /** Emulates the system's forced colours. */
  readonly forcedColors?: boolean;
}

/** The run panel's page in a browser, with this object in the host's place; it can be opened again and again. */
export class PanelPage {
  /** Errors and refusals of the content policy that the page logged. */
  readonly complaints: string[] = [];
  /** Addresses that the page asked for outside its own server. */
  readonly strayRequests: string[] = [];
  #page: Page | undefined;
  #revision = 0;

  /** The browser's page. */
  get page(): Page {
    if (this.#page === undefined) throw new Error("The page is only open while a test runs.");
    return this.#page;
  }

  /** Opens a fresh page that remembers nothing. */
  async open({ browser, server }: Bench, opening: Opening = {}): Promise<void> {
    const context = await browser.newContext({
      viewport: { width: opening.width ?? 1000, height: opening.height ?? 800 },
      forcedColors: opening.forcedColors === true ? "active" : "none",
      reducedMotion: "reduce",
    });
    this.#page = await context.newPage();
    this.#revision = 0;
    this.complaints.length = 0;
    this.strayRequests.length = 0;
    const url = server.url(opening.theme ?? "dark");
    this.#listen(this.#page, new URL(url).origin);
    await this.#page.goto(url);
  }

  async close(): Promise<void> {
    const page = this.#page;
    this.#page = undefined;
    await page?.context().close();
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

  #listen(page: Page, origin: string): void {
    page.on("pageerror", (error) => this.complaints.push(String(error)));
    page.on("console", (message) => {
      if (message.type() === "error") this.complaints.push(message.text());
    });
    page.on("request", (request) => {
      if (!request.url().startsWith(origin)) this.strayRequests.push(request.url());
    });
  }
}

/** Gives each test of the enclosing `describe` a page of its own; a page that complains fails its test. */
export function usePanel(opening: Opening = {}): PanelPage {
  const panel = new PanelPage();
  let bench: Bench;
  before("start the bench", async () => {
    bench = await startBench();
  });
  after("end the bench", () => bench.close());
  beforeEach("open the page", () => panel.open(bench, opening));
  afterEach("close the page", async () => {
    await panel.close();
    deepEqual(panel.complaints, []);
  });
  return panel;
}

/** The browser, and the server that one test file uses. */
export interface Bench {
  readonly browser: Browser;
  readonly server: PageServer;
  /** Ends the server and every page; the browser is there for the next one. */
  close(): Promise<void>;
}

/** The browser of this process: it is started once, however many files use it. */
let browserOfAll: Promise<Browser> | undefined;

/** Ends the browser, where one was started. */
export async function endBrowser(): Promise<void> {
  const browser = browserOfAll;
  browserOfAll = undefined;
  await (await browser)?.close();
}

// A benchmark ends it by itself.
if ("after" in globalThis) after("end the browser", endBrowser);

/** Serves the built page to a browser. */
export async function startBench(): Promise<Bench> {
  if (!existsSync(join(import.meta.dirname, "../../dist/webview.js"))) {
    throw new Error("The page is not built: run npm run build first.");
  }
  // One that died took down one file's tests, and no others.
  if ((await browserOfAll)?.isConnected() !== true) browserOfAll = launchBrowser();
  const [browser, server] = await Promise.all([browserOfAll!, servePage()]);
  return {
    browser,
    server,
    close: async () => {
      await Promise.all(browser.contexts().map((context) => context.close()));
      await server.close();
    },
  };
}

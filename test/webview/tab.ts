import { existsSync } from "node:fs";
import { join } from "node:path";

import type { Browser, Page } from "playwright-core";

import { launchBrowser } from "../host/browser.ts";
import { bodyClasses, type PageName, type PageServer, servePage, type Theme } from "./pageServer.ts";

/** How a page is opened. */
export interface Opening {
  readonly theme?: Theme;
  readonly width?: number;
  readonly height?: number;
  /** Emulates the system's forced colours. */
  readonly forcedColors?: boolean;
}

/** What all tests of this process use: it is started once, however many files they are in. */
let bench: Promise<{ readonly browser: Browser; readonly server: PageServer }> | undefined;
/** Tabs that no test uses now. */
const left: Page[] = [];
let visits = 0;

/** A tab of the browser, for one of the extension's pages. */
export class Tab {
  readonly page: Page;
  /** Errors and refusals of the content policy that the page logged. */
  readonly complaints: string[] = [];
  /** Addresses that the page asked for outside its own server. */
  readonly strayRequests: string[] = [];
  readonly #server: PageServer;
  readonly #theme: Theme;

  private constructor(page: Page, server: PageServer, theme: Theme) {
    this.page = page;
    this.#server = server;
    this.#theme = theme;
    page.on("pageerror", (error) => this.complaints.push(String(error)));
    page.on("console", (message) => {
      if (message.type() === "error") this.complaints.push(message.text());
    });
    page.on("request", (request) => {
      if (!request.url().startsWith(server.origin)) this.strayRequests.push(request.url());
    });
  }

  /** Takes a tab that a test has left, for a new one starts a process and compiles the page again. */
  static async take({
    theme = "dark",
    width = 1000,
    height = 800,
    forcedColors = false,
  }: Opening): Promise<Tab> {
    const { browser, server } = await startBench();
    const page = left.pop() ?? (await browser.newPage());
    await page.setViewportSize({ width, height });
    await page.emulateMedia({ forcedColors: forcedColors ? "active" : "none", reducedMotion: "reduce" });
    return new Tab(page, server, theme);
  }

  /** Opens a page that remembers nothing, but for its reloads. */
  async visit(name: PageName): Promise<void> {
    visits += 1;
    await this.page.goto(`${this.#server.url(this.#theme, name)}&visit=${visits}`);
  }

  /** Changes the theme of the page that is open. */
  async wear(theme: Theme): Promise<void> {
    await this.page.evaluate(`new Promise((worn) => {
      document.body.className = ${JSON.stringify(bodyClasses[theme])};
      const sheet = document.querySelector("link[href^='/themes/']");
      const next = sheet.cloneNode();
      next.href = "/themes/${theme}.css";
      next.onload = worn;
      sheet.replaceWith(next);
    })`);
  }

  async leave(): Promise<void> {
    for (const event of ["pageerror", "console", "request"] as const) this.page.removeAllListeners(event);
    // Else the next page begins with the pointer over it.
    await this.page.mouse.move(-1, -1);
    left.push(this.page);
  }
}

/** Ends the browser, where one was started. */
export async function endBrowser(): Promise<void> {
  const started = await bench;
  bench = undefined;
  left.length = 0;
  await started?.browser.close();
  await started?.server.close();
}

// A benchmark ends it by itself.
if ("after" in globalThis) after("end the browser", endBrowser);

async function startBench(): Promise<{ readonly browser: Browser; readonly server: PageServer }> {
  if (!existsSync(join(import.meta.dirname, "../../dist/webview.js"))) {
    throw new Error("The page is not built: run npm run build first.");
  }
  // One that died takes down one test, and no others.
  if ((await bench)?.browser.isConnected() === false) await endBrowser();
  bench ??= Promise.all([launchBrowser(), servePage()]).then(([browser, server]) => ({ browser, server }));
  return bench;
}

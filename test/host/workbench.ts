import type { Page } from "playwright-core";

import { listProcesses, processesBelow } from "../../src/editor/kit/nodeProcess.ts";
import { recordFailure } from "./failureRecord.ts";
import { endEditor, leaveEditor, type OpenEditor, openEditor, type WorkbenchOptions } from "./openEditor.ts";
import type { Profile } from "./profile.ts";
import { tellStoryAnew } from "./storyAnew.ts";

const openDeadlineMs = 300_000;
const agentsButton = '.part.activitybar a[aria-label^="Agents"]';

/** A real workbench in a browser, with the packaged extension, a profile and a server of its own. */
export class Workbench {
  readonly #options: WorkbenchOptions;
  readonly #consoleLines: string[] = [];
  #opened: OpenEditor | undefined;
  #hasFailed = false;

  constructor(options: WorkbenchOptions = {}) {
    this.#options = options;
  }

  /** The workbench's page. */
  get page(): Page {
    return this.#current.page;
  }

  /** The server's address, without a trailing slash. */
  get baseUrl(): string {
    return this.#current.server.baseUrl;
  }

  /** The editor server's process id. */
  get pid(): number {
    return this.#current.server.pid;
  }

  /** The folders of settings, extensions, workspace and logs. */
  get profile(): Profile {
    return this.#current.profile;
  }

  /** Starts the editor and waits until its window can be used. */
  async open(): Promise<void> {
    this.#opened = await openEditor(this.#options);
    const { page } = this.#opened;
    page.on("console", (message) => this.#consoleLines.push(`${message.type()} ${message.text()}`));
    page.on("pageerror", (error) => this.#consoleLines.push(`page error ${error.message}`));
    await this.#goTo(page);
  }

  /** Opens a second window of the same user on the same folder. */
  async openAnother(): Promise<Page> {
    const page = await this.#current.context.newPage();
    await this.#goTo(page);
    return page;
  }

  /** Reloads the page at once, as F5 in the browser does: the editor may not have saved its last layout. */
  async reload(): Promise<void> {
    await this.page.reload({ timeout: 120_000 });
    await usable(this.page);
  }

  /** Waits for the reload that a command of the editor's own brings about. */
  async reloadedBy(command: () => Promise<void>): Promise<void> {
    const loaded = this.page.waitForEvent("load", { timeout: 120_000 });
    await command();
    await loaded;
    await usable(this.page);
  }

  /** Does something while the extensions hear of nothing, as on a busy machine. */
  async whileExtensionsAreBusy(work: () => Promise<void>): Promise<void> {
    const all = processesBelow(await listProcesses(), this.pid);
    const hosts = all.filter(({ command }) => command.includes("--type=extensionHost"));
    for (const { pid } of hosts) process.kill(pid, "SIGSTOP");
    try {
      await work();
    } finally {
      for (const { pid } of hosts) process.kill(pid, "SIGCONT");
    }
  }

  /** Saves a picture and the logs of a failure under the test's title. */
  async record(title: string): Promise<void> {
    this.#hasFailed = true;
    const opened = this.#opened;
    if (opened !== undefined)
      await recordFailure("ui", title, opened.profile, opened.page, this.#consoleLines);
  }

  /** Leaves the editor to the next one, or ends it where something failed in it. */
  async close(): Promise<void> {
    const opened = this.#opened;
    const failed = this.#hasFailed;
    this.#opened = undefined;
    this.#hasFailed = false;
    if (opened !== undefined) await (failed ? endEditor(opened) : leaveEditor(opened));
  }

  async #goTo(page: Page): Promise<void> {
    const { profile, server } = this.#current;
    const query = new URLSearchParams({ folder: profile.workspace });
    await page.goto(`${server.baseUrl}/?${query.toString()}`, { timeout: 120_000 });
    await usable(page);
  }

  get #current(): OpenEditor {
    if (this.#opened === undefined) throw new Error("The workbench is only open while tests run.");
    return this.#opened;
  }
}

async function usable(page: Page): Promise<void> {
  for (const part of [agentsButton, ".part.statusbar .statusbar-item"]) {
    await page.locator(part).first().waitFor({ timeout: 120_000 });
  }
}

/**
 * Gives the tests of the enclosing `describe` a workbench, in which each goes on where the one before it ended, and
 * records every failure among them.
 */
export function useWorkbench(options: WorkbenchOptions = {}): Workbench {
  const workbench = new Workbench(options);
  let isPrepared = false;
  before("open the workbench", async function () {
    this.timeout(openDeadlineMs);
    await workbench.open();
  });
  beforeEach(() => {
    isPrepared = true;
  });
  afterEach("record a failure, and begin anew for another attempt", async function () {
    const test = this.currentTest;
    if (test === undefined || test.state === "passed") return;
    await workbench.record(test.fullTitle());
    // An attempt that will be followed by another one has no state.
    if (test.state !== undefined) return;
    await tellStoryAnew(this, test).catch(async (error: unknown) => {
      await workbench.record(`${test.fullTitle()} anew`);
      throw error;
    });
  });
  after("close the workbench", async function () {
    this.timeout(openDeadlineMs);
    // A hook failed, which is no test whose failure could be recorded.
    if (!isPrepared) await workbench.record(`${this.test?.parent?.fullTitle() ?? ""} preparation`);
    await workbench.close();
  });
  return workbench;
}

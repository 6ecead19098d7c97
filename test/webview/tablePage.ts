import type { Browser, Page } from "playwright-core";

import { ShownTable } from "../../src/editor/parquet/shownTable.ts";
import { TableReader } from "../../src/editor/parquet/tableReader.ts";
import { tableRequestOf } from "../../src/editor/parquet/tableRequest.ts";
import type { FromTable, TableFacts, ToTable } from "../../src/table/messages.ts";
import { readerProgram } from "../support/readerProgram.ts";
import type { Opening } from "./panelPage.ts";
import type { PageServer } from "./pageServer.ts";

/** The table's page in a browser, answered from the bytes of a real file. */
export class TablePage {
  readonly page: Page;
  readonly requests: FromTable[] = [];
  /** What was copied. */
  readonly copied: string[] = [];
  readonly complaints: string[] = [];
  readonly strayRequests: string[] = [];
  /** What asks to go through the rows is not answered. */
  holds = false;
  readonly #table: TableReader;
  readonly #facts: TableFacts;
  readonly #shown: ShownTable;

  private constructor(page: Page, table: TableReader, facts: TableFacts, origin: string) {
    this.page = page;
    this.#table = table;
    this.#facts = facts;
    this.#shown = new ShownTable(table, facts, {
      send: (message) => void this.deliver(message),
      copy: (text) => Promise.resolve(void this.copied.push(text)),
    });
    page.on("pageerror", (error) => this.complaints.push(String(error)));
    page.on("console", (message) => {
      if (message.type() === "error") this.complaints.push(message.text());
    });
    page.on("request", (request) => {
      if (!request.url().startsWith(origin)) this.strayRequests.push(request.url());
    });
  }

  static async open(
    browser: Browser,
    server: PageServer,
    bytes: Uint8Array,
    opening: Opening = {},
  ): Promise<TablePage> {
    const table = new TableReader({ name: "spans.parquet", bytes }, { program: readerProgram });
    const facts = await table.facts();
    const context = await browser.newContext({
      viewport: { width: opening.width ?? 1000, height: opening.height ?? 700 },
      forcedColors: opening.forcedColors === true ? "active" : "none",
      reducedMotion: "reduce",
    });
    const url = server.url(opening.theme ?? "dark", "table");
    const opened = new TablePage(await context.newPage(), table, facts, new URL(url).origin);
    const { page } = opened;
    await page.exposeFunction("askHost", (message: unknown) => opened.#answer(message));
    await page.goto(url);
    return opened;
  }

  async close(): Promise<void> {
    this.#table.close();
    await this.page.context().close();
  }

  /** The text of a cell that is on the screen; rows and columns count from 0. */
  async cell(row: number, column: number): Promise<string> {
    return this.page.locator(`#cell-${row}-${column}`).innerText();
  }

  /** The active cell as "row column". */
  async active(): Promise<string> {
    const id = await this.page.getByRole("grid").getAttribute("aria-activedescendant");
    return (id ?? "").replace("cell-", "").replace("-", " ");
  }

  /** How wide a column is on the screen, in pixels. */
  async width(column: number): Promise<number> {
    const box = await this.page.locator(`#cell-0-${column}`).boundingBox();
    return box?.width ?? 0;
  }

  /** Posts a message to the page. */
  async deliver(message: ToTable): Promise<void> {
    await this.page.evaluate(`panelHost.deliver(${JSON.stringify(message)})`);
  }

  async #answer(message: unknown): Promise<void> {
    const request = tableRequestOf(message, this.#facts);
    if (request === undefined) throw new Error(`The page posted ${JSON.stringify(message)}`);
    this.requests.push(request);
    if (this.holds && (request.type === "arrange" || request.type === "find")) return;
    await this.#shown.answer(request);
  }
}

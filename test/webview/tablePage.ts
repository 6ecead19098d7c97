import type { Page } from "playwright-core";

import { ShownTable } from "../../src/editor/parquet/shownTable.ts";
import { TableReader } from "../../src/editor/parquet/tableReader.ts";
import { tableRequestOf } from "../../src/editor/parquet/tableRequest.ts";
import type { FromTable, TableFacts, ToTable } from "../../src/table/messages.ts";
import { shippedReader } from "../support/readerProgram.ts";
import type { Theme } from "./pageServer.ts";
import { type Opening, Tab } from "./tab.ts";

/** The table's page in a browser, answered from the bytes of a real file. */
export class TablePage {
  readonly page: Page;
  readonly complaints: readonly string[];
  readonly strayRequests: readonly string[];
  readonly requests: FromTable[] = [];
  /** What was copied. */
  readonly copied: string[] = [];
  /** What asks to go through the rows is not answered. */
  holds = false;
  /** How often other keys were asked for. */
  keysWanted = 0;
  readonly #tab: Tab;
  readonly #table: TableReader;
  readonly #facts: TableFacts;
  readonly #shown: ShownTable;
  #host: { dispose(): Promise<void> } | undefined;

  private constructor(tab: Tab, table: TableReader, facts: TableFacts) {
    this.#tab = tab;
    ({ page: this.page, complaints: this.complaints, strayRequests: this.strayRequests } = tab);
    this.#table = table;
    this.#facts = facts;
    this.#shown = new ShownTable(table, facts, {
      send: (message) => void this.deliver(message),
      copy: (text) => Promise.resolve(void this.copied.push(text)),
    });
  }

  static async open(bytes: Uint8Array, opening: Opening = {}): Promise<TablePage> {
    const table = new TableReader({ name: "spans.parquet", bytes }, { program: shippedReader });
    const facts = await table.facts();
    const tab = await Tab.take({ height: 700, ...opening });
    const opened = new TablePage(tab, table, facts);
    opened.#host = await tab.page.exposeFunction("askHost", (message: unknown) => opened.#answer(message));
    await tab.visit("table");
    return opened;
  }

  async close(): Promise<void> {
    this.#table.close();
    await this.#host?.dispose();
    await this.#tab.leave();
  }

  /** Changes the theme of the page that is open, as the editor does. */
  async wear(theme: Theme): Promise<void> {
    await this.#tab.wear(theme);
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
    if (JSON.stringify(message) === '{"type":"otherKeys"}') {
      this.keysWanted += 1;
      return;
    }
    const request = tableRequestOf(message, this.#facts);
    if (request === undefined) throw new Error(`The page posted ${JSON.stringify(message)}`);
    this.requests.push(request);
    if (this.holds && (request.type === "arrange" || request.type === "find")) return;
    await this.#shown.answer(request);
  }
}

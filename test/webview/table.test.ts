import assert from "node:assert/strict";
import { readFile } from "node:fs/promises";
import { createRequire } from "node:module";

import { parquetFile } from "../support/parquetFile.ts";
import { startBench } from "./panelPage.ts";
import { until } from "../support/until.ts";
import type { Bench, Opening } from "./panelPage.ts";
import { TablePage } from "./tablePage.ts";

const rows = 100_000;
/** Of one group, so that a person can stop between two. */
const rowGroupSize = 20_000;
const hostile = `<img src=x onerror="alert(1)"><script>alert(2)</script>[a](command:evil) \u202egnp.exe`;

/** Spans as an export has them, with more columns than fit. */
function spans(): Uint8Array {
  const numbers = Array.from({ length: rows }, (_, index) => index);
  const text = { type: "BYTE_ARRAY", converted_type: "UTF8" } as const;
  return parquetFile(
    [
      { name: "id", data: numbers.map((index) => `span-${index}`), element: text },
      { name: "total_tokens", data: numbers, element: { type: "INT32" } },
      { name: "is_root", data: numbers.map((index) => index % 2 === 0), element: { type: "BOOLEAN" } },
      {
        name: "start_time",
        data: numbers.map((index) => BigInt(1_780_000_000_000_000 + index)),
        element: {
          type: "INT64",
          logical_type: { type: "TIMESTAMP", isAdjustedToUTC: true, unit: "MICROS" },
        },
      },
      {
        name: "inputs",
        data: numbers.map((index) =>
          JSON.stringify({ messages: [{ role: "user", content: `Question ${index}` }] }),
        ),
        element: text,
      },
      { name: "error", data: numbers.map((index) => (index === 1 ? hostile : null)), element: text },
      ...["trace_id", "session_id", "dotted_order"].map((name) => ({
        name,
        data: numbers.map((index) => `${name} ${index}`),
        element: text,
      })),
    ],
    { rowGroupSize },
  );
}

/** In how many cells a text of figures, or of a span's id, stands. */
function matches(text: string): number {
  return Array.from(
    { length: rows },
    (_, index) =>
      [
        `span-${index}`,
        `${index}`,
        new Date(1_780_000_000_000 + Math.floor(index / 1000)).toISOString().slice(0, -1) +
          `${index}`.slice(-3).padStart(3, "0"),
        `Question ${index}`,
        ...["trace_id", "session_id", "dotted_order"].map((name) => `${name} ${index}`),
      ].filter((cell) => cell.includes(text)).length,
  ).reduce((sum, found) => sum + found, 0);
}

/** A search as the page is told of it, the page's second one: what it asks of nothing is the first. */
const soFar = { type: "found", search: 2, full: false, cut: false, unread: [] } as const;

describe("The table of a Parquet file", function () {
  this.timeout(60_000);
  let bench: Bench;
  let axe: string;
  const file = spans();

  before(async () => {
    bench = await startBench();
    axe = await readFile(createRequire(import.meta.url).resolve("axe-core/axe.min.js"), "utf8");
  });
  after(() => bench.close());

  const inTable = async (opening: Opening, use: (table: TablePage) => Promise<void>, bytes = file) => {
    const table = await TablePage.open(bench.browser, bench.server, bytes, opening);
    await until("the first cell", async () => (await table.page.locator("#cell-0-0 .value").count()) === 1);
    await use(table);
    assert.deepEqual([table.complaints, table.strayRequests], [[], []]);
    await table.close();
  };
  const press = async (table: TablePage, key: string, active: string): Promise<void> => {
    await table.page.keyboard.press(key);
    await until(`the cell ${active} after ${key}`, async () => (await table.active()) === active);
  };

  it("shows what the file is, typed columns, and only the rows in view as elements", () =>
    inTable({}, async (table) => {
      const { page } = table;
      await page.getByText("100,000 rows · 9 columns").waitFor();
      const grid = page.getByRole("grid");
      assert.equal(await grid.getAttribute("aria-rowcount"), "100001");
      assert.deepEqual((await page.getByRole("columnheader").allInnerTexts()).slice(1, 5), [
        "id\nstring",
        "total_tokens\nint32",
        "is_root\nboolean",
        "start_time\ntimestamp µs UTC",
      ]);
      assert.equal(await table.cell(3, 3), "2026-05-28T20:26:40.000003Z");
      assert.ok((await page.getByRole("row").count()) < 60);
      assert.ok((await page.locator("*").count()) < 1500);
    }));

  it("reads only the cells that come into view", () =>
    inTable({ width: 700 }, async ({ page, requests }) => {
      assert.deepEqual(
        requests
          .filter(({ type }) => type === "read")
          .map((request) => ({ ...request, columns: request.type === "read" && request.columns.length < 5 })),
        [{ type: "read", id: 0, rowStart: 0, rowEnd: 64, columns: true }],
      );
      await page.evaluate("document.querySelector('.grid').scrollTop = 24 * 50000");
      await page.locator("#cell-50004-0").getByText("span-50004").waitFor();
      const reads = requests.flatMap((request) => (request.type === "read" ? [request] : []));
      assert.ok(reads.reduce((sum, { rowStart, rowEnd }) => sum + rowEnd - rowStart, 0) < 1000);
    }));

  it("is walked by keyboard to every corner", () =>
    inTable({}, async (table) => {
      await press(table, "ArrowDown", "1 0");
      await press(table, "ArrowRight", "1 1");
      await press(table, "Control+End", `${rows - 1} 8`);
      assert.equal(await table.page.locator(`#cell-${rows - 1}-8`).isVisible(), true);
      await until(
        "the last cell",
        async () => (await table.cell(rows - 1, 8)) === `dotted_order ${rows - 1}`,
      );
      await press(table, "Home", `${rows - 1} 0`);
      await press(table, "Control+Home", "0 0");
      await table.page.keyboard.press("PageDown");
      await until("a page on", async () => Number((await table.active()).split(" ")[0]) > 15);
      await table.page.getByRole("spinbutton").fill("70000");
      // What comes meanwhile leaves what is being typed.
      await table.deliver({ type: "copied", words: "Copied 1 cell." });
      await table.page.getByText("Copied 1 cell.").waitFor({ state: "attached" });
      await table.page.keyboard.press("Enter");
      await until("row 70,000", async () => (await table.active()) === "69999 0");
      await until("its cell", async () => (await table.cell(69_999, 0)) === "span-69999");
    }));

  it("goes to the row that is typed, and nowhere for what is no row", () =>
    inTable({}, async (table) => {
      const box = table.page.getByRole("spinbutton", { name: "Row" });
      for (const [typed, row] of [
        ["12", "11"],
        ["", "11"],
        ["7.5", "6"],
        ["", "6"],
      ] as const) {
        await box.fill(typed);
        await box.press("Enter");
        await box.blur();
        await until(`row ${row}`, async () => (await table.active()).split(" ")[0] === row);
      }
      assert.equal(await box.inputValue(), "7");
    }));

  it("opens a value with Enter, folds its JSON, copies it, and comes back with Escape", () =>
    inTable({}, async (table) => {
      const { page } = table;
      for (let column = 1; column <= 4; column++) await press(table, "ArrowRight", `0 ${column}`);
      await page.keyboard.press("Enter");
      const tree = page.getByRole("tree", { name: "Value" });
      await tree.getByText("[1 item]").waitFor();
      await page.keyboard.press("Control+c");
      await until("the copy", () => table.copied.length === 1);
      assert.match(table.copied[0]!, /^{"messages"/);
      await tree.locator("[tabindex='0']").focus();
      for (const key of ["ArrowDown", "ArrowRight", "ArrowDown", "ArrowRight"])
        await page.keyboard.press(key);
      await tree.getByText("Question 0").waitFor();
      await page.keyboard.press("ArrowLeft");
      await tree.getByText("Question 0").waitFor({ state: "detached" });
      await page.keyboard.press("Escape");
      await tree.waitFor({ state: "detached" });
      assert.equal(await page.evaluate("document.activeElement.getAttribute('role')"), "grid");
    }));

  it("lets the open value follow the active cell", () =>
    inTable({}, async (table) => {
      await table.page.keyboard.press("Enter");
      await table.page.getByRole("region", { name: "Value of id in row 1" }).getByText("span-0").waitFor();
      await press(table, "ArrowDown", "1 0");
      await table.page.getByRole("region", { name: "Value of id in row 2" }).getByText("span-1").waitFor();
    }));

  it("renders hostile content inert", () =>
    inTable({}, async (table) => {
      await press(table, "ArrowDown", "1 0");
      for (let column = 1; column <= 5; column++) await press(table, "ArrowRight", `1 ${column}`);
      assert.match(await table.cell(1, 5), /^<img src=x onerror/);
      await table.page.keyboard.press("Enter");
      await table.page
        .getByRole("region", { name: /Value of error/ })
        .getByText("[U+202E]")
        .waitFor();
      assert.equal(await table.page.locator("img, a, iframe, script:not([src])").count(), 0);
    }));

  it("stays where it was when its tab is shown again", () =>
    inTable({}, async (table) => {
      await press(table, "Control+ArrowDown", `${rows - 1} 0`);
      await table.page.reload();
      await until("the last row", async () => (await table.active()) === `${rows - 1} 0`);
      await until("its text", async () => (await table.cell(rows - 1, 0)) === `span-${rows - 1}`);
    }));

  it("has columns that are dragged wider, and are as wide when the tab is shown again", () =>
    inTable({}, async (table) => {
      const { page } = table;
      const before = await table.width(0);
      const next = (await page.locator("#cell-0-1").boundingBox())!.x;
      const grip = page.getByRole("columnheader", { name: /^id/ }).locator(".grip");
      const { x, y, width, height } = (await grip.boundingBox())!;
      await page.mouse.move(x + width / 2, y + height / 2);
      await page.mouse.down();
      await page.mouse.move(x + width / 2 + 70, y + height / 2, { steps: 3 });
      await page.mouse.up();
      await page.mouse.move(x + 300, y + height / 2);
      await until("the width", async () => (await table.width(0)) === before + 70);
      assert.equal((await page.locator("#cell-0-1").boundingBox())!.x, next + 70);
      await page.reload();
      await until("the first cell", async () => (await page.locator("#cell-0-0 .value").count()) === 1);
      assert.equal(await table.width(0), before + 70);
    }));

  it("has columns whose width keys change, down to a narrow one, and that fit what is shown", () =>
    inTable({}, async (table) => {
      const { page } = table;
      const before = await table.width(0);
      await page.keyboard.press("+");
      await until("a wider column", async () => (await table.width(0)) === before + 16);
      assert.equal(await table.active(), "0 0");
      for (let press = 0; press < 30; press++) await page.keyboard.press("-");
      await until("the narrowest", async () => (await table.width(0)) === 48);
      await page.keyboard.press("Shift+Enter");
      await until("a column that fits", async () => (await table.width(0)) > 48);
      assert.ok((await table.width(0)) < before);
      const cut = "(({ clientWidth, scrollWidth }) => scrollWidth - clientWidth)";
      assert.equal(await page.evaluate(`${cut}(document.querySelector("#cell-0-0"))`), 0);
      await press(table, "ArrowRight", "0 1");
      await page.locator(".column-head").nth(1).locator(".grip").dblclick();
      await until("the second fits, too", async () => (await table.width(1)) < 120);
    }));

  it("is sorted by a click on a head: ascending, descending and as in the file, each row with its own number", () =>
    inTable({}, async (table) => {
      const { page } = table;
      const head = page.getByRole("columnheader", { name: /^total_tokens/ });
      const state = page.getByRole("status").first();
      const first = async (): Promise<string> =>
        [await page.getByRole("rowheader").first().innerText(), await table.cell(0, 0)].join(" ");
      await head.click();
      await state.getByText("Sorted by total_tokens, ascending, over all 100,000 rows.").waitFor();
      assert.equal(await head.getAttribute("aria-sort"), "ascending");
      await until("the smallest", async () => (await first()) === "1 span-0");
      await head.click();
      await state.getByText("Sorted by total_tokens, descending").waitFor();
      await until("the largest", async () => (await first()) === "100,000 span-99999");
      await page.keyboard.press("Enter");
      await page
        .getByRole("region", { name: "Value of id in row 100,000" })
        .getByText("span-99999")
        .waitFor();
      await page.keyboard.press("Control+c");
      await until("the copy", () => table.copied.join() === "span-99999");
      await page.reload();
      await until("the largest again", async () => (await first()) === "100,000 span-99999");
      await head.click();
      await until("the file's order", async () => (await first()) === "1 span-0");
      assert.equal(await head.getAttribute("aria-sort"), "none");
      assert.equal(await state.innerText(), "The rows are as in the file.");
    }));

  it("is sorted by a key, and shows the rows that were read by the time a person says enough", () =>
    inTable({}, async (table) => {
      const { page } = table;
      await press(table, "ArrowRight", "0 1");
      table.holds = true;
      await page.keyboard.press("s");
      await page.getByText("0 of 100,000 rows read").waitFor();
      await table.deliver({ type: "arranging", id: 1, read: 12_000 });
      await page.getByText("12,000 of 100,000 rows read").waitFor();
      // The order of the file is seen and walked meanwhile.
      await press(table, "ArrowDown", "1 1");
      await page.getByRole("button", { name: "Stop here" }).click();
      await until("it is stopped", () => table.requests.at(-1)?.type === "stop");
      const how = { sort: { column: 1, descending: false } };
      const counts = { rows: 12_000, read: 12_000, bytes: 400_000, cut: 1000 };
      const arranged = { how, ...counts, end: "stopped" } as const;
      await table.deliver({ type: "arranged", id: 1, arranged });
      await page
        .getByText("over the 12,000 rows read so far; the others are not shown. Texts are compared by")
        .waitFor();
      assert.equal(await page.getByRole("grid").getAttribute("aria-rowcount"), "12001");
      table.holds = false;
      await page.getByRole("button", { name: /^Read all rows \(/ }).click();
      await page.getByText("over all 100,000 rows.").waitFor();
      await page.getByRole("button", { name: "Show as in the file" }).click();
      await until("the file's order", async () => (await table.cell(0, 0)) === "span-0");
    }));

  it("is filtered by a key and what is typed, beside its order, and is whole again when the filters go", () =>
    inTable({}, async (table) => {
      const { page } = table;
      const state = page.getByRole("status").first();
      const numbers = async () => (await page.getByRole("rowheader").allInnerTexts()).slice(0, 3).join();
      await press(table, "ArrowRight", "0 1");
      await page.keyboard.press("f");
      const form = page.getByRole("group", { name: "Filter by total_tokens" });
      await form.getByLabel("How it is compared").selectOption("above");
      await page.keyboard.press("Tab");
      await page.keyboard.type("many");
      await form.getByRole("alert").getByText("Enter a number").waitFor();
      await page.keyboard.press("Control+a");
      await page.keyboard.type("99996.5");
      await page.keyboard.press("Enter");
      await state.getByText("3 rows fit, of all 100,000 rows.").waitFor();
      await until("those that fit", async () => (await numbers()) === "99,998,99,999,100,000");
      await until("the table has the focus", () => page.locator(".grid:focus").isVisible());
      assert.equal(await page.getByRole("grid").getAttribute("aria-rowcount"), "4");
      await page.keyboard.press("s");
      await page.keyboard.press("s");
      await state.getByText("Sorted by total_tokens, descending").waitFor();
      await until("the largest first", async () => (await numbers()) === "100,000,99,999,99,998");
      await page.reload();
      await until("the same again", async () => (await numbers()) === "100,000,99,999,99,998");
      // What a cell holds is shown as text wherever it is typed again.
      await page.locator("#cell-0-5").click();
      await page.keyboard.press("f");
      await page.getByLabel("With what it is compared").fill(hostile);
      await page.keyboard.press("Enter");
      await state.getByText("No row fits, of all 100,000 rows.").waitFor();
      await page.keyboard.press("Shift+ArrowDown");
      await page.keyboard.press("Enter");
      assert.equal(await page.locator("[aria-selected='true']").count(), 0);
      await page.getByRole("button", { name: "Remove the filter total_tokens > 99996.5" }).click();
      await state.getByText("1 row fits, of all 100,000 rows.").waitFor();
      await until("the hostile one", async () => (await numbers()) === "2");
      await page.keyboard.press("Escape");
      await page.getByRole("button", { name: "Show as in the file" }).click();
      await until("the file's order", async () => (await numbers()) === "1,2,3");
      await page.getByRole("grid").focus();
      await page.keyboard.press("f");
      await page.keyboard.press("Escape");
      await form.waitFor({ state: "detached" });
    }));

  it("has ranges that mouse and keys select, and that are copied as text, CSV or JSON", () =>
    inTable({}, async (table) => {
      const { page } = table;
      const selected = page.locator("[aria-selected='true']");
      for (const key of ["Shift+ArrowDown", "Shift+ArrowRight"]) await page.keyboard.press(key);
      await page.getByText("4 cells selected").waitFor();
      await until("they are marked", async () => (await selected.count()) === 4);
      await page.keyboard.press("Control+c");
      await page.getByText("Copied 4 cells.").waitFor();
      assert.deepEqual(table.copied, ["span-0\t0\nspan-1\t1"]);
      await page.locator("#cell-0-5").click();
      await page.locator("#cell-1-5").click({ modifiers: ["Shift"] });
      await page.getByRole("button", { name: "Copy as CSV" }).click();
      await until("CSV", () => table.copied.length === 2);
      await page.getByText("Copied 2 cells.").waitFor();
      assert.equal(table.copied[1], `error\r\n\r\n"${hostile.replaceAll('"', '""')}"`);
      await page.locator("#cell-2-1").hover();
      await page.mouse.down();
      await page.locator("#cell-4-2").hover();
      await page.mouse.up();
      await page.getByText("6 cells selected").waitFor();
      await page.getByRole("button", { name: "Copy as JSON" }).click();
      await until("JSON", () => table.copied.length === 3);
      await page.getByText("Copied 6 cells.").waitFor();
      assert.deepEqual(
        JSON.parse(table.copied[2]!),
        [2, 3, 4].map((row) => ({ total_tokens: row, is_root: row % 2 === 0 })),
      );
      await page.getByRole("grid").focus();
      await page.keyboard.press("Control+a");
      await page.getByText("900,000 cells selected").waitFor();
      await page.keyboard.press("Control+c");
      await page.getByText("More than 500,000 cells are not copied at once: select less.").waitFor();
      assert.equal(table.copied.length, 3);
      await page.keyboard.press("Escape");
      await page.getByText("cells selected").waitFor({ state: "detached" });
      await until("one is left", async () => (await selected.count()) === 1);
    }));

  it("is searched in all cells of all rows, to and fro by keys, and has the focus back when that ends", () =>
    inTable({}, async (table) => {
      const { page } = table;
      const box = page.getByRole("textbox", { name: "Search in the table" });
      const counted = (text: string) => page.locator(".find-count").getByText(text).waitFor();
      const at = (place: string) => until(`${place} is led to`, async () => (await table.active()) === place);
      await press(table, "ArrowDown", "1 0");
      await page.keyboard.press("Control+f");
      await page.keyboard.type("9998");
      // Among them cells of times and of JSON: 23 columns and rows have it.
      await counted(`1 of ${matches("9998")}`);
      await at("9998 0");
      await until("it is on the screen", () => page.locator("#cell-9998-0.found.active").isVisible());
      assert.equal(await page.locator(".find-count").textContent(), `1 of ${matches("9998")}, id, row 9,999`);
      await page.keyboard.press("Enter");
      await at("9998 1");
      await page.keyboard.press("Shift+Enter");
      await at("9998 0");
      await page.keyboard.press("Shift+F3");
      await at("99998 8");
      await counted(`${matches("9998")} of ${matches("9998")}`);
      await page.keyboard.press("F3");
      await at("9998 0");
      await page.getByRole("grid").focus();
      await page.keyboard.press("F3");
      await at("9998 1");
      await page.keyboard.press("Control+f");
      await until("the caret is in the box", () => page.locator(".find-bar input:focus").isVisible());
      await page.keyboard.type("no such text");
      await counted("No results");
      assert.equal(await page.locator(".cell.found").count(), 0);
      await page.keyboard.press("Escape");
      await box.waitFor({ state: "detached" });
      await until("the table has the focus", () => page.locator(".grid:focus").isVisible());
      assert.equal(await table.active(), "9998 1");
      // What was looked for is there the next time.
      await page.keyboard.press("Meta+f");
      await until("the text is back", async () => (await box.inputValue()) === "no such text");
      await page.getByRole("button", { name: "Close (Escape)" }).click();
      await box.waitFor({ state: "detached" });
    }));

  it("is searched in the rows that are shown and in their order, which is said", () =>
    inTable({}, async (table) => {
      const { page } = table;
      await press(table, "ArrowRight", "0 1");
      await page.keyboard.press("f");
      await page.getByLabel("How it is compared").selectOption("above");
      await page.getByLabel("With what it is compared").fill("99989");
      await page.keyboard.press("Enter");
      await page.getByText("10 rows fit, of all 100,000 rows.").waitFor();
      await page.keyboard.press("Control+f");
      await page.keyboard.type("SPAN-9999");
      await page.locator(".find-count").getByText("2 of 10").waitFor();
      await page.getByText("Searched: the 10 rows shown.").waitFor();
      await page.getByRole("button", { name: "Match case (Alt+C)" }).click();
      await page.locator(".find-count").getByText("No results").waitFor();
      await page.getByRole("button", { name: "Match case (Alt+C)" }).click();
      await page.locator(".find-count").getByText("2 of 10").waitFor();
      // In another order the same cells are elsewhere.
      await page.getByRole("grid").focus();
      await page.keyboard.press("s");
      await page.keyboard.press("s");
      await page.getByText("Sorted by id, descending").waitFor();
      await page.locator(".find-count").getByText("1 of 10").waitFor();
      await page.keyboard.press("F3");
      await page.locator(".find-count").getByText("2 of 10, id, row 99,999").waitFor();
      assert.equal(await page.locator(".cell.found.active").innerText(), "span-99998");
      await page.getByRole("button", { name: "Show as in the file" }).click();
      await page
        .locator(".find-count")
        .getByText(`of ${matches("span-9999")}`)
        .waitFor();
    }));

  it("says how far it was searched, stops there, and goes through all when asked", () =>
    inTable({}, async (table) => {
      const { page } = table;
      table.holds = true;
      await page.keyboard.press("Control+f");
      await page.keyboard.type("~");
      const cells = [{ row: 5, column: 0 }];
      await table.deliver({ ...soFar, cells, read: 12_000 });
      await page.getByText("Searched so far: 12,000 of 100,000 rows.").waitFor();
      await page.locator(".find-count").getByText("1 of 1…").waitFor();
      await page.getByRole("button", { name: "Stop" }).click();
      await until("it is stopped", () => table.requests.at(-1)?.type === "endFind");
      // What belongs to an earlier search is left.
      await table.deliver({ ...soFar, search: 1, cells: [{ row: 6, column: 0 }], read: 50_000 });
      await table.deliver({ ...soFar, cells: [], read: 13_000, cut: true, unread: [4] });
      await table.deliver({ type: "findEnded", search: 2, end: "stopped", bytes: 4_000_000 });
      await page
        .getByText(
          "Searched: 13,000 of 100,000 rows. Not searched where they can’t be read: inputs. Texts are",
        )
        .waitFor();
      await page.locator(".find-count").getByText("1 of 1, id, row 6").waitFor();
      table.holds = false;
      await page.getByRole("button", { name: "Search all rows (4.0 MB)" }).click();
      await until("all are asked for", () =>
        table.requests.some((request) => request.type === "find" && request.all),
      );
      await page.locator(".find-count").getByText("No results").waitFor();
      table.holds = true;
      await page.getByRole("textbox", { name: "Search in the table" }).fill("y");
      await until("it is asked for", () => {
        const last = table.requests.at(-1);
        return last?.type === "find" && last.sought.text === "y";
      });
      await table.deliver({ type: "findFailed", search: 4, problem: "Reading took longer than 20 s." });
      await page.getByText("Reading took longer than 20 s.").waitFor();
    }));

  it("is searched for hostile text, which stays text", () =>
    inTable({}, async (table) => {
      const { page } = table;
      await page.keyboard.press("Control+f");
      await page.getByRole("textbox", { name: "Search in the table" }).fill(hostile);
      await page.locator(".find-count").getByText("1 of 1, error, row 2").waitFor();
      await until("it is led to", async () => (await table.active()) === "1 5");
      await page.getByRole("textbox", { name: "Search in the table" }).fill("\u202e");
      await page.locator(".find-count").getByText("1 of 1").waitFor();
      assert.equal(await page.locator("img, a, iframe, script:not([src])").count(), 0);
    }));

  it("says why it can't be sorted", () =>
    inTable({}, async (table) => {
      table.holds = true;
      await table.page.keyboard.press("s");
      await table.page.getByText("0 of 100,000 rows read").waitFor();
      await table.deliver({ type: "notArranged", id: 1, problem: "The column is damaged." });
      await table.page.getByRole("status").getByText("The column is damaged.").waitFor();
      await table.page.getByRole("button", { name: "Show as in the file" }).click();
      await table.page.getByText("The column is damaged.").waitFor({ state: "detached" });
      assert.equal(await table.cell(0, 0), "span-0");
    }));

  it("says why a file can't be read, and reads it again", () =>
    inTable({}, async (table) => {
      await table.deliver({ type: "failed", message: "The file is gone.", remedy: "Download it again." });
      await table.page.getByRole("alert").getByText("Download it again.").waitFor();
      await table.page.getByRole("button", { name: "Read again" }).click();
      await table.page.getByRole("grid").waitFor();
    }));

  for (const theme of ["dark", "light", "highContrast", "highContrastLight"] as const) {
    it(`has nothing that axe finds (${theme})`, () =>
      inTable({ theme }, async (table) => {
        await table.page.getByRole("columnheader", { name: /^total_tokens/ }).click();
        await table.page.getByText("over all 100,000 rows.").waitFor();
        await table.page.locator("#cell-0-5").click();
        await table.page.keyboard.press("f");
        await table.page.getByLabel("How it is compared").selectOption("null");
        await table.page.getByRole("button", { name: "Filter", exact: true }).click();
        await table.page.getByText("99,999 rows fit, of all 100,000 rows.").waitFor();
        await table.page.locator("#cell-0-1").click();
        await table.page.keyboard.press("f");
        await table.page.keyboard.press("Control+f");
        await table.page.keyboard.type("question");
        await table.page.locator(".find-count").getByText("of 20,000").waitFor();
        await table.page.locator("#cell-0-4").click();
        await table.page.keyboard.press("Enter");
        await table.page.getByText("[1 item]").waitFor();
        await table.page.locator("#cell-3-3").click({ modifiers: ["Shift"] });
        await table.page.getByText("8 cells selected").waitFor();
        await table.page.evaluate(axe);
        const found: { id: string; nodes: { html: string; failureSummary: string }[] }[] =
          await table.page.evaluate(
            "axe.run(document, { resultTypes: ['violations'], preload: false }).then((result) => result.violations)",
          );
        const findings = found.flatMap(({ id, nodes }) =>
          nodes.map(({ html, failureSummary }) => `${id}: ${html.slice(0, 160)} ${failureSummary}`),
        );
        assert.deepEqual(findings, []);
        const folder = process.env["TABLE_PICTURES"];
        for (const width of folder === undefined ? [] : [1440, 1024, 400]) {
          await table.page.setViewportSize({ width, height: 700 });
          await table.page.screenshot({ path: `${folder}/table-${theme}-${width}.png` });
        }
      }));
  }
});

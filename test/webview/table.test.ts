import assert from "node:assert/strict";

import { parquetFile } from "../support/parquetFile.ts";
import { until } from "../support/until.ts";
import { axeFindings } from "./axe.ts";
import { hostile, press, rows, useTable } from "./spansTable.ts";
import type { TablePage } from "./tablePage.ts";

describe("The table of a Parquet file", () => {
  const inTable = useTable();

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

  it("keeps the focus in a long list that shows more, and leads to what came last", () => {
    const list = JSON.stringify(Array.from({ length: 450 }, (_, index) => `item ${index}`));
    const element = { type: "BYTE_ARRAY", converted_type: "UTF8" } as const;
    const use = async ({ page }: TablePage): Promise<void> => {
      await page.keyboard.press("Enter");
      const tree = page.getByRole("tree", { name: "Value" });
      await tree.locator("[tabindex='0']").focus();
      for (const [more, focused] of [
        ["Show 200 more of 250", "Show 50 more of 50"],
        ["Show 50 more of 50", "item 400"],
      ] as const) {
        await page.keyboard.press("End");
        await tree.locator(":focus").getByText(more).waitFor();
        await page.keyboard.press("Enter");
        await tree.locator(":focus").getByText(focused).waitFor();
      }
    };
    return inTable({}, use, parquetFile([{ name: "list", data: [list], element }]));
  });

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

  it("says why a file can't be read, and reads it again", () =>
    inTable({}, async (table) => {
      await table.deliver({
        type: "failed",
        message: "The file is gone.",
        remedy: "Download it again.",
        refused: false,
      });
      await table.page.getByRole("alert").getByText("Download it again.").waitFor();
      assert.equal(await table.page.getByRole("button").count(), 1);
      await table.page.getByRole("button", { name: "Read Again" }).click();
      await table.page.getByRole("grid").waitFor();
    }));

  it("offers to use other keys where the store refuses the file", () =>
    inTable({}, async (table) => {
      await table.deliver({ type: "failed", message: "No.", remedy: "Ask.", refused: true });
      await table.page.getByRole("button", { name: "Use Other Keys…" }).click();
      await until("they are asked for", () => table.keysWanted === 1);
    }));

  it("has nothing that axe finds, in any theme", () =>
    inTable({}, async (table) => {
      const { page } = table;
      await page.getByRole("columnheader", { name: /^total_tokens/ }).click();
      await page.getByText("over all 100,000 rows.").waitFor();
      await page.locator("#cell-0-5").click();
      await page.keyboard.press("f");
      await page.getByLabel("How it is compared").selectOption("null");
      await page.getByRole("button", { name: "Filter", exact: true }).click();
      await page.getByText("99,999 rows fit, of all 100,000 rows.").waitFor();
      await page.locator("#cell-0-1").click();
      await page.keyboard.press("f");
      await page.keyboard.press("Control+f");
      await page.keyboard.type("question");
      await page.locator(".find-count").getByText("of 20,000").waitFor();
      await page.locator("#cell-0-4").click();
      await page.keyboard.press("Enter");
      await page.getByText("[1 item]").waitFor();
      await page.locator("#cell-3-3").click({ modifiers: ["Shift"] });
      await page.getByText("8 cells selected").waitFor();
      for (const theme of ["dark", "light", "highContrast", "highContrastLight"] as const) {
        await table.wear(theme);
        assert.deepEqual(await axeFindings(page), [], theme);
      }
    }));
});

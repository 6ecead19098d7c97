import assert from "node:assert/strict";

import { until } from "../support/until.ts";
import { hostile, press, rows, useTable } from "./spansTable.ts";

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

describe("The table of a Parquet file that is sorted, filtered and searched", () => {
  const inTable = useTable();

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
      await page.getByRole("button", { name: "Stop Here" }).click();
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
      await page.getByRole("button", { name: /^Read All Rows \(/ }).click();
      await page.getByText("over all 100,000 rows.").waitFor();
      await page.getByRole("button", { name: "Show as in the File" }).click();
      await until("the file's order", async () => (await table.cell(0, 0)) === "span-0");
    }));

  it("shows an order that comes although another one is wanted by now: that is what its rows are read in", () =>
    inTable({}, async (table) => {
      await press(table, "ArrowRight", "0 1");
      table.holds = true;
      await table.page.keyboard.press("s");
      await table.page.keyboard.press("s");
      await until("both are asked for", () => table.requests.at(-1)?.type === "arrange");
      const how = { sort: { column: 1, descending: false } };
      const arranged = { how, rows, read: rows, bytes: 400_000, cut: 0, end: "all" } as const;
      await table.deliver({ type: "arranged", id: 1, arranged });
      await until("its rows are read", () =>
        table.requests.some((request) => request.type === "read" && request.id === 1),
      );
      await table.page.getByText(`0 of 100,000 rows read`).waitFor();
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
      await page.evaluate(`(() => {
        const enter = { key: "Enter", bubbles: true, isComposing: true };
        document.activeElement.dispatchEvent(new KeyboardEvent("keydown", enter));
        return new Promise((drawn) => requestAnimationFrame(() => setTimeout(drawn)));
      })()`);
      assert.equal(await form.count(), 1, "an input method keeps its Enter");
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
      await page.getByRole("button", { name: "Remove the Filter total_tokens > 99996.5" }).click();
      await state.getByText("1 row fits, of all 100,000 rows.").waitFor();
      await until("the hostile one", async () => (await numbers()) === "2");
      await page.keyboard.press("Escape");
      await page.getByRole("button", { name: "Show as in the File" }).click();
      await until("the file's order", async () => (await numbers()) === "1,2,3");
      await page.getByRole("grid").focus();
      await page.keyboard.press("f");
      await page.keyboard.press("Escape");
      await form.waitFor({ state: "detached" });
    }));

  it("has the keys that follow F at once in the filter, on a page that hardly keeps up, too", () =>
    inTable({}, async (table) => {
      await press(table, "ArrowRight", "0 1");
      const focused: unknown = await table.page.evaluate(`(() => {
        document.activeElement.dispatchEvent(new KeyboardEvent("keydown", { key: "f", bubbles: true }));
        return document.activeElement.tagName;
      })()`);
      assert.equal(focused, "SELECT");
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
      await page.getByRole("button", { name: "Match Case (Alt+C)" }).click();
      await page.locator(".find-count").getByText("No results").waitFor();
      await page.getByRole("button", { name: "Match Case (Alt+C)" }).click();
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
      await page.getByRole("button", { name: "Show as in the File" }).click();
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
      await table.page.getByRole("button", { name: "Show as in the File" }).click();
      await table.page.getByText("The column is damaged.").waitFor({ state: "detached" });
      assert.equal(await table.cell(0, 0), "span-0");
    }));
});

import { strict as assert } from "node:assert";

import type { Entry, MessageEntry } from "../../src/run/panel/transcript.ts";
import { idle } from "./demo.ts";
import { usePanel } from "./panelPage.ts";
import { until } from "../support/until.ts";

const said = (id: string, text: string, more: Partial<MessageEntry> = {}): Entry => ({
  ...{ kind: "message", id, lane: "", role: "ai", streaming: false, text },
  ...more,
});
const many = Array.from({ length: 10_000 }, (_, index) =>
  said(`m${index}`, index % 100 === 0 ? `A rare Needle in row ${index}` : `Row ${index}`),
);

describe("Search in the transcript", () => {
  const panel = usePanel({ height: 700 });
  const box = () => panel.page.getByRole("textbox", { name: "Search in the transcript" });
  const counted = (text: string) =>
    panel.page.locator(".find-count", { hasText: new RegExp(`^${text}$`) }).waitFor();
  const open = async () => {
    await panel.deliver({ type: "search" });
    await box().waitFor();
  };
  const search = async (text: string) => {
    await open();
    await box().fill(text);
  };
  /** The texts that a highlight marks now. */
  const marked = (name: string): Promise<string[]> =>
    panel.page.evaluate(`[...(CSS.highlights.get("${name}") ?? [])].map(String)`);
  const current = async (text: string, row: string) => {
    const led = (): Promise<{ readonly row: string; readonly text: string } | undefined> =>
      panel.page.evaluate(`(() => {
        const [range] = CSS.highlights.get("search-current") ?? [];
        const box = range?.getBoundingClientRect();
        const view = document.querySelector(".scroller").getBoundingClientRect();
        if (box === undefined || box.top < view.top || box.bottom > view.bottom) return;
        const { row } = range.startContainer.parentElement.closest("[data-row]").dataset;
        return { row, text: String(range) };
      })()`);
    // What was searched before may stand marked in the same row, and may have been found as often.
    await until(`${row} is led to`, async () => {
      const now = await led();
      return now?.row === row && now.text === text;
    });
    await until("nothing else is marked so", async () => {
      const [found, ...others] = await marked("search-current");
      return found === text && others.length === 0;
    });
  };

  it("opens in no empty thread, and takes no caret there later", async () => {
    await panel.show(idle, []);
    await panel.deliver({ type: "search" });
    const message = panel.page.getByRole("textbox", { name: "Message" });
    await message.focus();
    await panel.patch({ set: [said("first", "A needle")] });
    await panel.settled();
    assert.equal(await box().count(), 0);
    assert.equal(await panel.page.evaluate("document.activeElement.getAttribute('aria-label')"), "Message");
    await search("needle");
    await counted("1 of 1");
  });

  it("finds what is not on the screen, forward and back, and around the ends", async () => {
    await panel.show(idle, many);
    await panel.page.locator('[data-row="m9999"]').waitFor();
    await search("needle");
    await counted("1 of 100");
    await current("Needle", "m0");
    await box().press("Enter");
    await counted("2 of 100");
    await current("Needle", "m100");
    for (let times = 0; times < 2; times += 1) await box().press("Shift+Enter");
    await counted("100 of 100");
    await current("Needle", "m9900");
  });

  it("begins at the row that is read, minds the case when asked, and says when there is nothing", async () => {
    await panel.show(idle, [said("a", "one two"), said("b", "One ".repeat(3))]);
    await search("One");
    await counted("1 of 4");
    await panel.page.getByRole("button", { name: "Match Case" }).click();
    await counted("1 of 3");
    await box().fill("nowhere");
    await counted("No results");
    assert.deepEqual(await marked("search"), []);
  });

  it("finds words across elements and lines, and not the marks around them", async () => {
    await panel.show(idle, [
      said("a", "a **bold** word\nand `code`: 2 * 3"),
      said("b", "```ts\nconst a = b;\n```"),
    ]);
    await panel.page.locator(".code-keyword").waitFor();
    for (const [text, found, row] of [
      ["a bold word and code", "a bold word\nand code", "a"],
      ["const a = b", "const a = b", "b"],
      ["2 * 3", "2 * 3", "a"],
    ] as const) {
      await search(text);
      await counted("1 of 1");
      await current(found, row);
    }
  });

  it("opens the card and the lane that a match is in, and shows what is cut", async () => {
    const lane = {
      kind: "lane",
      id: "l",
      runId: "r",
      lane: "x",
      parent: "",
      name: "clerk",
      status: "done",
    } as const;
    const tool = { kind: "tool", id: "t", runId: "r", lane: "x", name: "look", status: "done" } as const;
    await panel.show(idle, [lane, { ...tool, args: '{"q":1}', result: `${"text ".repeat(4000)} hidden` }]);
    await panel.page.locator(".lane").click();
    await panel.page.locator('[data-row="t"]').waitFor({ state: "detached" });
    await search("hidden");
    await counted("1 of 1");
    await current("hidden", "t");
    await box().fill('"q": 1');
    await counted("1 of 1");
    await current('"q": 1', "t");
  });

  it("searches what is said meanwhile", async () => {
    await panel.show(idle, [said("a", "x", { streaming: true })]);
    await search("needle");
    await counted("No results");
    await panel.stream("a", [" a nee", "dle"]);
    await counted("\\? of 1");
    await box().press("Enter");
    await current("needle", "a");
  });

  it("says what is not searched, and loads it", async () => {
    const run = { kind: "run", id: "r", runId: "r", assistantId: "a", status: "success" } as const;
    await panel.show({ ...idle, earlier: "more" }, [run, said("a", "x")]);
    await open();
    const missing = panel.page.locator(".find-missing");
    await missing.getByRole("button", { name: "Load Them" }).click();
    await panel.next("readEarlier");
    await panel.show({ ...idle, earlier: "none" }, [
      { ...run, unread: true },
      said("a", "x", { runId: "r" }),
    ]);
    const asked = (await panel.posted("readRuns")).length;
    await missing.getByText("some steps of 1 earlier run").waitFor();
    await missing.getByRole("button", { name: "Load Them" }).click();
    assert.deepEqual((await panel.next("readRuns", asked)).runIds, ["r"]);
    await panel.patch({ set: [run] });
    await missing.waitFor({ state: "detached" });
  });

  it("closes with Escape: the focus goes to the match, and the marks go", async () => {
    await panel.show(idle, [said("a", "one"), said("b", "two")]);
    await search("two");
    await current("two", "b");
    await box().press("Escape");
    await box().waitFor({ state: "detached" });
    await until("the row has the focus", async () =>
      panel.page.evaluate("document.activeElement?.dataset.row === 'b'"),
    );
    await until("the marks are gone", async () => {
      const [all, led] = [await marked("search"), await marked("search-current")];
      return all.length + led.length === 0;
    });
  });

  it("begins at the button, too, and leads to the search of the events where those are shown", async () => {
    await panel.show(idle, [said("a", "one")]);
    const button = panel.page.getByRole("button", { name: "Search (Ctrl+F)" });
    await button.click();
    await box().waitFor();
    await panel.page.getByRole("tab", { name: /Events/ }).click();
    await button.click();
    await until("its box has the focus", () =>
      panel.page.evaluate("document.activeElement.type === 'search'"),
    );
  });

  it("takes any text as words, not as a pattern", async () => {
    await panel.show(idle, [said("a", "a (b [c] d+ \\e ^f$ {2} | / ? . end")]);
    await search("(b [c] d+ \\e ^f$ {2} | / ? .");
    await counted("1 of 1");
  });
});

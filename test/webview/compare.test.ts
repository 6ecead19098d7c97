import assert from "node:assert/strict";

import type { Page } from "playwright-core";

import { compare } from "../../src/run/compare/comparison.ts";
import type { FromComparison, SideFacts, ToComparison } from "../../src/run/compare/messages.ts";
import { sideOf } from "../../src/run/compare/steps.ts";
import type { Entry } from "../../src/run/panel/transcript.ts";
import { until } from "../support/until.ts";
import { axeFindings } from "./axe.ts";
import { type Opening, Tab } from "./tab.ts";

const start = Date.UTC(2026, 4, 4, 9, 30, 0);
const hostile = `<img src=x onerror="window.owned=1"><script>window.owned=2</script>[a](command:evil) \u202egnp.exe`;

const run = (status: string, endedAt: number): Entry => ({
  kind: "run",
  id: "run:r",
  runId: "r",
  assistantId: "planner",
  status,
  startedAt: start,
  endedAt: start + endedAt,
});
const step = (id: string, name: string, from: number, to: number, more: object = {}): Entry => ({
  ...{ kind: "step", id, runId: "r", lane: "", name, status: "done", keys: ["messages"] },
  ...{ startedAt: start + from, endedAt: start + to, checkpoints: { before: `${id}0`, after: id } },
  ...more,
});
const said = (id: string, text: string, more: object = {}): Entry => ({
  ...{ kind: "message", id, runId: "r", lane: "", role: "ai", text, streaming: false },
  ...more,
});
const usage = (input: number, output: number) => ({ usage: { input, output, total: input + output } });

/** The same question to two versions of an agent: the second one searches twice, and says something else. */
const left: readonly Entry[] = [
  ...[run("success", 9200), said("q", "Why did checkout latency rise?", { role: "human" })],
  ...[step("a", "plan", 100, 2300), said("m1", "Look at the deploys.", usage(812, 64))],
  ...[step("b", "search", 2300, 4100)],
  ...[
    step("d", "answer", 4100, 9100),
    said("m2", `The deploy r-204 on Monday. ${hostile}`, usage(1930, 118)),
  ],
];
const right: readonly Entry[] = [
  ...[run("error", 12_400), said("q", "Why did checkout latency rise?", { role: "human" })],
  ...[step("k", "plan", 100, 1900), said("m1", "Look at the deploys.", usage(812, 58))],
  ...[step("l", "search", 1900, 5100), step("m", hostile, 5100, 9000)],
  ...[step("n", "answer", 9000, 12_300, { status: "error" }), said("m2", "The deploy r-199 on Sunday.")],
];

/** Without a character that hides: the mark of one has the editor's own colour for it. */
const plain = right.map((entry): Entry =>
  entry.kind === "step" && entry.id === "m" ? { ...entry, name: "search again" } : entry,
);

const side = (title: string, more: Partial<SideFacts> = {}): SideFacts => ({
  ...{ title, runs: "run 1 of 1", where: "planner · Support · Production", notes: [], isLoading: false },
  ...more,
});

function message(
  one: readonly Entry[] = left,
  other: readonly Entry[] = right,
  facts: ToComparison["facts"] = {
    left: side("Checkout latency"),
    right: side("Checkout latency, new prompt"),
  },
): ToComparison {
  return { type: "comparison", comparison: compare(sideOf(one, undefined), sideOf(other, undefined)), facts };
}

describe("The page of a comparison", () => {
  async function inPage(
    shown: ToComparison,
    opening: Opening,
    use: (page: Page) => Promise<void>,
  ): Promise<void> {
    const tab = await Tab.take({ height: 640, ...opening });
    const { page } = tab;
    await tab.visit("compare");
    await until("the page asks", async () => (await posted(page)).length === 1);
    await deliver(page, shown);
    await page.getByRole("grid").waitFor();
    await use(page);
    assert.deepEqual(tab.complaints, []);
    await tab.leave();
  }
  const deliver = (page: Page, shown: ToComparison) =>
    page.evaluate(`panelHost.deliver(${JSON.stringify(shown)})`);
  const posted = (page: Page): Promise<FromComparison[]> => page.evaluate("panelHost.posted");
  const cells = async (page: Page, row: number) =>
    (await page.getByRole("row").nth(row).getByRole("gridcell").allInnerTexts()).map((text) => text.trim());
  const selected = (page: Page) => page.locator(".compare-row.selected .compare-name").innerText();
  const leadsTo = async (page: Page, key: string, name: string) => {
    await page.keyboard.press(key);
    await until(`${key} leads to ${name}`, async () => (await selected(page)).includes(name));
  };

  it("has the steps of both beside each other, with times and tokens, and says where they part", () =>
    inPage(message(), {}, async (page) => {
      assert.deepEqual(await cells(page, 1), ["Input", "", "", "", "", ""]);
      assert.deepEqual(await cells(page, 2), [
        "plan",
        "",
        "2.2 s",
        "812 in · 64 out",
        "1.8 s",
        "812 in · 58 out",
      ]);
      const [, difference, one, , other] = await cells(page, 4);
      assert.deepEqual([difference, one, other], ["First: only right", "—", "3.9 s"]);
      const answer = await cells(page, 5);
      assert.deepEqual(
        [answer[1], answer[4], answer[5]],
        ["status, messages", "3.3 s (error)", "not reported"],
      );
      assert.match(await page.locator(".compare-summary").innerText(), /^First difference: .*only right/);
      assert.match(
        await page.locator(".side").nth(0).innerText(),
        /9\.2 s · 3 steps · tokens 2,742 in · 182 out/,
      );
      assert.match(await page.locator(".side").nth(1).innerText(), /1 call not reported/);
    }));

  it("is walked through by keys, from difference to difference, to the states of a step and into a thread", () =>
    inPage(message(), {}, async (page) => {
      assert.match(await selected(page), /img/);
      await page.getByRole("grid").focus();
      await leadsTo(page, "F7", "answer");
      await leadsTo(page, "F7", "<img");
      await leadsTo(page, "Shift+F7", "answer");
      assert.match(await page.locator(".excerpt").nth(0).innerText(), /r-204 on Monday/);
      assert.match(await page.locator(".excerpt").nth(1).innerText(), /r-199 on Sunday/);
      await page.keyboard.press("Enter");
      await until("the states", async () => (await posted(page)).length === 2);
      await leadsTo(page, "ArrowUp", "<img");
      await page.getByRole("button", { name: "Open What It Changed" }).press("Enter");
      await page.getByRole("button", { name: "Show in Thread" }).press("Enter");
      await until("three requests", async () => (await posted(page)).length === 4);
      assert.deepEqual((await posted(page)).slice(1), [
        { type: "openStates", left: "d", right: "n" },
        { type: "openStates", right: "m" },
        { type: "openThread", side: "right", entry: "m" },
      ]);
      await page.getByRole("grid").focus();
      await leadsTo(page, "Home", "Input");
    }));

  it("shows only what differs where that is wanted, and keeps its place when more comes", () =>
    inPage(message(), {}, async (page) => {
      await page.getByRole("button", { name: "Only Differences" }).press("Enter");
      await until("two rows", async () => (await page.getByRole("row").count()) === 3);
      await page.getByRole("button", { name: "Next Difference" }).press("Enter");
      await until("the answer", async () => (await selected(page)).includes("answer"));
      await deliver(page, message([...left, step("z", "again", 9100, 9200)]));
      await until("a row more", async () => (await page.getByRole("row").count()) === 4);
      assert.match(await selected(page), /answer/);
    }));

  it("keeps hostile names and texts inert", () =>
    inPage(
      message(left, right, { left: side(hostile, { notes: [hostile] }), right: side("b") }),
      {},
      async (page) => {
        await page.getByRole("grid").focus();
        await leadsTo(page, "End", "answer");
        assert.equal(await page.evaluate("window.owned"), undefined);
        assert.equal(await page.locator("#root img, #root script, #root a").count(), 0);
        assert.ok((await page.locator(".hidden-character").count()) > 0);
      },
    ));

  it("says that two graphs have nothing in common, and what a side does not tell", () =>
    inPage(
      message(left, [run("success", 10), step("x", "crawl", 0, 10)], {
        left: side("One"),
        right: side("Two", { notes: ["This thread was deleted."] }),
      }),
      {},
      async (page) => {
        assert.match(await page.locator(".compare-summary").innerText(), /different graphs/);
        await page.getByText("This thread was deleted.").waitFor();
      },
    ));

  it("draws what is in sight of thousands of steps, and goes to the last at once", () => {
    const many = (end: string): readonly Entry[] => [
      run("success", 10),
      ...Array.from({ length: 4990 }, (_, at) => step(`s${at}`, `step ${at}`, at, at + 1)),
      said("m", end),
      ...Array.from({ length: 20 }, (_, at) => step(`t${at}`, "more", at, at + 1)),
    ];
    return inPage(message(many("one"), many("two")), {}, async (page) => {
      assert.ok((await page.getByRole("row").count()) < 80);
      await page.getByRole("grid").focus();
      await leadsTo(page, "Home", "Input");
      await leadsTo(page, "F7", "step 4989");
      assert.match(await page.locator(".compare-summary").innerText(), /first 5,000 steps/);
    });
  });

  for (const theme of ["dark", "light", "highContrast", "highContrastLight"] as const)
    it(`has nothing that axe finds (${theme})`, () =>
      inPage(message(left.slice(0, -1), plain), { theme }, async (page) => {
        if (process.env["PICTURES"] !== undefined)
          await page.screenshot({ path: `${process.env["PICTURES"]}/compare-${theme}.png` });
        assert.deepEqual(await axeFindings(page), []);
      }));
});

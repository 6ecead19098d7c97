import { strict as assert } from "node:assert";

import type { Entry, InterruptEntry, LaneEntry, RunEntry } from "../../src/run/panel/transcript.ts";
import { until } from "../support/until.ts";
import { idle } from "./demo.ts";
import { usePanel } from "./panelPage.ts";

const run: RunEntry = { kind: "run", id: "r", runId: "one", assistantId: "echo", status: "success" };
const question: InterruptEntry = {
  kind: "interrupt",
  id: "q",
  runId: "one",
  lane: "review:1",
  requests: [],
  value: "Which?",
  state: "open",
};
const lane: LaneEntry = {
  kind: "lane",
  id: "l",
  runId: "one",
  lane: "review:1",
  parent: "",
  name: "review",
  status: "interrupted",
};

describe("The heading of a run", () => {
  const panel = usePanel();
  const heading = () => panel.page.locator(".run-line").first().innerText();
  const said = () => panel.page.locator("#announcer").innerText();

  it("says that a run waits as long as its question does, whatever the server calls that", async () => {
    const other: Entry = { ...run, id: "s", runId: "two" };
    await panel.show(idle, [run, lane, question, other]);
    assert.match(await heading(), /waiting/);
    assert.match(await panel.page.locator(".lane").innerText(), /waiting/);
    assert.match(await panel.page.locator(".run-line").nth(1).innerText(), /success/);
    await panel.patch({ set: [{ ...question, state: "answered", answer: "That" }] });
    assert.match(await heading(), /success/);
    assert.match(await panel.page.locator(".lane").innerText(), /asked/);
  });

  it("names a strategy only where it changed something", async () => {
    const before = { ...run, id: "b", runId: "before", strategy: "enqueue", startedAt: 10, endedAt: 30 };
    const after = { ...run, strategy: "enqueue", startedAt: 40, endedAt: 50 };
    const headings = () => panel.page.locator(".run-line").allInnerTexts();
    await panel.show(idle, [before, after]);
    assert.doesNotMatch((await headings()).join(), /strategy|enqueue/);
    await panel.patch({ set: [{ ...after, startedAt: 20 }] });
    assert.match((await headings())[1] ?? "", /strategy: enqueue/);
    await panel.patch({ set: [{ ...after, startedAt: 20, strategy: "reject" }] });
    assert.doesNotMatch((await headings()).join(), /strategy|reject/);
  });

  it("has the editor's menu, by its button as by a click of the other one anywhere in it", async () => {
    const { page } = panel;
    await panel.show(idle, [run, { ...run, id: "s", runId: "two", trace: "https://traces.test/two" }]);
    await page.evaluate(`
      globalThis.menus = [];
      addEventListener("contextmenu", (event) => {
        event.preventDefault();
        const { dataset } = event.target.closest("[data-vscode-context]");
        menus.push({ ...JSON.parse(dataset.vscodeContext), isInSight: event.clientY > 0 });
      });`);
    const [first, second] = [0, 1].map((index) => page.getByRole("button", { name: "Run Menu" }).nth(index));
    await first?.focus();
    await page.keyboard.press("Enter");
    await second?.click();
    await page.locator(".run-name").first().click({ button: "right" });
    const menu = { webviewSection: "run", preventDefaultContextMenuItems: true, isInSight: true };
    const [one, two] = [
      { ...menu, runId: "one", runHasTrace: false },
      { ...menu, runId: "two", runHasTrace: true },
    ];
    assert.deepEqual(await page.evaluate("menus"), [one, two, one]);
    assert.equal(await first?.getAttribute("aria-haspopup"), "menu");
  });

  it("shows what comes of it to who starts one, wherever they read before", async () => {
    const many = Array.from({ length: 60 }, (_, index): Entry => ({
      ...run,
      id: `r${String(index)}`,
      runId: `r${String(index)}`,
    }));
    await panel.show(idle, many);
    const jump = panel.page.getByRole("button", { name: /Jump to Latest/ });
    const scroller = panel.page.locator(".scroller");
    for (const message of [{ type: "accepted", request: "start" }, { type: "follow" }] as const) {
      await scroller.press("Home");
      await jump.waitFor();
      await panel.deliver(message);
      await jump.waitFor({ state: "detached" });
      // The jump to the end goes on while rows are measured: a key that follows at once ends it.
      await scroller.press("Home");
      assert.equal(await panel.page.evaluate(topAfterFrames), 0);
    }
  });

  it("stays as it is by Home where all of them are in sight", async () => {
    await panel.show(idle, [run]);
    await panel.page.locator(".scroller").press("Home");
    await panel.page.evaluate(topAfterFrames);
    assert.equal(await panel.page.getByRole("button", { name: /Jump to Latest/ }).count(), 0);
  });

  it("is shown by Home where a few pixels of all are out of sight", async () => {
    const { page } = panel;
    const tall = { width: 700, height: 300 };
    await page.setViewportSize(tall);
    const many = Array.from({ length: 8 }, (_, index): Entry => ({ ...run, id: `r${String(index)}` }));
    await panel.show(idle, many);
    const scroller = page.locator(".scroller");
    const past = () =>
      scroller.evaluate(
        (list: { scrollHeight: number; clientHeight: number }) => list.scrollHeight - list.clientHeight,
      );
    await page.setViewportSize({ ...tall, height: tall.height + (await past()) - 10 });
    await until("it follows its end, ten pixels below its start", async () => {
      const top = await scroller.evaluate((list: { scrollTop: number }) => list.scrollTop);
      return top === 10 && (await past()) === 10;
    });
    await scroller.press("Home");
    assert.equal(await page.evaluate(topAfterFrames), 0);
    assert.equal(await page.getByRole("button", { name: /Jump to Latest/ }).count(), 0);
  });

  it("calls a subgraph a subagent only where it was given a task", async () => {
    const agent: LaneEntry = { ...lane, id: "m", lane: "tools:2", name: "critic", task: "Find flaws" };
    await panel.show(idle, [{ ...run, status: "running" }]);
    await panel.patch({ set: [lane, agent] });
    const chips = panel.page.getByRole("group", { name: "Subgraphs of this run" }).getByRole("button");
    assert.deepEqual(await chips.evaluateAll((all) => all.map(({ title }) => title as string)), [
      "Go to this subgraph",
      "Go to this subagent",
    ]);
    await until("both are announced", async () => /Subgraph review.+Subagent critic/.test(await said()));
  });

  it("announces what happens now, and nothing of what is read in of runs that are over", async () => {
    const said = (id: string, runId: string): Entry => ({
      ...{ kind: "message", id, runId, lane: "", role: "ai", text: "Yes.", streaming: false },
    });
    const notice = (id: string, text: string): Entry => ({
      kind: "notice",
      id,
      lane: "",
      level: "info",
      text,
    });
    const tool: Entry = {
      kind: "tool",
      id: "t",
      runId: "one",
      lane: "",
      name: "search",
      args: "",
      status: "done",
    };
    const newer: Entry = { ...run, id: "s", runId: "two", assistantId: "newer" };
    const announced = async (text: string) => {
      await until(text, async () => (await panel.page.locator("#announcer").innerText()) === text);
    };
    await panel.show({ ...idle, session: { kind: "loading" } }, []);
    await panel.patch({ set: [run, said("m", "one"), newer, said("n", "two"), question] });
    await panel.deliver({ type: "state", state: idle });
    await announced("The run waits for your answer.");

    await panel.show(idle, []);
    await panel.patch({ set: [run, said("m", "one"), newer, notice("w", "Resumed after 391.")] });
    await announced("Resumed after 391.");

    await panel.patch({ set: [tool, notice("x", "Read")], order: ["r", "t", "m", "s", "w", "x"] });
    await announced("Read.");

    const last = { ...run, id: "l", runId: "three", assistantId: "last" };
    await panel.patch({ set: [last, said("o", "three")] });
    await announced("Run of last finished. Agent answered.");
  });

  it("does not announce success of a run that asks", async () => {
    await panel.show(idle, [{ ...run, status: "running" }]);
    await panel.patch({ set: [run, question] });
    await until("the question is announced", async () => /waits for your answer/.test(await said()));
    assert.doesNotMatch(await said(), /finished/);
  });
});

/** Where the list stands once a jump would have been repeated. */
const topAfterFrames = `(async () => {
  for (let frame = 0; frame < 30; frame += 1) await new Promise(requestAnimationFrame);
  return document.querySelector(".scroller").scrollTop;
})()`;

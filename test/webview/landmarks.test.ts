import { strict as assert } from "node:assert";

import type { Entry, InterruptEntry } from "../../src/run/panel/transcript.ts";
import { approval, conversation, idle, streaming } from "./demo.ts";
import { usePanel } from "./panelPage.ts";
import { until } from "../support/until.ts";

describe("The way to what waits and to what was said last", () => {
  const panel = usePanel({ height: 500 });

  const question = approval.find((entry): entry is InterruptEntry => entry.kind === "interrupt")!;
  const focusedRow = () => panel.page.evaluate("document.activeElement?.dataset.row ?? null");
  const waiting = () => panel.page.getByRole("button", { name: "Waiting for You" });

  it("leads from the header to the question, from the list of events, too", async () => {
    await panel.show(idle, [question, ...conversation]);
    await panel.page.getByRole("tab", { name: /Events/ }).press("Enter");
    await panel.page.getByRole("searchbox").waitFor();
    await waiting().press("Enter");
    await until("the question has the focus", async () => (await focusedRow()) === question.id);
    await panel.page.getByRole("group", { name: "The run waits for your answer" }).waitFor();
  });

  it("is announced only while something waits and nothing runs", async () => {
    await panel.show(streaming, [question]);
    assert.match(await panel.page.locator(".session-state").innerText(), /Streaming/);
    await panel.show(idle, [question]);
    await waiting().waitFor();
    await panel.patch({ set: [{ ...question, state: "answered" }] });
    assert.match(await panel.page.locator(".session-state").innerText(), /Idle/);
  });

  it("leads from the header to what failed last, from the list of events, too, and only while nothing runs", async () => {
    const failed: readonly Entry[] = [
      ...conversation,
      { kind: "run", id: "run:f", runId: "f", assistantId: "echo", status: "error" },
      { kind: "notice", id: "broke", runId: "f", lane: "", level: "error", text: "It broke" },
    ];
    const way = panel.page.locator(".session-state").getByRole("button", { name: "Error" });
    await panel.show(streaming, failed);
    assert.match(await panel.page.locator(".session-state").innerText(), /Streaming/);
    await panel.show(idle, failed);
    await panel.page.getByRole("tab", { name: /Events/ }).press("Enter");
    await way.press("Enter");
    await until("the error has the focus", async () => (await focusedRow()) === "broke");
    await panel.show(idle, [...failed, question]);
    await waiting().waitFor();
    assert.equal(await way.count(), 0);
  });

  it("says where a debugger holds the server in place of what can't go on, and announces it", async () => {
    const words = "paused in plan, planner.mts:14";
    const sign = panel.page.locator(".session-state");
    await panel.show({ ...streaming, session: { kind: "streaming", runId: "r", idleMs: 20_000 } }, [
      question,
    ]);
    assert.match(await sign.innerText(), /silent for 20 s/);
    await panel.show({ ...streaming, paused: { words, isHere: true } }, [question]);
    assert.equal((await sign.innerText()).trim(), "Paused in plan, planner.mts:14");
    await until("it is said", async () =>
      /Paused in plan/.test(await panel.page.locator("#announcer").innerText()),
    );
    await panel.show({ ...idle, paused: { words, isHere: false } }, [question]);
    assert.equal((await sign.innerText()).trim(), "Server paused in plan, planner.mts:14");
  });

  it("unfolds the lane that the question is in", async () => {
    const runId = "r";
    const lane: Entry = {
      kind: "lane",
      id: "l",
      runId,
      lane: "l:1",
      parent: "",
      name: "clerk",
      status: "running",
    };
    await panel.show(idle, [lane, { ...question, runId, lane: "l:1" }, ...conversation]);
    const transcript = panel.page.getByRole("region", { name: "Transcript" });
    const head = panel.page.locator('[data-row="l"] button');
    // Rows that are still being measured keep it at its end.
    await until("the transcript stays at its start", async () => {
      await transcript.press("Home");
      await panel.settled();
      const scrolled = await transcript.evaluate((element: { scrollTop: number }) => element.scrollTop);
      return scrolled === 0 && (await head.isVisible());
    });
    await head.click();
    await until("the folded lane", async () => (await head.getAttribute("aria-expanded")) === "false");
    await waiting().click();
    await until("the question has the focus", async () => (await focusedRow()) === question.id);
  });

  it("leads to the last message when the host asks for it, and back to the composer", async () => {
    const said = conversation.findLast((entry) => entry.kind === "message")!;
    await panel.show(idle, conversation);
    await panel.deliver({ type: "goTo", landmark: "last" });
    await until("the message has the focus", async () => (await focusedRow()) === said.id);
    await panel.deliver({ type: "focusComposer" });
    await panel.page.locator("textarea:focus").waitFor();
  });

  it("leads to the next error and question from the row that is read, and around to the first", async () => {
    const tool = conversation.find(({ kind, id }) => kind === "tool" && id === "t-3")!;
    const failed: Entry = { ...tool, id: "t-9", lane: "" } as Entry;
    await panel.show(idle, [failed, ...conversation, question]);
    const leadsTo = async (landmark: "nextError" | "nextQuestion", id: string) => {
      await panel.deliver({ type: "goTo", landmark });
      await until(`${id} has the focus`, async () => (await focusedRow()) === id);
    };
    await panel.page.getByRole("region", { name: "Transcript" }).press("Home");
    await panel.page.locator('[data-row="t-9"]').focus();
    await leadsTo("nextError", "t-3");
    await leadsTo("nextError", "t-9");
    await leadsTo("nextQuestion", question.id);
    await leadsTo("nextQuestion", question.id);
  });

  it("puts the heading of a run that it leads to at the top", async () => {
    const runs = Array.from({ length: 40 }, (_, index): readonly Entry[] => {
      const runId = `r${index}`;
      const text = `Answer ${index}. `.repeat(40);
      return [
        { kind: "run", id: `run:${runId}`, runId, assistantId: "echo", status: "success" },
        { kind: "message", id: `m${index}`, runId, lane: "", role: "ai", text, streaming: false },
      ];
    }).flat();
    await panel.show(idle, runs);
    await panel.deliver({ type: "goTo", landmark: { entry: "run:r7" } });
    await until("run 7 at the top", async () => {
      const top: number = await panel.page.evaluate(`(() => {
        const row = document.activeElement?.closest('[data-row="run:r7"]');
        const { top } = document.querySelector(".scroller").getBoundingClientRect();
        return row ? row.getBoundingClientRect().top - top : -1;
      })()`);
      return top >= 0 && top < 30;
    });
  });
});

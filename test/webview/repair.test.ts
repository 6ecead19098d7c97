import { strict as assert } from "node:assert";

import type { PanelState } from "../../src/run/panel/messages.ts";
import type { Entry } from "../../src/run/panel/transcript.ts";
import { idle } from "./demo.ts";
import { usePanel } from "./panelPage.ts";

const run = (runId: string, status: string): Entry => {
  return { kind: "run", id: `run:${runId}`, runId, assistantId: "pipeline", status };
};
const step = (runId: string, name: string, status: "done" | "error"): Entry => ({
  ...{ kind: "step", id: `${runId} ${name}`, runId, lane: "", name, status, keys: [] },
  checkpoints: { before: `before ${name}`, after: `after ${name}` },
});
const entries: readonly Entry[] = [
  run("r1", "error"),
  { kind: "message", id: "input:r1:0", runId: "r1", lane: "", role: "human", text: "Go", streaming: false },
  step("r1", "check", "done"),
  { kind: "message", id: "m1", runId: "r1", lane: "", role: "ai", text: "Checked", streaming: false },
  step("r1", "write", "error"),
  run("r2", "error"),
  step("r2", "send", "error"),
];

describe("What can be done about the course of a thread", () => {
  const panel = usePanel({ height: 900 });
  const button = (row: string, name: string) =>
    panel.page.locator(`[data-row="${row}"]`).getByRole("button", { name });

  async function pressed(row: string, name: string): Promise<unknown> {
    await button(row, name).press("Enter");
    return ((await panel.next("repair")) as { readonly action?: unknown }).action;
  }

  it("leads on from a run that seems to be stranded, and between its thread and the copy", async () => {
    const text = "This run seems to be stranded: <b>nothing</b> comes from it.";
    const lost = (...next: readonly string[]): PanelState => ({
      ...idle,
      session: { kind: "streaming", runId: "r2", stranded: { text, next } },
    });
    await panel.show(lost("search"), entries);
    const { page } = panel;
    assert.equal(await page.getByRole("alert").locator(".banner-text").textContent(), text);
    await page.getByRole("button", { name: "Continue from “search” in a Copy" }).press("Enter");
    await panel.next("continueInCopy");
    await panel.show(lost(), entries);
    await page.getByRole("button", { name: "Continue in a Copy" }).press("Enter");
    await panel.next("continueInCopy");
    await page.getByRole("button", { name: "Dismiss" }).press("Enter");
    await panel.settled();
    assert.equal(await page.getByRole("alert").count(), 0);
    await panel.show({ ...lost(), links: { continuedIn: "t2", continuedFrom: "t0" } }, entries);
    assert.equal(await page.getByRole("alert").count(), 0);
    for (const [name, link] of Object.entries({ copy: "continuedIn", thread: "continuedFrom" })) {
      await page.getByRole("button", { name: `Open the ${name}` }).press("Enter");
      assert.deepEqual(await panel.next("openLinked"), { type: "openLinked", link });
    }
    await panel.show(idle, entries);
    assert.equal(await page.locator(".banner").count(), 0);
  });

  it("is offered at the step that failed last", async () => {
    await panel.show(idle, entries);
    assert.deepEqual(await pressed("r2 send", "Retry"), { verb: "retry", checkpointId: "before send" });
    assert.deepEqual(await pressed("r2 send", "Skip…"), { verb: "skip", node: "send" });
    assert.equal(await button("r1 write", "Retry").count(), 0);
    await panel.page.locator('[data-row="r1 write"]').getByRole("button").first().press("Enter");
    await panel.settled();
    assert.deepEqual(await pressed("r1 write", "Run Again from Here"), {
      verb: "from",
      checkpointId: "before write",
    });
  });

  it("goes once it is asked for, and leaves the focus at its row", async () => {
    const focused = () => panel.page.evaluate("document.activeElement.dataset.row");
    const streaming: PanelState = { ...idle, session: { kind: "streaming", runId: "r3" } };
    for (const [row, name] of [
      ["r2 send", "Retry"],
      ["m1", "Regenerate"],
    ] as const) {
      await panel.show(idle, entries);
      await pressed(row, name);
      await panel.deliver({ type: "state", state: streaming });
      await button(row, name).waitFor({ state: "detached" });
      await panel.settled();
      assert.equal(await focused(), row);
    }
    await panel.show(idle, entries);
    await button("m1", "Regenerate").focus();
    await panel.page.evaluate("document.hasFocus = () => false");
    await panel.deliver({ type: "state", state: streaming });
    await button("m1", "Regenerate").waitFor({ state: "detached" });
    await panel.settled();
    assert.equal(await focused(), undefined, "the focus was taken from another part of the editor");
  });

  it("has the focus back after a question of the editor's own, or its row where it went meanwhile", async () => {
    const asked = async (whileAsked: () => Promise<unknown>) => {
      await button("r2 send", "Retry").focus();
      await panel.page.evaluate("document.activeElement.blur()");
      await whileAsked();
      await panel.page.evaluate("dispatchEvent(new Event('focus'))");
      return panel.page.evaluate(
        "document.activeElement.dataset.row ?? document.activeElement.textContent.trim()",
      );
    };
    await panel.show(idle, entries);
    assert.equal(await asked(async () => {}), "Retry");
    const started = async () => {
      await panel.deliver({ type: "state", state: { ...idle, session: { kind: "streaming", runId: "r3" } } });
      await button("r2 send", "Retry").waitFor({ state: "detached" });
    };
    assert.equal(await asked(started), "r2 send");
  });

  it("is offered at messages", async () => {
    await panel.show(idle, entries);
    assert.deepEqual(await pressed("input:r1:0", "Edit and Resend"), {
      verb: "resend",
      message: "input:r1:0",
    });
    assert.deepEqual(await pressed("m1", "Regenerate"), { verb: "regenerate", message: "m1" });
  });

  it("is offered at a run that was stopped, and where a thread stands at a breakpoint", async () => {
    const question = {
      kind: "interrupt",
      id: "q",
      runId: "r1",
      lane: "",
      requests: [],
      value: null,
    } as const;
    await panel.show(idle, [run("r1", "interrupted"), { ...question, state: "open", next: ["send"] }]);
    assert.deepEqual(await pressed("run:r1", "Continue"), { verb: "continue" });
    assert.deepEqual(await pressed("q", "Run One Step"), { verb: "step" });
    assert.deepEqual(await pressed("q", "Run To…"), { verb: "to" });
  });

  it("is not offered while a run goes on, nor where the server can't do it", async () => {
    const busy: PanelState = { ...idle, session: { kind: "streaming", runId: "r2" } };
    for (const state of [busy, { ...idle, unsupported: ["repair" as const] }]) {
      await panel.show(state, entries);
      assert.equal(await panel.page.getByRole("button", { name: /Retry|Skip|Regenerate|resend/ }).count(), 0);
    }
  });
});

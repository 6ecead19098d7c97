import { strict as assert } from "node:assert";
import { byAge, questionOf } from "../../../../src/editor/threads/waitingThread.ts";
import type { WaitingThread } from "../../../../src/editor/threads/waitingThread.ts";

const refund = { name: "refund", args: { amount: 20 }, description: "Pays back" };
const asking = (...actions: object[]) => ({
  id: "i1",
  value: {
    action_requests: actions,
    review_configs: [{ action_name: "refund", allowed_decisions: ["approve"] }],
  } as never,
});

describe("what a thread waits for", () => {
  it("is named by its only action, which can be answered without opening the thread", () => {
    const question = questionOf({ task: [asking(refund)] });
    assert.equal(question.label, "refund");
    assert.equal(question.sole?.interruptId, "i1");
    assert.deepEqual(question.sole.request.allowed, ["approve"]);
    assert.deepEqual(question.tools, ["refund"]);
    assert.equal(question.details, "refund\nPays back\namount: 20");
  });

  it("can't be answered at once when there are several actions or several interrupts", () => {
    const two = questionOf({ task: [asking(refund, { name: "mail", args: {} })] });
    assert.equal(two.label, "2 actions: refund, mail");
    assert.equal(two.sole, undefined);
    const beside = questionOf({ a: [asking(refund)], b: [{ id: "i2", value: "And which account?" }] });
    assert.equal(beside.sole, undefined);
  });

  it("is shown in its own words when it is no list of actions, and named as unknown when nothing is said", () => {
    assert.equal(questionOf({ task: [{ value: "Which\naccount?" }] }).label, "Which account?");
    assert.equal(questionOf({ task: [{ value: { ask: 1 } }] }).label, "ask: 1");
    assert.equal(questionOf(null).label, "Waits for an answer");
    assert.equal(questionOf(undefined).isBreakpoint, undefined);
  });

  it("is shown as the question that stands in an object, with what can be chosen", () => {
    const value = { question: "Where to?", options: ["prod", { label: "Test", value: 2 }], ticket: 7 };
    const { label, details } = questionOf({ task: [{ value }] });
    assert.equal(label, "Where to?");
    assert.equal(details, "Where to?\n- prod\n- Test\nticket: 7");
  });

  it("is a breakpoint where a server lists its questions, and there are none", () => {
    const { label, isBreakpoint, sole } = questionOf({ task: [] });
    assert.deepEqual([label, isBreakpoint, sole], ["Stopped at a breakpoint", true, undefined]);
  });

  it("stands above what waits for less long; a time that can't be read comes last", () => {
    const since = (at: string) => ({ since: at }) as WaitingThread;
    const sorted = byAge([since("2026-02-01T00:00:00Z"), since("?"), since("2026-01-01T00:00:00+02:00")]);
    assert.deepEqual(
      sorted.map((thread) => thread.since.slice(0, 7)),
      ["2026-01", "2026-02", "?"],
    );
  });
});

import { deepEqual, equal } from "node:assert/strict";
import type { Interrupt } from "../../../../src/api/agentServer/wire.ts";
import type { StateNow } from "../../../../src/run/fold/threadState.ts";
import { type AskedAction, continueStep, decideStep } from "../../../../src/run/session/answerSteps.ts";
import type { ThreadNow } from "../../../../src/run/session/server.ts";
import type { Decision } from "../../../../src/run/panel/transcript.ts";
import { stateOf } from "./scriptedServer.ts";

const asks = (id: string | undefined, name = "send"): Interrupt => ({
  ...(id !== undefined && { id }),
  value: { action_requests: [{ name, args: {} }], review_configs: [{ allowed_decisions: ["approve"] }] },
});
const waiting = (...interrupts: readonly Interrupt[]): StateNow =>
  stateOf({}, [{ id: "t", name: "ask", interrupts }]);
/** A thread of which nothing is known but that it is there. */
const before: ThreadNow = { state: stateOf({}), runs: [], nameless: 0 };
const action = (interruptId: string | undefined): AskedAction => ({
  interruptId,
  request: { name: "send", args: {}, allowed: ["approve"] },
});

describe("What lets a waiting thread go on", () => {
  const isSent = (asked: AskedAction, state: StateNow, type: Decision["type"] = "approve"): boolean =>
    decideStep(asked, { type } as Decision).refusal(state) === undefined;

  it("is an answer to the question of that id that asks for that action, as long as it allows that", () => {
    equal(isSent(action("a"), waiting(asks("a"))), true);
    equal(isSent(action("a"), waiting(asks("b"), asks("a"))), true);
    equal(isSent(action("a"), waiting(asks("b"))), false);
    equal(isSent(action("a"), waiting(asks("a", "drop"))), false);
    equal(isSent(action("a"), waiting(asks("a")), "reject"), false);
    equal(isSent(action("a"), waiting()), false);
  });

  it("is one to the only question where there are no ids", () => {
    equal(isSent(action(undefined), waiting(asks(undefined))), true);
    equal(isSent(action(undefined), waiting(asks("a"))), true);
    equal(isSent(action(undefined), waiting(asks("a"), asks("b"))), false);
    equal(isSent(action(undefined), waiting(asks(undefined, "drop"))), false);
  });

  it("says why it is not sent", () => {
    equal(
      decideStep(action("a"), { type: "approve" }).refusal(waiting()),
      "This thread does not wait for that answer any more.",
    );
    deepEqual(decideStep(action("a"), { type: "approve" }).body("chat", before), {
      assistant_id: "chat",
      command: { resume: { a: { decisions: [{ type: "approve" }] } } },
      metadata: { answered_with: "agent-operations" },
    });
  });

  it("is to go on from a breakpoint, where the thread stands at one", () => {
    const stands = (state: Partial<StateNow>): boolean =>
      continueStep.refusal({ ...stateOf({}), ...state }) === undefined;
    const row = (status: string, interrupts?: Record<string, readonly Interrupt[]>): Partial<StateNow> => ({
      row: { status, ...(interrupts && { interrupts }) },
    });
    equal(stands({ next: ["send"], ...row("interrupted", {}) }), true);
    equal(stands({ next: [], ...row("interrupted", {}) }), false);
    equal(stands({ next: ["send"], ...row("interrupted") }), true);
    equal(stands({ next: [], ...row("interrupted") }), false);
    equal(stands({ next: ["send"], ...row("busy") }), false);
    equal(stands({ next: ["send"] }), false);
    equal(stands({ ...waiting(asks("a")), next: ["ask"], ...row("interrupted") }), false);
    equal(stands({ next: ["send"], ...row("interrupted", { t: [asks("a")] }) }), false);
    equal(stands({ next: ["send"], ...row("idle", {}) }), false);
    equal(continueStep.refusal(stateOf({})), "This thread does not stand at a breakpoint any more.");
    deepEqual(continueStep.body("chat", before), {
      assistant_id: "chat",
      input: null,
      metadata: { answered_with: "agent-operations" },
    });
  });
});

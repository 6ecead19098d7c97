import { deepEqual } from "node:assert/strict";
import type { JsonObject, Run } from "../../../../src/api/agentServer/wire.ts";
import { answering, continuing, runBody, settingsOf } from "../../../../src/run/session/runBody.ts";

function run(kwargs: JsonObject): Run {
  const at = "2026-01-01T00:00:00Z";
  const ids = { run_id: "r", thread_id: "t", assistant_id: "a" };
  return { ...ids, status: "success", created_at: at, updated_at: at, metadata: {}, kwargs };
}

describe("What a run is sent with", () => {
  it("is a message where text was written, and JSON as it is", () => {
    const asked = { assistantId: "a", streamModes: [] };
    const messages = [{ role: "user", content: "Hi" }];
    deepEqual(runBody({ ...asked, input: { text: "Hi" } }), { assistant_id: "a", input: { messages } });
    deepEqual(runBody({ ...asked, input: { json: null } }), { assistant_id: "a", input: null });
  });

  it("has all that was chosen, in the server's names", () => {
    const body = runBody({
      assistantId: "a",
      input: { json: { topic: "Tides" } },
      streamModes: ["values"],
      metadata: { ticket: 1 },
      strategy: "enqueue",
      feedbackKeys: ["liked"],
      context: { model: "large" },
      configurable: { user: "me" },
      recursionLimit: 7,
      interruptBefore: ["publish"],
      interruptAfter: "*",
    });
    deepEqual(body, {
      assistant_id: "a",
      input: { topic: "Tides" },
      metadata: { ticket: 1 },
      multitask_strategy: "enqueue",
      feedback_keys: ["liked"],
      context: { model: "large" },
      config: { configurable: { user: "me" }, recursion_limit: 7 },
      interrupt_before: ["publish"],
      interrupt_after: "*",
    });
  });

  it("is told again by who goes on with a run, but for its input and what the server keeps", () => {
    const configurable = { thread_id: "t", checkpoint_id: "c", user: "me" };
    const first = run({
      input: { topic: "Tides" },
      context: { model: "large" },
      config: { configurable, recursion_limit: 7 },
      interrupt_before: ["publish"],
      interrupt_after: [],
    });
    const settings = { context: { model: "large" }, config: { recursion_limit: 7 } };
    deepEqual(settingsOf(first), settings);
    const told = { ...settings, interrupt_before: ["publish"] };
    const metadata = { answered_with: "agent-operations" };
    deepEqual(continuing("a", first), { ...told, assistant_id: "a", input: null, metadata });
    const command = { resume: { q: "yes" } };
    deepEqual(answering("a", "q", "yes", first), { ...told, assistant_id: "a", command, metadata });
  });

  it("is nothing more where nothing was told, or a server does not say", () => {
    for (const kwargs of [{}, { context: {}, config: {}, interrupt_before: null, interrupt_after: [] }])
      for (const like of [run(kwargs), undefined]) {
        deepEqual(settingsOf(like), {});
        const metadata = { answered_with: "agent-operations" };
        deepEqual(continuing("a", like), { assistant_id: "a", input: null, metadata });
      }
  });
});

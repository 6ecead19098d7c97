import { deepEqual, equal } from "node:assert/strict";
import type { Json, JsonObject, Run } from "../../../../src/api/agentServer/wire.ts";
import { answering, continuing } from "../../../../src/run/session/answerSteps.ts";
import { bodyAgain, runBody, settingsOf } from "../../../../src/run/session/runBody.ts";

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

describe("A run again", () => {
  const told = {
    input: { topic: "Tides" },
    config: {
      configurable: {
        user: "me",
        thread_id: "t",
        run_id: "r",
        checkpoint_id: "c",
        "user-agent": "node",
        "x-request-id": "1",
        __start: 1,
        langgraph_auth_user: null,
      },
      metadata: { created_by: "system" },
      recursion_limit: 7,
      tags: ["nightly"],
    },
    context: { model: "large" },
    stream_mode: ["values"],
    subgraphs: true,
    resumable: true,
    interrupt_after: "*",
  };

  it("is sent with what the first one was given, and nothing of what says which run that was", () => {
    const metadata = { ticket: 1, created_by: "system", graph_id: "g", assistant_id: "a", run_attempt: 1 };
    deepEqual(bodyAgain({ ...run(told), metadata, multitask_strategy: "enqueue" }), {
      assistant_id: "a",
      input: { topic: "Tides" },
      metadata: { ticket: 1 },
      config: { configurable: { user: "me" }, recursion_limit: 7, tags: ["nightly"] },
      context: { model: "large" },
      stream_mode: ["values"],
      stream_subgraphs: true,
      multitask_strategy: "enqueue",
      interrupt_after: "*",
    });
  });

  it("has the answer of a run that brought one", () => {
    const command = { resume: { q: "yes" } };
    deepEqual(bodyAgain(run({ input: null, command })), { assistant_id: "a", command });
  });

  it("is unknown where the server does not tell, where nothing was given, or where that is nested too deep", () => {
    let deep: Json = "core";
    for (let level = 0; level < 600; level += 1) deep = [deep];
    for (const kwargs of [{}, { input: null }, { input: { deep } }]) equal(bodyAgain(run(kwargs)), undefined);
  });
});

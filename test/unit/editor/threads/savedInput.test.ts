import { deepEqual, equal, match, ok } from "node:assert/strict";
import { readFileSync } from "node:fs";
import { join } from "node:path";
import type { Json } from "../../../../src/api/agentServer/wire.ts";
import type { RunRequest } from "../../../../src/run/panel/messages.ts";
import {
  optionsIn,
  ownerIn,
  readSavedInput,
  savedInputOf,
  savedText,
  type SavedInput,
  writtenIn,
} from "../../../../src/editor/threads/inputs/savedInput.ts";

const schema = JSON.parse(
  readFileSync(join(import.meta.dirname, "../../../../media/agentInput.schema.json"), "utf8"),
) as Json;
const facts = {
  assistants: [
    { id: "a1", name: "pipeline", graph: "pipeline" },
    { id: "b1", name: "Careful", graph: "react" },
    { id: "b2", name: "react", graph: "react" },
    { id: "c1", name: "The backend's agent" },
  ],
  composer: {
    assistantId: undefined,
    streamModes: ["messages-tuple", "updates"],
    strategy: undefined,
    feedbackKeys: ["user_score"],
  },
} as const;
const usual = { streamModes: ["messages-tuple", "updates"], feedbackKeys: ["user_score"] } as const;

function read(text: string): SavedInput {
  const reading = readSavedInput(text, schema);
  ok("saved" in reading, "problem" in reading ? reading.problem : "");
  return reading.saved;
}

function refused(value: unknown): string {
  const reading = readSavedInput(typeof value === "string" ? value : JSON.stringify(value, null, 2), schema);
  return "problem" in reading ? reading.problem : "";
}

describe("A saved input", () => {
  it("has what was written and chosen, and nothing that is as usual", () => {
    const request: RunRequest = { assistantId: "a1", input: { json: { topic: "Tides" } }, ...usual };
    const saved = savedInputOf(request, "form", facts);
    deepEqual(saved, { graph_id: "pipeline", input: { topic: "Tides" }, mode: "form" });
    deepEqual(optionsIn(saved), { mode: "form" });
    deepEqual(writtenIn(saved), { mode: "json", text: '{\n  "topic": "Tides"\n}' });
  });

  it("comes back as it was, with all that an agent can be told", () => {
    const request: RunRequest = {
      assistantId: "b1",
      input: { text: "Hello" },
      streamModes: ["values"],
      feedbackKeys: [],
      context: { model: "large" },
      configurable: { user: "me" },
      recursionLimit: 7,
      interruptBefore: "*",
      interruptAfter: ["draft", "grade"],
      strategy: "enqueue",
      metadata: { ticket: "OPS-1" },
    };
    const saved = read(savedText(savedInputOf(request, "text", facts))!.text);
    deepEqual(ownerIn(saved, facts.assistants)?.id, "b1");
    deepEqual(writtenIn(saved), { mode: "text", text: "Hello" });
    deepEqual(optionsIn(saved), {
      mode: "text",
      streamModes: ["values"],
      strategy: "enqueue",
      feedbackKeys: "",
      metadata: '{\n  "ticket": "OPS-1"\n}',
      context: '{\n  "model": "large"\n}',
      configurable: '{\n  "user": "me"\n}',
      recursionLimit: "7",
      interruptBefore: "*",
      interruptAfter: "draft, grade",
    });
  });

  it("is found by its graph on another server, and by its assistant where a graph has several", () => {
    const others = [
      { id: "x", name: "Other", graph: "pipeline" },
      { id: "y", name: "pipeline", graph: "pipeline" },
    ];
    equal(ownerIn({ graph_id: "pipeline", input: {} }, others)?.id, "y");
    equal(ownerIn({ graph_id: "react", assistant_id: "b1", input: {} }, others), undefined);
    equal(ownerIn({ graph_id: "react", input: {} }, others), undefined);
    const chat = savedInputOf({ assistantId: "c1", input: { text: "Hi" }, ...usual }, "text", facts);
    deepEqual(chat, { assistant_id: "c1", message: "Hi" });
    equal(ownerIn(chat, facts.assistants)?.id, "c1");
  });

  it("never holds a credential", () => {
    const request: RunRequest = {
      assistantId: "a1",
      input: { json: { openai_api_key: "sk-0123456789abcdefghij", topic: "Tides" } },
      ...usual,
      configurable: { password: "hunter2hunter2" },
    };
    const { text, isMasked } = savedText(savedInputOf(request, "json", facts))!;
    equal(isMasked, true);
    equal(/sk-0123|hunter2/.test(text), false);
    deepEqual(read(text).input, { openai_api_key: "•••", topic: "Tides" });
  });

  it("says of a file that is none what is wrong, and where", () => {
    match(refused("{"), /^Line 1, column 2: expected /);
    match(refused("[]"), /expected an object/);
    match(refused({ input: {} }), /“graph_id” is missing/);
    match(refused({ graph_id: "a" }), /either a “message” or an “input”/);
    match(refused({ graph_id: "a", message: "Hi", input: {} }), /either a “message” or an “input”/);
    match(refused({ graph_id: "a", input: {}, modes: [] }), /^Line 4: modes is not a field of this schema/);
    match(refused({ graph_id: 7, input: {} }), /^Line 2: graph_id must be text/);
    match(refused({ graph_id: "a", message: 7 }), /^Line 3: message must be text/);
    match(refused({ graph_id: "a", input: {}, stream_mode: ["words"] }), /stream_mode\.0 must be one of/);
    match(refused({ graph_id: "a", input: {}, config: { recursion_limit: 0 } }), /must be at least 1/);
    const config = { configurable: { checkpoint_id: "c" } };
    match(refused({ graph_id: "a", input: {}, config }), /checkpoint_id is not allowed here/);
    match(refused(`{"graph_id": "a", "input": ${"[".repeat(600)}${"]".repeat(600)}}`), /nothing deeper than/);
    equal(refused({ $schema: "./x", graph_id: "a", input: null }), "");
  });
});

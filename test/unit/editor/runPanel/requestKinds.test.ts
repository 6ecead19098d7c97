import { deepEqual, equal } from "node:assert/strict";
import { changeIn, pageRequestOf, type PageRequest } from "../../../../src/editor/runPanel/requestKinds.ts";

describe("messages of the page", () => {
  it("are taken when they have the shape of a request", () => {
    const requests = [
      { type: "ready" },
      { type: "painted", revision: 3 },
      { type: "start", request: { assistantId: "echo", input: { text: "hi" }, streamModes: ["values"] } },
      {
        type: "start",
        request: {
          assistantId: "echo",
          input: { json: null },
          streamModes: [],
          strategy: "interrupt",
          metadata: {},
        },
      },
      { type: "decide", interruptId: "i", decisions: [{ type: "approve" }, { type: "reject" }] },
      {
        type: "decide",
        interruptId: "i",
        decisions: [{ type: "edit", edited_action: { name: "a", args: {} } }],
      },
      { type: "resume", interruptId: "i", value: null },
      { type: "feedback", runId: "r", key: "liked", feedback: { score: 1, comment: "good" } },
      { type: "compareStep", name: "draft", lane: "", checkpoints: { before: "a", after: "b" } },
      {
        ...{ type: "compareStep", name: "draft", lane: "tools:1" },
        checkpoints: { before: "a", outcome: { taskId: "t", fields: ["error", "result"] } },
      },
      { type: "openText", text: "let a", language: "ts" },
      { type: "savePicture", data: "iVBORw0KGgo=" },
      { type: "repair", action: { verb: "retry", checkpointId: "a" } },
      { type: "saveInput", input: { problem: "nothing is written yet" } },
      {
        type: "saveInput",
        input: { mode: "text", request: { assistantId: "echo", input: { text: "hi" }, streamModes: [] } },
      },
    ];
    for (const request of requests) deepEqual(pageRequestOf(request), request);
  });

  it("are ignored when they don't", () => {
    const others: unknown[] = [
      undefined,
      "ready",
      { type: "toString" },
      { type: "evaluate", code: "1" },
      { type: "painted", revision: "3" },
      { type: "start", request: { assistantId: "echo", input: {}, streamModes: [] } },
      {
        type: "start",
        request: { assistantId: "echo", input: { text: "hi" }, streamModes: [], strategy: "crash" },
      },
      { type: "decide", interruptId: "i", decisions: [{ type: "edit" }] },
      { type: "feedback", runId: "r", key: "liked", feedback: { score: "1" } },
      { type: "compareStep", name: "draft", lane: "", checkpoints: { after: "b" } },
      {
        ...{ type: "compareStep", name: "draft", lane: "" },
        checkpoints: { before: "a", outcome: { taskId: "t", fields: ["constructor"] } },
      },
      { type: "openExternal", url: { toString: "x" } },
      { type: "openText", text: "let a" },
      { type: "saveInput", input: { mode: "text" } },
      { type: "saveInput", input: { mode: "picture", request: { assistantId: "echo" } } },
      { type: "savePicture", data: 1 },
      { type: "repair", action: { verb: "delete" } },
      { type: "repair", action: { verb: "resend", text: "to nobody" } },
    ];
    for (const message of others) equal(pageRequestOf(message), undefined, JSON.stringify(message));
  });
});

describe("requests of the page that change something", () => {
  it("are asked about with as much of what they send as a question has room for", () => {
    const start = (input: { readonly text: string } | { readonly json: null }): PageRequest => {
      return { type: "start", request: { assistantId: "echo", input, streamModes: [] } };
    };
    const answer = { type: "decide", interruptId: "i", decisions: [{ type: "approve" }, { type: "reject" }] };
    deepEqual(
      [
        start({ text: "hi" }),
        start({ text: "a".repeat(301) }),
        start({ json: null }),
        answer as PageRequest,
        { type: "resume" as const, interruptId: "i", value: { fine: true } },
        { type: "stop" as const },
      ].map((request) => changeIn(request)?.detail),
      ["hi", `${"a".repeat(300)}…`, "null", "approve, reject", '{"fine":true}', ""],
    );
  });

  it("are known: reading, copying and saving here change nothing there", () => {
    const readOnly: readonly PageRequest[] = [
      { type: "detach" },
      { type: "readEarlier" },
      { type: "copy", text: "t" },
      { type: "saveInput", input: { problem: "nothing is written yet" } },
    ];
    for (const request of readOnly) equal(changeIn(request), undefined, request.type);
  });
});

import { deepEqual, equal } from "node:assert/strict";
import { mock } from "node:test";
import { Page, type PageRequest, pageRequestOf } from "../../../../src/editor/runPanel/page.ts";
import type { PanelState, ToWebview } from "../../../../src/run/panel/messages.ts";
import type { TranscriptPatch } from "../../../../src/run/panel/transcript.ts";

function pageOf() {
  const sent: ToWebview[] = [];
  let pending: string[] = [];
  let state: PanelState = {
    title: "t",
    connection: "c",
    server: "s",
    threadId: "1",
    assistants: [],
    session: { kind: "idle" },
    unsupported: [],
    events: 0,
    earlier: "none",
    composer: { assistantId: undefined, streamModes: [], strategy: undefined, feedbackKeys: [] },
  };
  let listener = (): void => undefined;
  const session = {
    entries: [],
    events: 7,
    get streams() {
      return pending.length > 0;
    },
    listen(wanted: () => void) {
      listener = wanted;
      return () => {
        listener = () => undefined;
      };
    },
    takePatch(): TranscriptPatch | undefined {
      if (pending.length === 0) return undefined;
      const append = pending.map((text) => ({ id: "m", text }));
      pending = [];
      return { set: [], append };
    },
  };
  const asked: PageRequest[] = [];
  let deliver: (message: unknown) => void = () => undefined;
  const webview = {
    postMessage: (message: ToWebview) => Promise.resolve(sent.push(message) > 0),
    onDidReceiveMessage(receive: (message: unknown) => void) {
      deliver = receive;
      return { dispose: () => undefined };
    },
  };
  const problems: unknown[] = [];
  const handle = (request: PageRequest): Promise<void> => {
    asked.push(request);
    return request.type === "stop" ? Promise.reject(new Error("no server")) : Promise.resolve();
  };
  const page = new Page({
    ...{ webview, session, state: () => state, requests: { handle } },
    failed: (error) => problems.push(error),
    unknown: () => problems.push("unknown"),
  });
  const say = (message: unknown) => deliver(message);
  const ready = () => say({ type: "ready" });
  const painted = (revision: number) => say({ type: "painted", revision });
  const stream = (text: string) => {
    pending.push(text);
    listener();
  };
  const told = () =>
    sent.map((message) =>
      message.type === "patch" ? message.patch.append.map(({ text }) => text).join("") : message.type,
    );
  const change = (part: Partial<PanelState>) => {
    state = { ...state, ...part };
    page.changed();
  };
  return { page, asked, problems, say, ready, painted, change, stream, told };
}

describe("What goes to the page", () => {
  beforeEach(() => mock.timers.enable({ apis: ["setTimeout"] }));
  afterEach(() => mock.timers.reset());

  it("sends changes at once while at most three wait to be painted, and holds the rest until then", () => {
    const { ready, painted, stream, told } = pageOf();
    ready();
    stream("0");
    deepEqual(told(), ["snapshot"], "nothing goes on top of a snapshot that is not painted");
    painted(1);
    for (const text of ["a", "b", "c", "d", "e"]) stream(text);
    deepEqual(told(), ["snapshot", "0", "a", "b", "c"]);
    painted(2);
    deepEqual(told(), ["snapshot", "0", "a", "b", "c", "de"]);
    stream("f");
    painted(6);
    deepEqual(told(), ["snapshot", "0", "a", "b", "c", "de", "f"]);
  });

  it("has a run's heading, that it runs, and its first token on their way before any of them is painted", () => {
    const { ready, painted, stream, told } = pageOf();
    ready();
    painted(1);
    for (const text of ["heading", "runs", "token"]) stream(text);
    deepEqual(told(), ["snapshot", "heading", "runs", "token"]);
  });

  it("sends nothing before the page is there, and a snapshot when it comes back from being hidden", () => {
    const { ready, painted, stream, told } = pageOf();
    stream("a");
    deepEqual(told(), []);
    ready();
    painted(1);
    stream("b");
    ready();
    stream("c");
    deepEqual(told(), ["snapshot", "b", "snapshot"]);
    painted(3);
    deepEqual(told(), ["snapshot", "b", "snapshot", "c"]);
  });

  it("sends the state only when it changed", () => {
    const { ready, painted, change, told } = pageOf();
    ready();
    painted(1);
    for (const part of [{}, { events: 9 }, { title: "other" }]) {
      change(part);
      mock.timers.tick(20);
    }
    deepEqual(told(), ["snapshot", "state"]);
  });

  it("keeps what is no streaming text for a moment, to go with what follows", () => {
    const { ready, painted, change, stream, told } = pageOf();
    ready();
    painted(1);
    change({ title: "sending" });
    change({ title: "running" });
    deepEqual(told(), ["snapshot"]);
    stream("token");
    deepEqual(told(), ["snapshot", "state", "token"]);
    change({ title: "done" });
    mock.timers.tick(20);
    deepEqual(told(), ["snapshot", "state", "token", "state"]);
  });

  it("sends nothing to a page that is gone", () => {
    const { page, ready, painted, change, stream, told } = pageOf();
    ready();
    painted(1);
    change({ title: "other" });
    page.dispose();
    stream("a");
    mock.timers.tick(20);
    deepEqual(told(), ["snapshot"]);
  });

  it("puts the focus somewhere as soon as the page is there, also when it was hidden meanwhile", () => {
    const { page, ready, say, told } = pageOf();
    page.focus({ type: "search" });
    deepEqual(told(), []);
    ready();
    page.focus({ type: "focusComposer" });
    deepEqual(told(), ["snapshot", "search", "focusComposer"]);
    for (const _ of told().slice(1)) say({ type: "arrived" });
    page.hidden();
    page.focus({ type: "search" });
    equal(told().length, 3);
    ready();
    deepEqual(told().slice(3), ["snapshot", "search"]);
  });
});

describe("What a page got that is gone", () => {
  it("is sent again to the next one, and nothing that arrived", () => {
    const { page, ready, say, told } = pageOf();
    ready();
    page.focus({ type: "search" });
    say({ type: "arrived" });
    page.focus({ type: "focusComposer" });
    page.focus({ type: "askInput" });
    ready();
    deepEqual(told().slice(4), ["snapshot", "focusComposer", "askInput"]);
    for (const _ of [1, 2]) say({ type: "arrived" });
    ready();
    deepEqual(told().slice(7), ["snapshot"]);
  });
});

describe("What comes from the page", () => {
  it("is handed on when it is known, but for what the page says of itself", async () => {
    const { asked, problems, say } = pageOf();
    const messages = [{ type: "ready" }, { type: "painted", revision: 1 }, { type: "detach" }];
    for (const message of [...messages, { type: "evaluate", code: "1" }]) say(message);
    await Promise.resolve();
    deepEqual(asked, [{ type: "detach" }]);
    deepEqual(problems, ["unknown"]);
  });

  it("and goes wrong is told", async () => {
    const { problems, say } = pageOf();
    say({ type: "stop" });
    await Promise.resolve();
    deepEqual(problems.map(String), ["Error: no server"]);
  });
});

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

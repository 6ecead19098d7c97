import { deepEqual } from "node:assert/strict";
import { mock } from "node:test";
import { Post } from "../../../../src/editor/runPanel/page.ts";
import type { PanelState, ToWebview } from "../../../../src/run/panel/messages.ts";
import type { TranscriptPatch } from "../../../../src/run/panel/transcript.ts";

function postOf() {
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
  const source = {
    get state() {
      return state;
    },
    entries: [],
    events: 7,
    get streams() {
      return pending.length > 0;
    },
    takePatch(): TranscriptPatch | undefined {
      if (pending.length === 0) return undefined;
      const append = pending.map((text) => ({ id: "m", text }));
      pending = [];
      return { set: [], append };
    },
  };
  const post = new Post(source, (message) => sent.push(message));
  const stream = (text: string) => {
    pending.push(text);
    post.changed();
  };
  const told = () =>
    sent.map((message) =>
      message.type === "patch" ? message.patch.append.map(({ text }) => text).join("") : message.type,
    );
  const change = (part: Partial<PanelState>) => {
    state = { ...state, ...part };
    post.changed();
  };
  return { post, change, stream, told };
}

describe("posting to the page", () => {
  beforeEach(() => mock.timers.enable({ apis: ["setTimeout"] }));
  afterEach(() => mock.timers.reset());

  it("sends changes at once while at most three wait to be painted, and holds the rest until then", () => {
    const { post, stream, told } = postOf();
    post.ready();
    stream("0");
    deepEqual(told(), ["snapshot"], "nothing goes on top of a snapshot that is not painted");
    post.painted(1);
    for (const text of ["a", "b", "c", "d", "e"]) stream(text);
    deepEqual(told(), ["snapshot", "0", "a", "b", "c"]);
    post.painted(2);
    deepEqual(told(), ["snapshot", "0", "a", "b", "c", "de"]);
    stream("f");
    post.painted(6);
    deepEqual(told(), ["snapshot", "0", "a", "b", "c", "de", "f"]);
  });

  it("has a run's heading, that it runs, and its first token on their way before any of them is painted", () => {
    const { post, stream, told } = postOf();
    post.ready();
    post.painted(1);
    for (const text of ["heading", "runs", "token"]) stream(text);
    deepEqual(told(), ["snapshot", "heading", "runs", "token"]);
  });

  it("sends nothing before the page is there, and a snapshot when it comes back from being hidden", () => {
    const { post, stream, told } = postOf();
    stream("a");
    deepEqual(told(), []);
    post.ready();
    post.painted(1);
    stream("b");
    post.ready();
    stream("c");
    deepEqual(told(), ["snapshot", "b", "snapshot"]);
    post.painted(3);
    deepEqual(told(), ["snapshot", "b", "snapshot", "c"]);
  });

  it("sends the state only when it changed", () => {
    const { post, change, told } = postOf();
    post.ready();
    post.painted(1);
    for (const part of [{}, { events: 9 }, { title: "other" }]) {
      change(part);
      mock.timers.tick(20);
    }
    deepEqual(told(), ["snapshot", "state"]);
  });

  it("keeps what is no streaming text for a moment, to go with what follows", () => {
    const { post, change, stream, told } = postOf();
    post.ready();
    post.painted(1);
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
    const { post, change, stream, told } = postOf();
    post.ready();
    post.painted(1);
    change({ title: "other" });
    post.dispose();
    stream("a");
    mock.timers.tick(20);
    deepEqual(told(), ["snapshot"]);
  });
});

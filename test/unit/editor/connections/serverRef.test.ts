import { deepEqual, equal, ok } from "node:assert/strict";
import {
  connectedServerIn,
  isSameServer,
  isSameThread,
  serverFromText,
  serverText,
  threadKey,
} from "../../../../src/editor/connections/serverRef.ts";
import type { ServerRef } from "../../../../src/editor/connections/serverRef.ts";
import { threadOf } from "../../../../src/editor/connections/connection.ts";
import { PanelTargets } from "../../../../src/editor/runPanel/panelTargets.ts";
import { TestMemento } from "../../../support/testMemento.ts";

const written: readonly (readonly [string, ServerRef])[] = [
  [
    "9f0c0a3e-0000-4000-8000-000000000001",
    { kind: "deployment", deploymentId: "9f0c0a3e-0000-4000-8000-000000000001" },
  ],
  ["http://127.0.0.1:2024", { kind: "agentServer", url: "http://127.0.0.1:2024" }],
  ["chat:https://chat.example/api", { kind: "chatBackend", url: "https://chat.example/api" }],
  ["agent:7", { kind: "managedAgent", agentId: "7" }],
];

describe("the server of a thread", () => {
  it("is written down as it always was, and read again", () => {
    for (const [text, server] of written) {
      equal(serverText(server), text);
      deepEqual(serverFromText(text), server);
    }
  });

  it("is found in what an older window or a person's key binding names", () => {
    for (const [serverId, server] of written) {
      deepEqual(connectedServerIn({ connectionId: "c", serverId }), { connectionId: "c", server });
      deepEqual(connectedServerIn({ connectionId: "c", server, threadId: "t" }), {
        connectionId: "c",
        server,
      });
    }
    const none = [undefined, null, "c", {}, { connectionId: "c" }, { serverId: "s" }];
    const wrong = [
      { kind: "chatBackend" },
      { kind: "toString", url: "u" },
      { kind: "agentServer", url: 1 },
      "s",
    ];
    for (const value of [...none, ...wrong.map((server) => ({ connectionId: "c", server }))])
      equal(connectedServerIn(value), undefined, JSON.stringify(value));
  });

  it("is the same only with the same connection, kind and id", () => {
    const [first, ...others] = written.map(([, server]) => ({ connectionId: "c", server }));
    ok(isSameServer(first!, { connectionId: "c", server: { ...first!.server } }));
    ok(!isSameServer(first!, { ...first!, connectionId: "d" }));
    for (const other of others) ok(!isSameServer(first!, other));
    ok(!isSameThread(first!, first!));
    ok(isSameThread({ ...first!, threadId: "t" }, { ...first!, threadId: "t" }));
    ok(!isSameThread({ ...first!, threadId: "t" }, { ...first!, threadId: "u" }));
    const threads = [...others, first!].flatMap((one) => ["t", "u"].map((id) => ({ ...one, threadId: id })));
    equal(new Set(threads.map(threadKey)).size, threads.length);
  });

  it("comes back with a panel that an older window kept", () => {
    const memory = new TestMemento();
    const place = { connectionId: "c", serverId: "chat:http://b", threadId: "t" };
    memory.set("runPanel.places", { panel: place });
    const targets = new PanelTargets(memory);
    const server = { kind: "chatBackend", url: "http://b" } as const;
    const unsaid = { testRun: undefined, assistantId: undefined };
    deepEqual(targets.get("panel"), { connectionId: "c", server, threadId: "t", ...unsaid });
    equal(targets.get("other"), undefined);
    for (const [at, [, other]] of written.entries()) {
      const target = {
        connectionId: "c",
        server: other,
        threadId: undefined,
        testRun: true,
        assistantId: "a",
      };
      targets.keep(`new ${at}`, target);
      deepEqual(targets.get(`new ${at}`), target);
    }
  });

  it("is part of the thread that a row, a row under a key or another caller names", () => {
    for (const [serverId, server] of written) {
      const thread = { connectionId: "c", server, threadId: "t" };
      for (const value of [thread, { ref: thread }, [{ ref: thread }], { ...thread, server: {}, serverId }])
        deepEqual(threadOf(value), thread);
    }
    for (const value of [undefined, [], [[]], "t", { connectionId: "c", threadId: "t" }])
      equal(threadOf(value), undefined);
  });
});

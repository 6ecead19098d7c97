import { deepEqual, equal, rejects } from "node:assert/strict";
import type { PageRequest } from "../../../../src/editor/runPanel/page.ts";
import type { PageRequestsParts } from "../../../../src/editor/runPanel/pageRequests.ts";
import "../fakeVscode.ts";

const { changeIn, PageRequests } = await import("../../../../src/editor/runPanel/pageRequests.ts");

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

describe("a request whose connection can't be asked", () => {
  it("is refused to the page, which waits for an answer, and rejects with the reason", async () => {
    const sent: unknown[] = [];
    const send = (message: unknown): void => void sent.push(message);
    const connections = {
      resolve: () => {
        throw new Error("The graphs of demo are not running.");
      },
    };
    const target = { connectionId: "graphs" };
    const requests = new PageRequests({ connections, target, send } as unknown as PageRequestsParts);
    const start = { assistantId: "echo", input: { text: "a long message" }, streamModes: [] };
    const all: readonly PageRequest[] = [
      { type: "start", request: start },
      { type: "decide", interruptId: "i", decisions: [{ type: "approve" }] },
      { type: "resume", interruptId: "i", value: 1 },
      { type: "stop" },
    ];
    for (const request of all) await rejects(requests.handle(request), /demo are not running/);
    // The notification says why: the page says it no second time.
    deepEqual(
      sent,
      all.map(({ type }) => ({ type: "refused", request: type, message: "Not sent.", shown: true })),
    );
  });
});

describe("an agent that the page chooses", () => {
  it("is asked about at once where it is the first, and else only where the page stays with it", async () => {
    const asked: string[] = [];
    const sent: unknown[] = [];
    const facts = {
      agent: (assistantId: string) => ({ assistantId }),
      loadAgent: (assistantId: string, again: boolean) => {
        asked.push(again ? `${assistantId} again` : assistantId);
        return Promise.resolve(true);
      },
    };
    const send = (message: unknown): void => void sent.push(message);
    const requests = new PageRequests({ facts, send } as unknown as PageRequestsParts);
    const choose = (assistantId: string, again = false) =>
      requests.handle({ type: "agent", assistantId, again });
    const all = [choose("first")];
    deepEqual(asked, ["first"]);
    all.push(choose("passed"), choose("second"));
    deepEqual(asked, ["first"]);
    await Promise.all(all);
    deepEqual(asked, ["first", "second"]);
    await choose("second", true);
    deepEqual(asked, ["first", "second", "second again"]);
    const told = ["first", "passed", "second", "first", "second", "second", "second"];
    deepEqual(
      sent,
      told.map((assistantId) => ({ type: "agent", agent: { assistantId } })),
    );
  });
});

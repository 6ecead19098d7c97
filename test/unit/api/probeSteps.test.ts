import { deepEqual, equal } from "node:assert/strict";
import { mock } from "node:test";
import { ApiError } from "../../../src/api/errors.ts";
import { probeInterface } from "../../../src/api/probe/interfaces.ts";
import type { ProbeTarget } from "../../../src/api/probe/index.ts";
import { timed } from "../../../src/api/probe/step.ts";
import { all } from "../../support/all.ts";
import { AnsweringAgent, bodyOf, type Scripted } from "./answeringAgent.ts";

describe("A step of a probe", () => {
  it("takes as long as it took, to a tenth of a millisecond", async () => {
    const times = [1000, 1012.34];
    const now = mock.method(performance, "now", () => times.shift() ?? 0);
    try {
      deepEqual(await timed("x", () => Promise.resolve({ outcome: "ok", detail: "fine" })), {
        name: "x",
        outcome: "ok",
        detail: "fine",
        ms: 12.3,
      });
    } finally {
      now.mock.restore();
    }
  });

  it("fails with whatever it throws, of several failures with the first", async () => {
    const failing = async (error: Error): Promise<readonly string[]> => {
      const { outcome, detail } = await timed("x", () => Promise.reject(error));
      return [outcome, detail];
    };
    deepEqual(await failing(new Error("no")), ["failed", "no"]);
    deepEqual(await failing(new AggregateError([new Error("first"), new Error("second")])), [
      "failed",
      "first",
    ]);
  });
});

describe("The questions of a probe", () => {
  /** What is asked of an interface that answers so, and what is found. */
  async function asked(
    kind: ProbeTarget["kind"],
    answer: (path: string) => Scripted,
    dialect?: ProbeTarget["dialect"],
  ) {
    await using dispatcher = new AnsweringAgent(({ path }) => answer(path));
    const steps = await all(probeInterface({ kind, url: "http://a.example", dialect }, { dispatcher }));
    return {
      asked: dispatcher.asked.map((request) => {
        const sent = bodyOf(request);
        return [request.method, request.path, ...(sent === undefined ? [] : [sent])];
      }),
      found: steps.map(({ outcome, detail }) => `${outcome}: ${detail.replace(" · http://a.example", "")}`),
      error: steps.at(-1)?.error,
    };
  }
  const tree = { id: 1, method: "agent.getTree", params: {} };
  const noThread = "00000000-0000-4000-8000-000000000000";

  it("are those of each interface, and none changes anything", async () => {
    const of = async (kind: ProbeTarget["kind"]) => (await asked(kind, () => ({ body: ["[]"] }))).asked;
    deepEqual(await of("agentServer"), [
      ["GET", "/ok"],
      ["GET", "/info"],
      ["POST", "/threads/search", { limit: 1 }],
      ["POST", `/threads/${noThread}/commands`, tree],
    ]);
    deepEqual(await of("streamingProtocol"), [
      ["POST", `/api/threads/${noThread}/commands`, tree],
      ["GET", "/api/threads"],
    ]);
    deepEqual(await of("managedAgents"), [["GET", "/v1/managed/agents?page_size=1"]]);
    deepEqual(await of("controlPlane"), [["GET", "/v2/deployments?limit=1"]]);
    deepEqual(await of("bulkExports"), [["GET", "/api/v1/bulk-exports/destinations"]]);
  });

  it("go to the managed agents by the name that the platform has for them", async () => {
    for (const [dialect, root] of [
      [undefined, "managed"],
      ["standard", "managed"],
      ["langsmith", "deepagents"],
    ] as const) {
      const found = await asked("managedAgents", () => ({ body: ["[]"] }), dialect);
      deepEqual(found.asked, [["GET", `/v1/${root}/agents?page_size=1`]]);
    }
  });

  it("are answered in words", async () => {
    const found = async (body: string) => (await asked("managedAgents", () => ({ body: [body] }))).found;
    deepEqual(await found("[]"), ["ok: answers, with nothing in it yet"]);
    deepEqual(await found("[1]"), ["ok: answers"]);
    deepEqual(await found(""), ["ok: answers"]);
    deepEqual(await found('{"version":"1.2"}'), ["ok: answers, version 1.2"]);
    deepEqual(await found('{"type":"error","message":"no tree"}'), ["ok: answers: no tree"]);
    deepEqual(await found('{"type":"error"}'), ["ok: answers: an error"]);
  });

  it("end with the first that fails, but for what a server may do without", async () => {
    const missing = await asked("agentServer", (path) =>
      path === "/info" || path.endsWith("/commands") ? { status: 404 } : { body: ["{}"] },
    );
    deepEqual(missing.found, [
      "ok: answers",
      "skipped: not supported (404)",
      "ok: answers",
      "skipped: not supported (404)",
    ]);
    const broken = await asked("agentServer", (path) =>
      path === "/info" ? { status: 500 } : { body: ["{}"] },
    );
    equal(broken.found.length, 2);
    equal(broken.error instanceof ApiError && broken.error.status, 500);
    equal((await asked("agentServer", () => ({ status: 404 }))).found.length, 1);
  });
});

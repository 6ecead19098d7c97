import { deepEqual } from "node:assert/strict";
import "../fakeVscode.ts";
import type { ToWebview } from "../../../../src/run/panel/messages.ts";
import type { PageRequestsParts } from "../../../../src/editor/runPanel/pageRequests.ts";

describe("What a panel's page asks for", () => {
  it("is asked again of the workspace's server once that has loaded its graphs anew", async () => {
    const { PageRequests } = await import("../../../../src/editor/runPanel/pageRequests.ts");
    const asked: boolean[] = [];
    const sent: ToWebview["type"][] = [];
    let state: object = { kind: "running", reloading: true };
    let schemas = { kind: "failed" };
    const requests = new PageRequests({
      target: { connectionId: "c" },
      graphs: { state: () => state },
      facts: {
        agent: () => ({ schemas }),
        loadAgent: (_: string, again: boolean) => Promise.resolve(asked.push(again) > 0),
      },
      send: ({ type }: ToWebview) => sent.push(type),
    } as unknown as PageRequestsParts);
    await requests.serverChanged();
    await requests.handle({ type: "agent", assistantId: "a" });
    await requests.serverChanged();
    deepEqual(asked, [false]);
    state = { kind: "running", reloading: false };
    await requests.serverChanged();
    deepEqual(asked, [false, true]);
    deepEqual(sent, ["agent", "agent", "agent", "agent"]);
    schemas = { kind: "known" };
    await requests.serverChanged();
    deepEqual(asked, [false, true]);
  });
});

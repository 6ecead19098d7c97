import { equal } from "node:assert/strict";
import type { PlatformNode } from "../../../../src/editor/views/platform/platformView.ts";
import "../fakeVscode.ts";

const { emptyReason } = await import("../../../../src/editor/views/deployments/emptyReason.ts");

type Arguments = Parameters<typeof emptyReason>;

describe("The empty Deployments view", () => {
  it("tells of its one connection, whatever was seen of one that is gone", () => {
    const threads = { matching: 0, rest: () => undefined };
    const seen: string[] = [];
    const threadListings = {
      filter: { text: "nobody" },
      on: (id: string) => seen.filter((one) => one === id).map(() => ({ threads })),
    };
    const services = {
      connections: { list: () => [{ id: "here" }], get: () => ({ kind: "agentServer" }) },
      threadListings,
      deployments: { filter: {} },
    };
    const rows = { deployments: () => undefined };
    const shown = { services, rows } as unknown as Arguments[1];
    const roots = [{ ref: { connectionId: "here" }, known: [] }] as unknown as readonly PlatformNode[];
    for (const connectionId of ["here", "gone"]) {
      seen.push(connectionId);
      equal(emptyReason(roots, shown), "filtered", `with the server of the connection “${connectionId}”`);
    }
  });
});

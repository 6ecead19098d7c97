import { equal } from "node:assert/strict";
import type { TreeNode } from "../../../../src/editor/kit/tree/node.ts";
import type { PlatformNode } from "../../../../src/editor/views/platform/platformView.ts";
import "../fakeVscode.ts";

const { emptyReason } = await import("../../../../src/editor/views/deployments/emptyReason.ts");
const { ShownServers } = await import("../../../../src/editor/views/deployments/shownServers.ts");

type Arguments = Parameters<typeof emptyReason>;

describe("The empty Deployments view", () => {
  it("tells of its one connection, whatever was seen of one that is gone", () => {
    const threads = { matching: 0, rest: () => undefined };
    const threadListings = {
      filter: { text: "nobody" },
      of: (ref: { readonly connectionId: string }) => ({ ref, threads }),
      leave: () => undefined,
    };
    const servers = new ShownServers({ threadListings } as unknown as Arguments[1]["services"]);
    const services = {
      connections: { list: () => [{ id: "here" }], get: () => ({ kind: "agentServer" }) },
      threadListings,
      deployments: { filter: {} },
    };
    const rows = { deployments: () => undefined };
    const shown = { services, rows, servers } as unknown as Arguments[1];
    const roots = [{ ref: { connectionId: "here" }, known: [] }] as unknown as readonly PlatformNode[];
    for (const connectionId of ["here", "gone"]) {
      const server = { url: `http://${connectionId}.test` };
      const ref = { connectionId, server, name: "", url: server.url };
      servers.below({ id: connectionId } as TreeNode, ref as Parameters<typeof servers.below>[1]);
      equal(emptyReason(roots, shown), "filtered", `with the server of the connection “${connectionId}”`);
    }
  });
});

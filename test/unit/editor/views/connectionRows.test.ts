import { deepEqual, notEqual } from "node:assert/strict";
import type { AgentServerRef } from "../../../../src/editor/connections/connection.ts";
import type { DeploymentFacts } from "../../../../src/editor/deployments/deploymentFacts.ts";
import type { PlatformNode } from "../../../../src/editor/views/platform/platformView.ts";
import type { TreeNode } from "../../../../src/editor/kit/tree/node.ts";
import { served } from "../deployments/countedPlane.ts";
import "../fakeVscode.ts";

const { ConnectionRows } = await import("../../../../src/editor/views/deployments/connectionRows.ts");
const { ShownServers } = await import("../../../../src/editor/views/deployments/shownServers.ts");

type Needs = ConstructorParameters<typeof ConnectionRows>;

const parent = { id: "p", connectionId: "p", ref: { connectionId: "p" } } as unknown as PlatformNode;
const named: AgentServerRef = {
  ...{ connectionId: "p", name: "Named", url: "https://named.test" },
  server: { kind: "agentServer", url: "https://named.test" },
};

describe("The rows below a platform", () => {
  let items: readonly DeploymentFacts[];
  let left: string[];
  let servers: InstanceType<typeof ShownServers>;
  let rows: InstanceType<typeof ConnectionRows>;

  beforeEach(async () => {
    [items, left] = [[factsOf("one"), factsOf("two")], []];
    const deployments = {
      of: () => ({ loaded: true, isListed: true, items, load: () => Promise.resolve() }),
    };
    const threadListings = {
      of: (ref: AgentServerRef) => ({ ref }),
      leave: ({ server }: AgentServerRef) =>
        left.push(server.kind === "deployment" ? server.deploymentId : server.kind),
    };
    const services = {
      ...{ deployments: { ...deployments, filter: {} }, threadListings },
      connectionFindings: { find: () => Promise.resolve(), of: () => ({ named: [named] }) },
      connections: { get: () => ({ kind: "platform" }), list: () => [] },
      platforms: { hasControlPlane: () => true },
    };
    const host = { refresh: "agentOperations.deployments.refresh", changed: () => undefined };
    servers = new ShownServers(services as unknown as Needs[0]);
    rows = new ConnectionRows(...([services, servers, host] as unknown as Needs));
    await rows.load(parent, new AbortController().signal);
    const owner = (id: string) => ({ id }) as TreeNode;
    for (const id of ["one", "two"]) servers.below(owner(id), serverOf(id));
    servers.below(owner("named"), named);
  });

  it("are drawn without a server being left", () => {
    items = [factsOf("one")];
    notEqual(rows.known(parent), undefined);
    deepEqual([left, servers.all.length], [[], 3]);
  });

  it("have their servers asked no more once they are gone, or nothing of them runs", () => {
    rows.leaveGone("p");
    deepEqual(left, []);
    items = [{ ...factsOf("one"), deployment: { id: "one" } }];
    rows.leaveGone("p");
    deepEqual([left, servers.all.map(({ listing }) => listing.ref.name)], [["one", "two"], ["Named"]]);
  });
});

function serverOf(id: string): AgentServerRef {
  return {
    ...{ connectionId: "p", name: id, url: `https://${id}.test` },
    server: { kind: "deployment", deploymentId: id },
  };
}

function factsOf(id: string): DeploymentFacts {
  return {
    id,
    origin: "listed",
    deployment: { ...served(id), url: `https://${id}.test` },
    latest: undefined,
  };
}

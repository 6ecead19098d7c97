import { deepEqual, notEqual } from "node:assert/strict";
import type { AgentServerRef } from "../../../../src/editor/connections/connection.ts";
import type { DeploymentFacts } from "../../../../src/editor/deployments/deploymentFacts.ts";
import type { PlatformNode } from "../../../../src/editor/views/platform/platformView.ts";
import { TestMemento } from "../../../support/testMemento.ts";
import { served } from "../deployments/countedPlane.ts";
import "../fakeVscode.ts";

const { ConnectionRows } = await import("../../../../src/editor/views/deployments/connectionRows.ts");
const { ThreadListings } = await import("../../../../src/editor/threads/threadListings.ts");

type Needs = ConstructorParameters<typeof ConnectionRows>;

const parent = { id: "p", connectionId: "p", ref: { connectionId: "p" } } as unknown as PlatformNode;
const named: AgentServerRef = {
  ...{ connectionId: "p", name: "Named", url: "https://named.test" },
  server: { kind: "agentServer", url: "https://named.test" },
};

describe("The rows below a platform", () => {
  let items: readonly DeploymentFacts[];
  let threadListings: InstanceType<typeof ThreadListings>;
  let rows: InstanceType<typeof ConnectionRows>;

  beforeEach(async () => {
    items = [factsOf("one"), factsOf("two")];
    const deployments = {
      of: () => ({ loaded: true, isListed: true, items, load: () => Promise.resolve() }),
    };
    const threads = { onDidChange: () => ({ dispose: () => undefined }) };
    const needs = { context: { workspaceState: new TestMemento() }, threads };
    threadListings = new ThreadListings(needs as unknown as ConstructorParameters<typeof ThreadListings>[0]);
    const services = {
      ...{ deployments: { ...deployments, filter: {} }, threadListings },
      connectionFindings: { find: () => Promise.resolve(), of: () => ({ named: [named] }) },
      connections: { get: () => ({ kind: "platform" }), list: () => [] },
      platforms: { hasControlPlane: () => true },
    };
    const host = { refresh: "agentOperations.deployments.refresh", changed: () => undefined };
    rows = new ConnectionRows(...([services, host] as unknown as Needs));
    await rows.load(parent, new AbortController().signal);
    for (const ref of [serverOf("one"), serverOf("two"), named]) threadListings.of(ref);
  });

  it("are drawn without a server being left", () => {
    items = [factsOf("one")];
    notEqual(rows.known(parent), undefined);
    deepEqual(asked(), ["one", "two", "Named"]);
  });

  it("have their servers asked no more once they are gone, or nothing of them runs", () => {
    rows.leaveGone("p");
    deepEqual(asked(), ["one", "two", "Named"]);
    items = [{ ...factsOf("one"), deployment: { id: "one" } }];
    rows.leaveGone("p");
    deepEqual(asked(), ["Named"]);
  });

  function asked(): readonly string[] {
    return threadListings.all.map(({ ref }) => ref.name);
  }
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

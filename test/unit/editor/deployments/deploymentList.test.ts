import assert from "node:assert/strict";
import type { Deployment } from "../../../../src/api/controlPlane/wire.ts";
import { ApiError } from "../../../../src/api/errors.ts";
import { DeploymentList } from "../../../../src/editor/deployments/deploymentList.ts";
import type { RememberedDeployment } from "../../../../src/editor/deployments/deploymentList.ts";
import { DeploymentReader, isUnsettled } from "../../../../src/editor/deployments/deploymentFacts.ts";
import type { DeploymentFilter } from "../../../../src/editor/deployments/deploymentFilter.ts";
import { Plane, served } from "./countedPlane.ts";

function listOf(
  plane: Plane,
  options: { pageSize?: number; filter?: DeploymentFilter; remembered?: RememberedDeployment[] } = {},
): DeploymentList {
  const { pageSize = 20, filter = {}, remembered = [] } = options;
  return new DeploymentList(plane.source, { pageSize, filter, remembered: () => remembered });
}

const ids = (list: DeploymentList) => list.items.map(({ id }) => id);

describe("A list of deployments", () => {
  it("costs one request when everything that is latest is served", async () => {
    const plane = new Plane();
    plane.deployments = [served("a"), served("b")];
    const list = listOf(plane);
    await list.load();
    assert.deepEqual(plane.take(), ["list 0+20"]);
    assert.deepEqual(
      list.items.map(({ latest }) => latest?.status),
      ["DEPLOYED", "DEPLOYED"],
    );
    assert.equal(await list.poll(), false);
    assert.deepEqual(plane.take(), ["list 0+20"]);
    assert.equal(list.busy, false);
  });

  it("asks for a latest revision that is not served until it has ended, and then never again", async () => {
    const plane = new Plane();
    plane.deployments = [{ ...served("a"), latest_revision_id: "new" }];
    plane.revisions.set("new", { id: "new", status: "BUILDING" });
    const list = listOf(plane);
    await list.load();
    assert.deepEqual(plane.take(), ["list 0+20", "revision new"]);
    assert.equal(list.busy, true);
    plane.revisions.set("new", { id: "new", status: "BUILD_FAILED" });
    assert.equal(await list.poll(), true);
    assert.equal(list.items[0]?.latest?.status, "BUILD_FAILED");
    assert.equal(list.busy, false);
    plane.take();
    await list.poll();
    assert.deepEqual(plane.take(), ["list 0+20"]);
  });

  it("takes a status that nobody knows for one that may change", async () => {
    const plane = new Plane();
    plane.deployments = [served("a", "HIBERNATING")];
    const list = listOf(plane);
    await list.load();
    assert.equal(list.items.every(isUnsettled), true);
    assert.equal(list.items[0]?.deployment?.status, "HIBERNATING");
  });

  it("does not ask again for a revision that ended while another list of the same platform was read", async () => {
    const plane = new Plane();
    plane.deployments = [{ ...served("a"), latest_revision_id: "r-failed" }];
    plane.revisions.set("r-failed", { id: "r-failed", status: "BUILD_FAILED" });
    const options = { pageSize: 20, filter: {}, remembered: () => [], reader: new DeploymentReader() };
    await new DeploymentList(plane.source, options).load();
    plane.take();
    await new DeploymentList(plane.source, options).load();
    assert.deepEqual(plane.take(), ["list 0+20"]);
  });

  it("loads more on demand, keeps what was loaded over polls, and notices what came and went", async () => {
    const plane = new Plane();
    plane.deployments = ["a", "b", "c", "d", "e"].map((id) => served(id));
    const list = listOf(plane, { pageSize: 2 });
    await list.load();
    assert.equal(list.hasMore, true);
    await list.loadMore();
    assert.deepEqual(ids(list), ["a", "b", "c", "d"]);
    plane.deployments = ["new", "a", "c", "d", "e"].map((id) => served(id));
    assert.equal(await list.poll(), true);
    assert.deepEqual(ids(list), ["new", "a", "c", "d"]);
    assert.equal(list.hasMore, true);
    await list.loadMore();
    assert.deepEqual(ids(list), ["new", "a", "c", "d", "e"]);
    assert.equal(list.hasMore, false);
  });

  it("shows those that are known by id after the listed ones, each once", async () => {
    const plane = new Plane();
    plane.deployments = [served("a"), served("b"), served("c")];
    const remembered = [
      { id: "c", origin: "added" },
      { id: "a", origin: "created" },
    ] as const;
    const list = listOf(plane, { pageSize: 1, remembered: [...remembered] });
    await list.load();
    assert.deepEqual(
      list.items.map(({ id, origin }) => [id, origin]),
      [
        ["a", "listed"],
        ["c", "added"],
      ],
    );
  });

  it("cannot read a revision and shows the deployment nevertheless", async () => {
    const plane = new Plane();
    plane.deployments = [{ id: "a", latest_revision_id: "lost" }];
    const list = listOf(plane);
    await list.load();
    assert.deepEqual(ids(list), ["a"]);
    assert.equal(list.items[0]?.latest, undefined);
  });
});

describe("A list of deployments on a control plane that lists none", () => {
  const remembered: RememberedDeployment[] = [
    { id: "a", origin: "added" },
    { id: "b", origin: "created" },
    { id: "gone", origin: "added" },
  ];

  it("has those that are known by id; one that is gone stays with the reason", async () => {
    const plane = new Plane();
    plane.hasList = false;
    plane.deployments = [served("a"), served("b")];
    const list = listOf(plane, { remembered });
    await list.load();
    assert.equal(list.isListed, false);
    assert.equal(list.hasMore, false);
    assert.deepEqual(ids(list), ["a", "b", "gone"]);
    const lost = list.items[2]?.error;
    assert.ok(lost instanceof ApiError && lost.kind === "notFound");
  });

  it("asks for one of them in turn, and for all that are on their way", async () => {
    const plane = new Plane();
    plane.hasList = false;
    plane.deployments = [served("a"), { ...served("b"), latest_revision_id: "new" }];
    plane.revisions.set("new", { id: "new", status: "QUEUED" });
    const list = listOf(plane, { remembered: remembered.slice(0, 2) });
    await list.load();
    plane.take();
    await list.poll();
    assert.deepEqual(plane.take().toSorted(), ["get a", "get b", "revision new"]);
    await list.poll();
    assert.deepEqual(plane.take().toSorted(), ["get b", "revision new"]);
  });

  it("filters them here by name and status", async () => {
    const plane = new Plane();
    plane.hasList = false;
    plane.deployments = [served("alpha"), served("beta", "UNUSED")];
    const known: RememberedDeployment[] = ["alpha", "beta"].map((id) => ({ id, origin: "added" }));
    const found = async (filter: DeploymentFilter) => {
      const list = listOf(plane, { remembered: known, filter });
      await list.load();
      return ids(list);
    };
    assert.deepEqual(await found({ name: "ALP" }), ["alpha"]);
    assert.deepEqual(await found({ status: "UNUSED" }), ["beta"]);
    assert.deepEqual(await found({ name: "alp", status: "UNUSED" }), []);
  });
});

describe("A list that the platform can't find or order so", () => {
  const many = (count: number): Deployment[] =>
    Array.from({ length: count }, (_, index) => served(`d${String(index).padStart(3, "0")}`));

  it("reads all deployments, and shows those that are wanted", async () => {
    const plane = new Plane();
    plane.deployments = [...many(150), { ...served("broken"), latest_revision_id: "new" }];
    plane.revisions.set("new", { id: "new", status: "DEPLOY_FAILED" });
    const list = listOf(plane, { pageSize: 20, filter: { state: "failed" } });
    await list.load();
    assert.deepEqual(plane.take(), ["list 0+100", "list 100+100", "revision new"]);
    assert.deepEqual([ids(list), list.hasMore], [["broken"], false]);
  });

  it("reads one later page anew with each poll, in turn", async () => {
    const plane = new Plane();
    plane.deployments = many(250);
    const list = listOf(plane, { filter: { order: "name" } });
    await list.load();
    plane.take();
    for (const id of ["d120", "d220"]) {
      plane.deployments = plane.deployments.map((one) =>
        one.id === id ? { ...one, status: "UNUSED" } : one,
      );
    }
    await list.poll();
    await list.poll();
    assert.deepEqual(plane.take().toSorted(), ["list 0+100", "list 0+100", "list 100+100", "list 200+100"]);
    const unused = list.items.filter(({ deployment }) => deployment?.status === "UNUSED");
    assert.deepEqual(
      unused.map(({ id }) => id),
      ["d120", "d220"],
    );
  });

  it("keeps one that was searched for, although its page was not read, until it is gone", async () => {
    const plane = new Plane();
    plane.deployments = many(30);
    const remembered: RememberedDeployment[] = [];
    const list = listOf(plane, { pageSize: 20, remembered });
    await list.load();
    remembered.push({ id: "d025", origin: "found" });
    await list.refresh("d025");
    await list.poll();
    await list.load();
    assert.ok(ids(list).includes("d025"));
    plane.deployments = plane.deployments.filter(({ id }) => id !== "d025");
    await list.poll();
    assert.ok(!ids(list).includes("d025"));
  });

  it("shows one as soon as it is in the wanted state, and no longer than that", async () => {
    const plane = new Plane();
    plane.deployments = [{ ...served("moving"), latest_revision_id: "new" }];
    plane.revisions.set("new", { id: "new", status: "DEPLOYING" });
    const list = listOf(plane, { filter: { state: "failed" } });
    await list.load();
    assert.deepEqual([ids(list), list.busy], [[], true]);
    plane.revisions.set("new", { id: "new", status: "DEPLOY_FAILED" });
    assert.equal(await list.poll(), true);
    assert.deepEqual(ids(list), ["moving"]);
    plane.deployments = [served("moving")];
    await list.refresh("moving");
    assert.deepEqual(ids(list), []);
  });
});

describe("One deployment of a list", () => {
  it("is read anew after something was done to it, put in when it is new, and taken out when it is gone", async () => {
    const plane = new Plane();
    plane.deployments = [served("a")];
    const list = listOf(plane);
    await list.load();
    plane.deployments = [served("a", "AWAITING_DELETE"), served("b")];
    await list.refresh("a");
    await list.refresh("b");
    assert.deepEqual(
      list.items.map(({ id, deployment }) => [id, deployment?.status]),
      [
        ["b", "READY"],
        ["a", "AWAITING_DELETE"],
      ],
    );
    plane.deployments = [served("b")];
    await list.refresh("a");
    assert.deepEqual(ids(list), ["b"]);
  });

  it("keeps a page that comes while it polls", async () => {
    const plane = new Plane();
    plane.deployments = ["a", "b", "c", "d", "e"].map((id) => served(id));
    const gate = Promise.withResolvers<unknown>();
    let waits = false;
    const list = new DeploymentList(
      async () => {
        const { deployments, revisions } = await plane.source();
        return {
          revisions,
          deployments: {
            ...deployments,
            page: async (query, options) => {
              const held = waits && (query?.offset ?? 0) === 0;
              const page = await deployments.page(query, options);
              if (held) await gate.promise;
              return page;
            },
          },
        };
      },
      { pageSize: 2, filter: {}, remembered: () => [] },
    );
    await list.load();
    waits = true;
    const polling = list.poll();
    await list.loadMore();
    gate.resolve(undefined);
    await polling;
    assert.deepEqual(ids(list), ["a", "b", "c", "d"]);
    await list.loadMore();
    assert.deepEqual(ids(list), ["a", "b", "c", "d", "e"]);
  });
});

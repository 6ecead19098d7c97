import { deepEqual, equal } from "node:assert/strict";
import type { DeploymentFacts } from "../../../../src/editor/deployments/deploymentFacts.ts";
import {
  arranged,
  type DeploymentFilter,
  deploymentFilterFrom,
  describeDeploymentFilter,
  needsAll,
  SavedFilters,
} from "../../../../src/editor/deployments/deploymentFilter.ts";
import { TestMemento } from "../../../support/testMemento.ts";

const one = (id: string, latest: string, updated_at: string, status = "READY"): DeploymentFacts => ({
  id,
  origin: "listed",
  deployment: {
    id,
    name: id,
    status,
    updated_at,
    latest_revision_id: `${id}2`,
    active_revision_id: `${id}1`,
  },
  latest: { id: `${id}2`, status: latest },
});
const facts = [
  one("b-fine", "DEPLOYED", "2026-01-03"),
  one("a-broken", "DEPLOY_FAILED", "2026-01-01"),
  one("c-moving", "BUILDING", "2026-01-02"),
  one("d-unused", "DEPLOYED", "2026-01-04", "UNUSED"),
];
const ids = (filter: DeploymentFilter) => arranged(facts, filter).map(({ id }) => id);

describe("A filter of deployments", () => {
  it("finds a deployment that is READY by its failed revision", () => {
    deepEqual(ids({ state: "failed" }), ["a-broken"]);
    deepEqual(ids({ state: "pending" }), ["c-moving"]);
    deepEqual(ids({ state: "serving" }), ["b-fine"]);
    deepEqual(ids({ state: "stopped", name: "D-" }), ["d-unused"]);
  });

  it("finds by the platform's own status", () => {
    deepEqual(ids({ status: "UNUSED" }), ["d-unused"]);
  });

  it("orders by name, by the last change, and by state with what failed first", () => {
    deepEqual(ids({}), ["b-fine", "a-broken", "c-moving", "d-unused"]);
    deepEqual(ids({ order: "name" }), ["a-broken", "b-fine", "c-moving", "d-unused"]);
    deepEqual(ids({ order: "changed" }), ["d-unused", "b-fine", "c-moving", "a-broken"]);
    deepEqual(ids({ order: "state" }), ["a-broken", "c-moving", "d-unused", "b-fine"]);
  });

  it("never hides one that can't be read", () => {
    const unread: DeploymentFacts = { id: "x", origin: "added", deployment: undefined, latest: undefined };
    deepEqual(arranged([unread], { state: "serving", name: "y" }), [unread]);
  });

  it("needs all deployments only for what platforms can't do", () => {
    deepEqual(
      [{ name: "x", status: "READY" }, { state: "failed" }, { order: "name" }].map((filter) =>
        needsAll(filter as DeploymentFilter),
      ),
      [false, true, true],
    );
  });

  it("is told in words", () => {
    equal(describeDeploymentFilter({}), "");
    equal(
      describeDeploymentFilter({ name: "bot", state: "failed", order: "changed" }),
      "“bot” · failed · by last change",
    );
    equal(describeDeploymentFilter({ status: "AWAITING_DATABASE" }), "awaiting database");
  });

  it("is read from what was kept, and what nobody knows is left out", () => {
    deepEqual(deploymentFilterFrom({ name: "x", state: "failed", status: "READY", order: "name" }), {
      ...{ name: "x", state: "failed", status: "READY", order: "name" },
    });
    deepEqual(deploymentFilterFrom({ name: 1, state: "gone", order: "size" }), {});
    deepEqual(deploymentFilterFrom("x"), {});
  });
});

describe("Saved filters", () => {
  it("are kept by name in all windows, and removed", async () => {
    const memory = new TestMemento();
    const saved = new SavedFilters(memory);
    await saved.save({ name: "Broken", filter: { state: "pending" } });
    await saved.save({ name: "Mine", filter: { name: "mine" } });
    await saved.save({ name: "Broken", filter: { state: "failed" } });
    const other = new SavedFilters(memory);
    deepEqual(other.all, [
      { name: "Mine", filter: { name: "mine" } },
      { name: "Broken", filter: { state: "failed" } },
    ]);
    await other.remove("Mine");
    equal(saved.all.length, 1);
  });
});

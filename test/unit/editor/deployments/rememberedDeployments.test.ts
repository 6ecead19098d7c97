import { deepEqual, equal } from "node:assert/strict";
import { RememberedDeployments } from "../../../../src/editor/deployments/rememberedDeployments.ts";
import { TestMemento } from "../../../support/testMemento.ts";

describe("Deployments that a platform's list lacks", () => {
  let memory: TestMemento;
  let remembered: RememberedDeployments;

  beforeEach(() => {
    memory = new TestMemento();
    remembered = new RememberedDeployments(memory);
  });

  const ref = (deploymentId: string, connectionId = "c") => ({ connectionId, deploymentId });
  const on = (connectionId = "c", of = remembered): readonly string[] =>
    of.on(connectionId).map(({ id, origin }) => `${id} ${origin}`);

  it("stay for the next window where they were made or added, each on its connection", async () => {
    equal(await remembered.keep(ref("a"), "created"), true);
    equal(await remembered.keep(ref("b"), "added"), true);
    equal(await remembered.keep(ref("z", "other"), "added"), true);
    const next = new RememberedDeployments(memory);
    deepEqual(on("c", next), ["a created", "b added"]);
    deepEqual(on("other", next), ["z added"]);
  });

  it("stay as they came when they are added once more", async () => {
    await remembered.keep(ref("a"), "created");
    equal(await remembered.keep(ref("a"), "added"), false);
    deepEqual(on(), ["a created"]);
  });

  it("go one by one, and the last one leaves nothing behind", async () => {
    await remembered.keep(ref("a"), "created");
    await remembered.keep(ref("b"), "created");
    equal(await remembered.forget(ref("a")), true);
    equal(await remembered.forget(ref("a")), false);
    deepEqual(on(), ["b created"]);
    await remembered.forget(ref("b"));
    deepEqual(memory.keys(), []);
  });

  it("are shown where they were searched for, in this window and until others are wanted", async () => {
    remembered.find(ref("a"));
    remembered.find(ref("b"));
    remembered.find(ref("a"));
    deepEqual(on(), ["b found", "a found"]);
    deepEqual(on("c", new RememberedDeployments(memory)), []);
    await remembered.keep(ref("a"), "added");
    deepEqual(on(), ["a added", "b found"]);
    await remembered.forget(ref("a"));
    deepEqual(on(), ["b found"]);
    await remembered.keep(ref("a"), "added");
    remembered.forgetFound();
    deepEqual(on(), ["a added"]);
  });

  it("are the last twenty of those that were searched for", () => {
    for (let at = 1; at <= 21; at++) remembered.find(ref(String(at)));
    equal(on().length, 20);
    deepEqual([on()[0], on().at(-1)], ["2 found", "21 found"]);
  });
});

import { deepEqual, equal } from "node:assert/strict";
import { SECTION, SETTINGS } from "../../../../src/editor/kit/ids.ts";
import { TestMemento } from "../../../support/testMemento.ts";
import { Plane, served } from "./countedPlane.ts";
import "../fakeVscode.ts";
import { setImmediate } from "node:timers/promises";

const vscode = (await import("vscode")) as unknown as { readonly workspace: Record<string, unknown> };
const { Deployments } = await import("../../../../src/editor/deployments/deployments.ts");

/** A platform with so many deployments, and what is known of it. */
function platformOf(count: number): [Plane, InstanceType<typeof Deployments>] {
  const plane = new Plane();
  plane.deployments = Array.from({ length: count }, (_, number) => served(`d${String(number)}`));
  const connections = { onDidChange: () => ({ dispose: () => undefined }) };
  const platforms = { controlPlane: plane.source, hasControlPlane: () => true };
  const memory = { globalState: new TestMemento(), workspaceState: new TestMemento() };
  const needs = [connections, platforms, memory] as unknown as ConstructorParameters<typeof Deployments>;
  return [plane, new Deployments(...needs)];
}

const at = (deploymentId: string) => ({ connectionId: "p", deploymentId });

/** Grows with each deployment that is lost. */
function losses(deployments: InstanceType<typeof Deployments>): string[] {
  const lost: string[] = [];
  deployments.onDidLose(({ deploymentId }) => lost.push(deploymentId));
  return lost;
}

describe("The deployments of a platform", () => {
  const { getConfiguration } = vscode.workspace;
  after(() => void Object.assign(vscode.workspace, { getConfiguration }));

  it("come in pages as large as the setting says", async () => {
    const values: Readonly<Record<string, number>> = { [`${SECTION}.${SETTINGS.deploymentsPageSize}`]: 3 };
    Object.assign(vscode.workspace, {
      getConfiguration: (section: string) => ({
        get: (name: string, fallback: unknown) => values[`${section}.${name}`] ?? fallback,
      }),
    });
    const [plane, deployments] = platformOf(7);
    const listed = deployments.of("p");
    await listed.load();
    deepEqual(plane.take(), ["list 0+3"]);
    await listed.loadMore();
    deepEqual([plane.take(), listed.items.length], [["list 3+3"], 6]);
  });

  it("are read on beyond a hundred where all their servers are asked, up to a thousand, and what is left is said", async () => {
    const [some, all] = platformOf(250);
    deepEqual([(await all.all("p")).length, all.cutAt("p")], [250, undefined]);
    deepEqual(some.take(), ["list 0+100", "list 100+100", "list 200+100"]);
    const [many, first] = platformOf(1001);
    deepEqual([(await first.all("p")).length, first.cutAt("p")], [1000, 1000]);
    equal(many.take().length, 10);
  });

  it("are read anew when something was done to one, while somebody can see them", async () => {
    const [plane, deployments] = platformOf(2);
    const listed = deployments.of("p");
    const status = () => listed.find("d0")?.deployment?.status;
    await listed.load();
    plane.deployments = [served("d0", "UNUSED"), served("d1")];
    plane.take();
    deployments.changed(at("d0"));
    await setImmediate();
    deepEqual([status(), plane.take()], ["READY", []]);
    deployments.shownWhile(() => true);
    deployments.changed(at("d0"));
    await setImmediate();
    deepEqual([status(), plane.take()], ["UNUSED", ["get d0"]]);
  });

  it("are lost when one is found to be deleted elsewhere, and only then", async () => {
    const [plane, deployments] = platformOf(3);
    const [lost, changed] = [losses(deployments), [] as string[]];
    deployments.onDidChange(({ deploymentId }) => changed.push(deploymentId));
    await deployments.all("p");
    deepEqual([await deployments.isDeleted(at("d1")), lost, changed], [false, [], []]);
    plane.deployments = plane.deployments.filter(({ id }) => id !== "d1");
    deepEqual([await deployments.isDeleted(at("d1")), lost, changed], [true, ["d1"], ["d1"]]);
  });

  it("are lost when a whole list lacks one that was there, but not when it is cut", async () => {
    const [plane, deployments] = platformOf(3);
    const lost = losses(deployments);
    await deployments.all("p");
    plane.deployments = [served("new"), ...plane.deployments.slice(1)];
    await deployments.all("p");
    deepEqual(lost, ["d0"]);
    const more = Array.from({ length: 1001 }, (_, number) => served(`e${String(number)}`));
    plane.deployments = [...more, ...plane.deployments];
    await deployments.all("p");
    deepEqual(lost, ["d0"]);
  });

  it("are lost when one that was added by its id is taken out of the list, unless the platform lists it", async () => {
    const [plane, deployments] = platformOf(1);
    const lost = losses(deployments);
    await deployments.addById(at("d0"));
    await deployments.of("p").load();
    await deployments.removeFromList(at("d0"));
    deepEqual(lost, []);
    plane.hasList = false;
    await deployments.addById(at("d0"));
    await deployments.of("p").load();
    await deployments.removeFromList(at("d0"));
    deepEqual(lost, ["d0"]);
  });
});

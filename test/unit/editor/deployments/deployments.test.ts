import { deepEqual } from "node:assert/strict";
import { SECTION, SETTINGS } from "../../../../src/editor/kit/ids.ts";
import { TestMemento } from "../../../support/testMemento.ts";
import { Plane, served } from "./countedPlane.ts";
import "../fakeVscode.ts";

const vscode = (await import("vscode")) as unknown as { readonly workspace: Record<string, unknown> };
const { Deployments } = await import("../../../../src/editor/deployments/deployments.ts");

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
    const plane = new Plane();
    plane.deployments = ["a", "b", "c", "d", "e", "f", "g"].map((id) => served(id));
    const connections = { onDidChange: () => ({ dispose: () => undefined }) };
    const platforms = { controlPlane: plane.source, hasControlPlane: () => true };
    const memory = { globalState: new TestMemento(), workspaceState: new TestMemento() };
    const deployments = new Deployments(
      ...([connections, platforms, memory] as unknown as ConstructorParameters<typeof Deployments>),
    );
    const listed = deployments.of("p");
    await listed.load();
    deepEqual(plane.take(), ["list 0+3"]);
    await listed.loadMore();
    deepEqual([plane.take(), listed.items.length], [["list 3+3"], 6]);
  });
});

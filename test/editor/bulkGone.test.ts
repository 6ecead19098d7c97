import { deepEqual, equal, match } from "node:assert/strict";
import * as vscode from "vscode";
import { BulkChanges, type Worker } from "../../src/editor/bulk/bulkChanges.ts";
import { agreementOn } from "../../src/editor/bulk/bulkJob.ts";
import { type DeploymentJob, deploymentWork } from "../../src/editor/deployments/bulk/deploymentWork.ts";
import { list, text } from "../support/localPlatform.ts";
import { until } from "../support/until.ts";
import { useDeployedPlatform } from "./deployedPlatform.ts";
import { type Extension, theExtension } from "./extensionUnderTest.ts";
import { Person } from "./person.ts";

describe("A change of several deployments, of which one was deleted meanwhile", () => {
  let extension: Extension;
  const staging = useDeployedPlatform();

  before(async () => {
    extension = await theExtension();
  });

  it("goes on with the others, and leaves that one out", async () => {
    using person = new Person();
    const rows = [];
    for (const tag of ["1", "2", "3"])
      rows.push(
        await staging.deployed({
          ...{ source: "external_docker", source_config: {}, secrets: [] },
          source_revision_config: { image_uri: `registry.test/agent:${tag}` },
        }),
      );
    const { connectionId } = staging;
    const setting = extension.connections.resolve(connectionId);
    const items = rows.map(({ id, name, latest_revision_id: latest }) => ({
      ...{ connectionId, deploymentId: text(id), name: text(name), before: text(latest) },
      ...{ words: "sets it", state: "waiting" as const },
    }));
    const worker: Worker<DeploymentJob> = ({ change }) =>
      deploymentWork({ ...extension, deadlineMs: () => 60_000 }, change, new Map());
    const first = new BulkChanges(extension);
    const asked = new Promise<void>((resolve) => {
      person.press = (message) => {
        if (!/Go on\?/.test(message)) return undefined;
        first.dispose();
        resolve();
        return undefined;
      };
    });
    void first.begin<DeploymentJob>(
      {
        ...{ title: "Set the secret TOKEN on 3 deployments", doneWord: "deployed", isTried: false, items },
        ...{ change: { kind: "secret", name: "TOKEN" }, agreed: [agreementOn(setting)] },
        pace: { atOnce: 2, everyMs: 0, mostFailures: 1 },
      },
      worker,
    );
    await asked;
    const path = `/v2/deployments/${text(rows[1]?.id)}`;
    equal((await staging.controlPlane.send("DELETE", path)).status, 204);
    const isGone = async () => (await staging.controlPlane.send("GET", path)).status === 404;
    await until("it is deleted", isGone);
    person.press = (_, { buttons }) => buttons.find((button) => /^(Change|Continue|Go On)$/.test(button));
    person.otherwise = () => ({ type: "new value" });
    const [job] = await extension.bulkChanges.unfinished();
    await vscode.commands.executeCommand("agentOperations.bulk.goOn", { bulkId: job?.id });
    await until("it is over", async () => (await extension.bulkChanges.unfinished()).length === 0);
    match(person.told.at(-1) ?? "", /: 2 deployed, 1 left out/);
    const changed = await staging.controlPlane.get(rows[2]?.id);
    deepEqual(
      list(changed["secrets"]).map(({ name }) => text(name)),
      ["TOKEN"],
    );
  });
});

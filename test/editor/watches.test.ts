import { deepEqual, equal, match } from "node:assert/strict";
import * as vscode from "vscode";
import type { RevisionRef } from "../../src/editor/connections/connection.ts";
import { revisionEnd } from "../../src/editor/deployments/revisionStatus.ts";
import { theExtension } from "./extensionUnderTest.ts";
import { until } from "../support/until.ts";
import { useDeployedPlatform } from "./deployedPlatform.ts";
import type { Extension } from "./extensionUnderTest.ts";
import { Person } from "./person.ts";
import { watchRequests } from "./requests.ts";
import { text } from "../support/localPlatform.ts";

describe("Watching a revision", () => {
  let extension: Extension;
  const host = useDeployedPlatform();

  before(async () => {
    extension = await theExtension();
  });

  beforeEach(async () => {
    await host.controlPlane.pace(100);
    extension.activity.clear();
    // Nothing else of ours asks the server: the Deployments view is not seen.
    await vscode.commands.executeCommand("workbench.view.explorer");
  });

  it("shows each step in the Activity view, and notifies of the end once", async () => {
    const ref = host.ref(await host.controlPlane.create({ name: "watched" }));
    await vscode.commands.executeCommand("agentOperations.activity.focus");
    extension.revisionWatches.begin(ref, "watched");
    await until("it is deployed", () => ended(extension, ref) === "done");
    const rows = await draw(extension);
    match(rows[0] ?? "", /^watched \| .+ · \d\d:\d\d.* · Deployed · \d+ s$/);
    match(rows.at(-1) ?? "", /^ {2}Deployed \| 0 s$/);
    extension.activity.clear();
    deepEqual(await draw(extension), []);
  });

  it("is asked for by command, for a row or by choice, and ends as the revision does", async () => {
    await host.platform.send("POST", `${host.platform.ready.localUrl}/revisions`, { fail_at: "build" });
    const ref = host.ref(await host.controlPlane.create({ name: "failing" }));
    await vscode.commands.executeCommand("agentOperations.revision.watch", { ref });
    await until("it has failed", () => ended(extension, ref) === "failed");
    match((await draw(extension))[0] ?? "", /^failing \| .+ · Build failed · /);
  });

  it("is told of with the reason when it fails, and leads back to the revision that was deployed before", async () => {
    await host.controlPlane.pace(5);
    const made = await host.deployed({ name: "falling" });
    const good = host.ref(made);
    await host.platform.send("POST", `${host.platform.ready.localUrl}/revisions`, { fail_at: "deploy" });
    await host.controlPlane.send("PATCH", `/v2/deployments/${good.deploymentId}`, {
      source_revision_config: { repo_ref: "worse" },
    });
    const [worse] = await host.controlPlane.revisions(made.id);
    using person = new Person();
    person.press = (message) => (message.includes("deploy failed") ? "Redeploy Previous" : "Redeploy");
    extension.revisionWatches.begin({ ...good, revisionId: text(worse?.id) }, "falling");
    await until("it is deployed again", async () => {
      const [latest] = await host.controlPlane.revisions(made.id);
      return text(latest?.status) === "DEPLOYED" && text(latest?.source_revision_config?.repo_ref) === "main";
    });
    match(
      person.told[0] ?? "",
      /^“falling” on “Test”: deploy failed after \d+ s\. The agent server did not become healthy\.$/,
    );
    await until("its end is told", () =>
      person.told.some((said) => said.startsWith("“falling” on “Test” is deployed, after ")),
    );
  });

  it("is one watch however often it is asked for, until it is cancelled", async () => {
    await host.controlPlane.pace(60_000);
    const ref = host.ref(await host.controlPlane.create({ name: "slow" }));
    const asked = requestsForRevisions();
    extension.revisionWatches.begin(ref, "slow");
    extension.revisionWatches.begin(ref, "slow");
    await until("it is asked", () => extension.revisionWatches.state(ref)?.answer !== undefined);
    extension.revisionWatches.cancel(ref);
    equal(ended(extension, ref), "cancelled");
    equal(asked.stop().length, 1);
    match((await draw(extension))[0] ?? "", /^slow \| .+ · Not watched any longer · /);
  });

  it("waits while the server is away, and goes on by itself", async () => {
    await host.controlPlane.pace(60_000);
    const ref = host.ref(await host.controlPlane.create({ name: "away" }));
    await host.fault(`/api-host/v2/deployments/${ref.deploymentId}/revisions/`, { status: 503 });
    extension.revisionWatches.begin(ref, "away");
    await until("it waits", () => extension.revisionWatches.state(ref)?.kind === "waiting");
    match((await draw(extension))[0] ?? "", /^away \| .+ · Waiting: .+ failed with status 503/);
    await host.healed();
    await host.controlPlane.pace(1);
    await until("it is deployed", () => ended(extension, ref) === "done");
  });

  it("says that a deployment was deleted elsewhere", async () => {
    await host.controlPlane.pace(60_000);
    const deployment = await host.controlPlane.create({ name: "gone" });
    const ref = host.ref(deployment);
    const path = `/v2/deployments/${ref.deploymentId}`;
    await host.controlPlane.send("DELETE", path);
    await host.controlPlane.send("DELETE", `${path}?force=true`);
    extension.revisionWatches.begin(ref, "gone");
    await until("it is gone", () => ended(extension, ref) === "gone");
    match((await draw(extension))[0] ?? "", /^gone \| .+ · Deleted · /);
  });

  it("is remembered for the next window as long as it goes on", async () => {
    await host.controlPlane.pace(60_000);
    const ref = host.ref(await host.controlPlane.create({ name: "kept" }));
    const remembered = () => extension.context.workspaceState.get<readonly RevisionRef[]>("watches", []);
    extension.revisionWatches.begin(ref, "kept");
    await until("it is remembered", () =>
      remembered().some(({ revisionId }) => revisionId === ref.revisionId),
    );
    extension.revisionWatches.cancel(ref);
    await until("it is forgotten", () => remembered().length === 0);
  });

  function requestsForRevisions(): ReturnType<typeof watchRequests> {
    return watchRequests(extension, ({ url }) => url.includes("/revisions/"));
  }
});

function ended({ revisionWatches }: Extension, ref: RevisionRef): string | undefined {
  const state = revisionWatches.state(ref);
  return state?.kind === "ended" ? revisionEnd(state) : undefined;
}

async function draw({ views }: Extension): Promise<string[]> {
  const { nodes } = views.activity;
  const rows: string[] = [];
  for (const node of await nodes.getChildren()) {
    for (const [indent, row] of [
      ["", node],
      ...(await nodes.getChildren(node)).map((step) => ["  ", step] as const),
    ] as const) {
      const { label, description } = nodes.getTreeItem(row);
      rows.push(`${indent}${typeof label === "string" ? label : ""} | ${String(description)}`);
    }
  }
  return rows;
}

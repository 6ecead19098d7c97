import { deepEqual, match, ok } from "node:assert/strict";
import { setTimeout as pause } from "node:timers/promises";
import * as vscode from "vscode";
import type { RevisionRef } from "../../src/editor/connections/connection.ts";
import { theExtension } from "./extensionUnderTest.ts";
import { until } from "../support/until.ts";
import { useDeployedPlatform } from "./deployedPlatform.ts";
import type { Extension } from "./extensionUnderTest.ts";
import { watchRequests } from "./requests.ts";

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

  it("shows each step in the Activity view, tells the end once, and asks no more", async () => {
    const ref = host.ref(await host.controlPlane.create({ name: "watched" }));
    await vscode.commands.executeCommand("agentOperations.activity.focus");
    extension.watches.begin(ref, "watched");
    await until("it is deployed", () => ended(extension, ref) === "done");
    const rows = await draw(extension);
    match(rows[0] ?? "", /^watched \| Deployed · \d+ s$/);
    match(rows.at(-1) ?? "", /^ {2}Deployed \| 0 s$/);
    const asked = requestsForRevisions();
    await pause(2500);
    deepEqual(asked.stop(), []);
    extension.activity.clear();
    deepEqual(await draw(extension), []);
  });

  it("is asked for by command, for a row or by choice, and ends as the revision does", async () => {
    await host.platform.send("POST", `${host.platform.ready.localUrl}/revisions`, { fail_at: "build" });
    const ref = host.ref(await host.controlPlane.create({ name: "failing" }));
    await vscode.commands.executeCommand("agentOperations.revision.watch", { ref });
    await until("it has failed", () => ended(extension, ref) === "failed");
    match((await draw(extension))[0] ?? "", /^failing \| Build failed · /);
  });

  it("asks ever less often while a revision is on its way", async () => {
    await host.controlPlane.pace(60_000);
    const ref = host.ref(await host.controlPlane.create({ name: "slow" }));
    const asked = requestsForRevisions();
    extension.watches.begin(ref, "slow");
    extension.watches.begin(ref, "slow");
    await pause(7000);
    const { length: count } = asked.stop();
    // The pauses are 1–2 s, 2–4 s, 4–8 s.
    ok(count >= 3 && count <= 4, `${String(count)} questions in 7 s`);
    extension.watches.cancel(ref);
    await until("it is cancelled", () => ended(extension, ref) === "cancelled");
    match((await draw(extension))[0] ?? "", /^slow \| Not watched any longer · /);
  });

  it("waits while the server is away, and goes on by itself", async () => {
    await host.controlPlane.pace(60_000);
    const ref = host.ref(await host.controlPlane.create({ name: "away" }));
    await host.fault(`/api-host/v2/deployments/${ref.deploymentId}/revisions/`, { status: 503 });
    extension.watches.begin(ref, "away");
    await until("it waits", () => extension.watches.state(ref)?.kind === "waiting", 20_000);
    match((await draw(extension))[0] ?? "", /^away \| Waiting: .+ failed with status 503/);
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
    extension.watches.begin(ref, "gone");
    await until("it is gone", () => ended(extension, ref) === "gone");
    match((await draw(extension))[0] ?? "", /^gone \| Deleted · /);
  });

  it("is remembered for the next window as long as it goes on", async () => {
    await host.controlPlane.pace(60_000);
    const ref = host.ref(await host.controlPlane.create({ name: "kept" }));
    const remembered = () => extension.context.workspaceState.get<readonly RevisionRef[]>("watches", []);
    extension.watches.begin(ref, "kept");
    await until("it is remembered", () =>
      remembered().some(({ revisionId }) => revisionId === ref.revisionId),
    );
    extension.watches.cancel(ref);
    await until("it is forgotten", () => remembered().length === 0);
  });

  function requestsForRevisions(): ReturnType<typeof watchRequests> {
    return watchRequests(extension, ({ url }) => url.includes("/revisions/"));
  }
});

function ended({ watches }: Extension, ref: RevisionRef): string | undefined {
  const state = watches.state(ref);
  return state?.kind === "ended" ? state.end : undefined;
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

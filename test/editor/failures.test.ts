import { equal, match } from "node:assert/strict";
import * as vscode from "vscode";
import type { TreeNode } from "../../src/editor/kit/tree/node.ts";
import { list, text } from "../support/localPlatform.ts";
import { until } from "../support/until.ts";
import { serve } from "../support/testServer.ts";
import { useDeployedPlatform } from "./deployedPlatform.ts";
import { ageless, connect, drawRows, labels, theExtension } from "./extensionUnderTest.ts";
import type { Extension } from "./extensionUnderTest.ts";
import { Person } from "./person.ts";

describe("The Failures view", () => {
  let extension: Extension;
  const host = useDeployedPlatform();

  before(async () => {
    extension = await theExtension();
  });

  beforeEach(async () => {
    await host.controlPlane.pace(5);
    await removeFailed();
    await vscode.commands.executeCommand("agentOperations.failures.focus");
  });

  afterEach(async () => {
    await vscode.workspace
      .getConfiguration("agentOperations")
      .update("failures.badge", undefined, vscode.ConfigurationTarget.Global);
  });

  it("tells across connections what is broken, and where, and why", async () => {
    const name = await fail();
    const nowhere = await deadUrl();
    await connect(extension, "Nowhere", nowhere);
    const rows = await shown(2);
    const lines = ageless(rows).sort();
    equal(
      lines.find((line) => line.includes(name)),
      `Test · ${name}: deploy failed | The agent server did not become healthy`,
    );
    equal(
      lines.find((line) => line.startsWith("Nowhere")),
      `Nowhere: can't be used | Nothing listens at ${new URL(nowhere).host}`,
    );
  });

  it("leads from a failed revision to its log, and from a connection to what mends it", async () => {
    const name = await fail();
    await connect(extension, "Nowhere", await deadUrl());
    await shown(2);
    equal((await rowOf("Nowhere"))?.item().command?.command, "agentOperations.connection.test");
    const open = (await rowOf(name))?.item().command;
    await vscode.commands.executeCommand(open?.command ?? "", ...((open?.arguments ?? []) as unknown[]));
    match(vscode.window.activeTextEditor?.document.getText() ?? "", /did not become healthy/);
  });

  it("names what is new beside the icon, and adds it to the icon's number as far as the setting says", async () => {
    const name = await fail();
    await connect(extension, "Nowhere", await deadUrl());
    await shown(2);
    const { view } = extension.views.failures.polled;
    const badgeIs = (value: number, tooltip: string): Promise<unknown> =>
      until(tooltip, () => view.badge?.value === value && view.badge.tooltip === tooltip);
    await badgeIs(0, "2 new failures, not counted");
    equal(view.description, "2 new");
    await settings().update("failures.badge", "all", vscode.ConfigurationTarget.Global);
    await badgeIs(2, "2 new failures");
    await settings().update("failures.badge", "revisions", vscode.ConfigurationTarget.Global);
    await badgeIs(1, "2 new failures, 1 counted");
    await vscode.commands.executeCommand("agentOperations.failure.markRead", await rowOf(name));
    await badgeIs(0, "1 new failure, not counted");
    await settings().update("failures.badge", "all", vscode.ConfigurationTarget.Global);
    await badgeIs(1, "1 new failure");
    await settings().update("failures.badge", "none", vscode.ConfigurationTarget.Global);
    await badgeIs(0, "1 new failure, not counted");
    await vscode.commands.executeCommand("agentOperations.failures.markAllRead");
    await until("none is new", () => view.badge === undefined);
    equal((await drawn()).length, 2);
  });

  it("copies what is broken as text", async () => {
    const name = await fail();
    await shown(1);
    const [node] = await extension.views.failures.polled.nodes.getChildren();
    await vscode.commands.executeCommand("agentOperations.failure.copy", node);
    match(
      await vscode.env.clipboard.readText(),
      new RegExp(`^\\S+Z Test · ${name}: deploy failed · The agent server did not become healthy$`),
    );
  });

  it("is empty when nothing is broken, and again when it was mended", async () => {
    await vscode.commands.executeCommand("agentOperations.failures.refresh");
    await until("it is empty", () => extension.views.failures.empty === "nothing");
    const name = await fail();
    await shown(1);
    const [node] = await extension.views.failures.polled.nodes.getChildren();
    using person = new Person().presses("Redeploy");
    await vscode.commands.executeCommand("agentOperations.revision.redeploy", node);
    match(person.told[0] ?? "", new RegExp(`^Redeploy “${name}”`));
    await until("it is mended", async () => (await refreshed()).length === 0);
    equal(extension.views.failures.empty, "nothing");
  });

  /** What earlier tests left broken. */
  async function removeFailed(): Promise<void> {
    const { body } = await host.controlPlane.send("GET", "/v2/deployments");
    for (const { id, name } of list(body.resources)) {
      if (!text(name).startsWith("falling-")) continue;
      await host.controlPlane.send("DELETE", `/v2/deployments/${text(id)}`);
      await host.controlPlane.send("DELETE", `/v2/deployments/${text(id)}?force=true`);
    }
  }

  /** A deployment of which nothing serves, because its first revision failed. */
  async function fail(): Promise<string> {
    const name = `falling-${crypto.randomUUID().slice(0, 8)}`;
    await host.platform.send("POST", `${host.platform.ready.localUrl}/revisions`, { fail_at: "deploy" });
    const made = await host.deployed({ name });
    equal(text((await host.controlPlane.revision(made.id, made.latest_revision_id)).status), "DEPLOY_FAILED");
    return name;
  }

  async function rowOf(name: string): Promise<TreeNode | undefined> {
    const { nodes } = extension.views.failures.polled;
    const rows = await nodes.getChildren();
    return rows.find((_, index) => labels(nodes, rows)[index]?.includes(`${name}: `));
  }

  async function drawn(): Promise<string[]> {
    return drawRows(extension.views.failures.polled.nodes);
  }

  async function refreshed(): Promise<string[]> {
    await vscode.commands.executeCommand("agentOperations.failures.refresh");
    return drawn();
  }

  async function shown(count: number): Promise<string[]> {
    return until(`${String(count)} failures`, async () => {
      const rows = await refreshed();
      return rows.length === count ? rows : undefined;
    });
  }

  function settings(): vscode.WorkspaceConfiguration {
    return vscode.workspace.getConfiguration("agentOperations");
  }
});

/** An address where nothing listens any more. */
async function deadUrl(): Promise<string> {
  await using server = await serve(() => ({}));
  return server.url;
}

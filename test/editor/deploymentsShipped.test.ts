import { deepEqual, equal, match, ok } from "node:assert/strict";
import * as vscode from "vscode";
import { text } from "../support/localPlatform.ts";
import type { Shape } from "../support/localPlatform.ts";
import { startAgentServer } from "./agentServer.ts";
import { drawTree, hideView, removeOtherViews, showView, theExtension } from "./extensionUnderTest.ts";
import { holdTime } from "./heldTime.ts";
import { until } from "../support/until.ts";
import { useDeployedPlatform } from "./deployedPlatform.ts";
import type { Extension } from "./extensionUnderTest.ts";
import { Person } from "./person.ts";
import { requestsAfter, watchRequests } from "./requests.ts";

describe("A deployment in the Deployments view", () => {
  let extension: Extension;
  const host = useDeployedPlatform();

  before(async () => {
    extension = await theExtension();
  });

  beforeEach(async () => {
    await showView();
    await host.controlPlane.pace(5);
  });

  it("is polled ever less often while it is on its way, and not at all unseen", async () => {
    await removeOtherViews(extension);
    using time = holdTime(extension);
    await host.controlPlane.pace(600_000);
    const made = await host.controlPlane.create({});
    await drawTree(extension);
    for (const pauseMs of [7_500, 11_250]) {
      await time.until(`a pause of ${String(pauseMs)} ms`, () => time.began((ms) => ms === pauseMs));
      const early = await requestsAfter(extension, () => time.pass(pauseMs - 1));
      deepEqual(
        early.filter((url) => url.includes("/v2/deployments")),
        [],
      );
      const requests = watchRequests(extension, ({ url }) =>
        url.includes(`/revisions/${text(made.latest_revision_id)}`),
      );
      await time.until("its revision is polled", () => requests.urls.length > 0);
      requests.stop();
    }

    await hideView(extension);
    deepEqual(await requestsAfter(extension, () => time.pass(600_000)), []);

    // Seen for a moment: what is asked then, also to count for badges, ends when nobody sees it any more.
    await host.fault("^/api-host/v2/deployments/?$", { delay_ms: 1000 });
    await showView();
    await until("it is seen", () => extension.views.deployments.platform.view.visible);
    await hideView(extension);
    const requests = watchRequests(extension, ({ url }) => !url.endsWith("/ok"));
    // Answered as late as what was asked before it.
    await host.controlPlane.send("GET", "/v2/deployments");
    await requestsAfter(extension, () => undefined);
    deepEqual(requests.stop(), []);
  });

  it("is redeployed from an older revision, and the new revision is watched to its end", async () => {
    const made = await host.deployed({});
    await host.controlPlane.send("PATCH", `/v2/deployments/${text(made.id)}`, {
      source_revision_config: { repo_ref: "next" },
    });
    const [next] = await host.controlPlane.revisions(made.id);
    await host.controlPlane.follow(made.id, next?.id);
    const ref = host.ref(made);
    using person = new Person().presses("Redeploy");
    await vscode.commands.executeCommand("agentOperations.revision.redeploy", { ref });
    match(
      person.told.join(),
      /^Redeploy “.*” from main\?\nRevision \w+ of .*\. .* takes the place of next, which is being served\./,
    );
    const [latest, ...others] = await host.controlPlane.revisions(made.id);
    equal(others.length, 2);
    equal(text(latest?.source_revision_config?.repo_ref), "main");
    const watched = { ...ref, revisionId: text(latest?.id) };
    await until("the watch has ended", () => extension.revisionWatches.state(watched)?.kind === "ended");
    await until("the row tells it", async () => /^ {2}\S+ \| main · now/.test(await rowOf(made)));
  });

  it("goes back to the revision before, which is compared with it, and which a draft can be made from", async () => {
    const made = await host.deployed({ name: `going-${crypto.randomUUID().slice(0, 8)}` });
    await host.controlPlane.send("PATCH", `/v2/deployments/${text(made.id)}`, {
      source_revision_config: { repo_ref: "next" },
    });
    const [next] = await host.controlPlane.revisions(made.id);
    await host.controlPlane.follow(made.id, next?.id);
    const older = { ref: host.ref(made) };
    const newer = { ref: { ...host.ref(made), revisionId: text(next?.id) } };

    await vscode.commands.executeCommand("agentOperations.revision.compare", newer, [newer, older]);
    const tab = vscode.window.tabGroups.activeTabGroup.activeTab;
    match(tab?.label ?? "", new RegExp(`^${text(made.name)}: main ↔ next$`));
    ok(tab?.input instanceof vscode.TabInputTextDiff);
    const [left, right] = await Promise.all(
      [tab.input.original, tab.input.modified].map((uri) => vscode.workspace.openTextDocument(uri)),
    );
    match(left?.getText() ?? "", /"repo_ref": "main"/);
    match(right?.getText() ?? "", /"repo_ref": "next"/);

    await vscode.commands.executeCommand("agentOperations.revision.draft", older);
    const draft = vscode.window.activeTextEditor?.document.getText() ?? "";
    match(draft, /"repo_ref": "main"/);
    ok(draft.includes(`"id": "${text(made.id)}"`));

    using person = new Person().presses("Redeploy");
    await vscode.commands.executeCommand("agentOperations.revision.redeployPrevious", newer);
    match(person.told.join(), /^Redeploy “.*” from main\?/);
    equal((await host.controlPlane.revisions(made.id)).length, 3);
  });

  it("that was deleted elsewhere is named, and goes from the list", async () => {
    const made = await host.deployed({ name: `lost-${crypto.randomUUID().slice(0, 8)}` });
    await until("its row is there", async () => (await rowOf(made)) !== "");
    const path = `/v2/deployments/${text(made.id)}`;
    await host.controlPlane.send("DELETE", path);
    await host.controlPlane.send("DELETE", `${path}?force=true`);
    const { connectionId, deploymentId } = host.ref(made);
    const server = { kind: "deployment", deploymentId } as const;
    const others = extension.waitingThreads.count();
    extension.waitingThreads.update({ connectionId, server, threadId: "waits" }, true);
    equal(extension.waitingThreads.count(), others + 1);
    using person = new Person();
    await vscode.commands.executeCommand("agentOperations.revision.redeploy", { ref: host.ref(made) });
    equal(extension.waitingThreads.count(), others, "nobody is needed where nothing is");
    match(
      person.told.join(),
      new RegExp(`“${text(made.name)}” is not on “Test” any more\\. It was deleted elsewhere`),
    );
    await until("its row is gone", async () => (await rowOf(made)) === "");
  });

  it("is found by a part of its name from the palette, and each of its revisions, however old", async () => {
    const made = await host.deployed({ name: "needle" });
    for (let n = 0; n < 21; n++)
      await host.controlPlane.send("PATCH", `/v2/deployments/${text(made.id)}`, {
        source_revision_config: { repo_ref: `change-${String(n)}` },
      });
    for (let n = 0; n < 51; n++) await host.controlPlane.create({ name: `hay-${String(n)}` });
    using person = new Person();
    person.will({ type: "NEED" }, { choose: "needle" }, { choose: "Show older revisions…" });
    person.will({ choose: "main" });
    await vscode.commands.executeCommand("agentOperations.revision.copyId");
    person.done();
    equal(await vscode.env.clipboard.readText(), made.latest_revision_id);
  });

  it("is not redeployed on a protected connection before its name was typed", async () => {
    const made = await host.deployed({ name: "crown-jewels" });
    await host.protect(extension);
    using person = new Person().will("cancel");
    await vscode.commands.executeCommand("agentOperations.revision.redeploy", {
      ref: { ...host.ref(made), revisionId: undefined },
    });
    person.done();
    equal((await host.controlPlane.revisions(made.id)).length, 1);
  });

  it("has a revision interrupted on its way", async () => {
    await host.controlPlane.pace(600_000);
    const made = await host.controlPlane.create({});
    const ref = host.ref(made);
    using person = new Person().presses("Interrupt");
    await vscode.commands.executeCommand("agentOperations.revision.interrupt", { ref });
    equal(person.told.length, 1);
    equal(text((await host.controlPlane.revision(made.id, ref.revisionId)).status), "INTERRUPTED");
  });

  it("gets the key at an address of its own only after a person said so", async () => {
    const server = await startAgentServer("test-key");
    const id = "6f3e2a10-5a4e-4c0e-9a52-0d5c0c3f7b11";
    const revision = "r-1";
    const deployment = {
      ...{ id, name: "abroad", status: "READY", source_config: { custom_url: server.url } },
      ...{ active_revision_id: revision, latest_revision_id: revision },
    };
    await host.fault("^/api-host/v2/deployments/?$", {
      status: 200,
      body: { resources: [deployment], offset: 1 },
    });
    await host.fault(`^/api-host/v2/deployments/${id}$`, { status: 200, body: deployment });
    try {
      await extension.views.deployments.refresh();
      const row = `    Not sent here: the API key and the workspace ID | Send to ${server.url}…`;
      await until("its row says so", async () => (await drawTree(extension)).includes(row));
      ok(server.seen.length > 0 && server.seen.every(({ headers }) => headers["x-api-key"] === undefined));
      const ref = { connectionId: host.connectionId, deploymentId: id };
      using person = new Person().presses("Send There");
      await vscode.commands.executeCommand("agentOperations.deployment.allowKey", { ref });
      const told = person.told.join();
      ok(told.startsWith(`Send the API key and the workspace ID of “Test” to ${server.url}?`), told);
      await drawTree(extension);
      await until(
        "the key is sent",
        () => server.seen.at(-1)?.headers["x-api-key"] === host.platform.ready.apiKey,
      );
    } finally {
      await server.close();
    }
  });

  it("has its id and address copied", async () => {
    const made = await host.deployed({});
    const ref = { connectionId: host.connectionId, deploymentId: text(made.id) };
    await vscode.commands.executeCommand("agentOperations.deployment.copyId", { ref });
    equal(await vscode.env.clipboard.readText(), ref.deploymentId);
    await vscode.commands.executeCommand("agentOperations.deployment.copyUrl", { ref });
    equal(
      await vscode.env.clipboard.readText(),
      `${host.platform.ready.baseUrl}/deployments/${ref.deploymentId}`,
    );
  });

  it("says whether the current user holds OAuth tokens, and says at the field what is wrong with it", async () => {
    using person = new Person().will({ type: "" }, { type: "github" });
    await vscode.commands.executeCommand("agentOperations.token.check", { connectionId: host.connectionId });
    equal(person.told.length, 2, person.told.join("\n"));
    equal(person.told[1], "You hold no token of the OAuth provider “github” on Test.");
  });

  async function rowOf(deployment: Shape): Promise<string> {
    const rows = await drawTree(extension);
    return rows.find((row) => row.startsWith(`  ${text(deployment.name)} |`)) ?? "";
  }
});

import { deepEqual, equal, match, notEqual, ok } from "node:assert/strict";
import * as vscode from "vscode";
import type { TreeNode } from "../../src/editor/kit/tree/node.ts";
import { is, text } from "../support/localPlatform.ts";
import type { Shape } from "../support/localPlatform.ts";
import { connectPlatform, drawRows, removeThreads, showView, theExtension } from "./extensionUnderTest.ts";
import { until } from "../support/until.ts";
import { useDeployedPlatform } from "./deployedPlatform.ts";
import type { Extension } from "./extensionUnderTest.ts";
import { Person } from "./person.ts";
import { watchRequests } from "./requests.ts";

const list = "^/api-host/v2/deployments/?$";

describe("The deployments of a platform", () => {
  let extension: Extension;
  const host = useDeployedPlatform(async ({ platform, controlPlane }) => {
    await removeThreads(platform);
    await showView();
    await controlPlane.pace(5);
  });

  before(async () => {
    extension = await theExtension();
  });

  it("stand with status, revisions, agents, secrets by name and threads", async () => {
    const secrets = [{ name: "MODEL_KEY", value: "never-to-be-seen" }];
    const made = await host.deployed({ name: "support", secrets });
    const rows = await drawn();
    const start = rows.findIndex((row) => /^ {2}support \| main · now · 0 threads$/.test(row));
    const [first, ...below] = rows.slice(start);
    ok(first, rows.join("\n"));
    match(below[0] ?? "", /^ {4}Revisions$/);
    match(below[1] ?? "", /^ {6}main \| active · now$/);
    equal(below[2], "    Graphs");
    ok(rows.some((row) => /^ {6}echo/.test(row)));
    ok(rows.includes("      MODEL_KEY"), rows.join("\n"));
    ok(rows.some((row) => row.startsWith("  Sample deployment | ")));
    equal(rows.join("\n").includes("never-to-be-seen"), false);
    const node = extension.views.deployments.deployment(host.ref(made));
    const tooltip = await node?.tooltip();
    ok(tooltip instanceof vscode.MarkdownString);
    match(tooltip.value, new RegExp(text(made.id)));
  });

  it("show what is on its way and no threads before anything runs", async () => {
    await host.controlPlane.pace(60_000);
    await host.controlPlane.create({ name: "young" });
    const rows = await drawn();
    const start = rows.findIndex((row) => /^ {2}young \| creating · main · now$/.test(row));
    ok(start >= 0, rows.join("\n"));
    deepEqual(rows.slice(start + 1, start + 3), [
      "    Nothing runs here now | it is awaiting database, its revision is creating",
      "    Revisions",
    ]);
    ok(!rows.slice(start, start + 6).some((row) => row.includes("Graphs")));
  });

  it("show a status that nobody knows as the server spells it", async () => {
    const id = "6f3e2a10-5a4e-4c0e-9a52-0d5c0c3f7b11";
    const deployment = { id, name: "bear", status: "HIBERNATING", active_revision_id: null };
    await host.fault(list, { status: 200, body: { resources: [deployment], offset: 1 } });
    const rows = await drawn();
    equal(rows[1], "  bear | HIBERNATING");
    equal(rows[2], "    Nothing runs here now | it is HIBERNATING");
  });

  it("are filtered by name and by how they are, and the view says so", async () => {
    await host.deployed({ name: "support-eu" });
    await host.deployed({ name: "billing" });
    await drawn();
    using person = new Person();
    person.will({ type: "SUPP" }, { choose: "Status Ready" }, { choose: "As the platform lists them" });
    await vscode.commands.executeCommand("agentOperations.deployments.filter");
    person.done();
    deepEqual(await names(), ["support-eu"]);
    match(extension.views.deployments.platform.view.message ?? "", /^Deployments: “SUPP” · ready\./);
    await extension.deployments.setFilter({ name: "nobody is called so" });
    await until(
      "the view is empty",
      () => extension.views.deployments.platform.empty === "noDeploymentFound",
    );
    await vscode.commands.executeCommand("agentOperations.deployments.clearFilter");
    deepEqual(await names(), ["billing", "support-eu", "Sample deployment"]);
  });

  it("are found by a failed revision although one serves, ordered, and found so again by a saved filter", async () => {
    await host.deployed({ name: "b-fine" });
    const broken = await host.deployed({ name: "a-broken" });
    await host.platform.send("POST", `${host.platform.ready.localUrl}/revisions`, { fail_at: "build" });
    await host.controlPlane.send("PATCH", `/v2/deployments/${text(broken.id)}`, {
      source_revision_config: { repo_ref: "worse" },
    });
    const [worse] = await host.controlPlane.revisions(broken.id);
    await host.controlPlane.follow(broken.id, worse?.id);
    await drawn();
    using person = new Person();
    const filter = async () => vscode.commands.executeCommand("agentOperations.deployments.filter");
    person.will({ type: "" }, { choose: "Failed" }, { choose: "As the platform lists them" });
    await filter();
    deepEqual(await names(), ["a-broken"]);
    match((await drawn()).join("\n"), /a-broken \| build failed, serves the one before · worse/);
    person.will({ choose: "$(save) Save This Filter…" }, { type: "On call" });
    await filter();
    person.will({ choose: "$(clear-all) Show All" });
    await filter();
    equal((await names()).length, 3);
    person.will({ choose: "$(bookmark) On call" });
    await filter();
    deepEqual(await names(), ["a-broken"]);
    person.will({ choose: "$(filter) Choose What Is Shown…" }, { type: "" }, { choose: "Any" });
    person.will({ choose: "By name" });
    await filter();
    deepEqual(await names(), ["a-broken", "b-fine", "Sample deployment"]);
    person.will({ choose: "$(trash) Remove a Saved Filter…" }, { choose: "On call" });
    await filter();
    person.done();
    deepEqual(extension.deployments.saved.all, []);
  });

  it("are none of a platform among others, or none that fits, as a row says", async () => {
    await connectPlatform(extension, "Other", host.platform);
    const everyPlatformSays = (row: string) =>
      until(row, async () => (await drawn()).filter((line) => line === `  ${row}`).length === 2);
    await extension.deployments.setFilter({ name: "nobody is called so" });
    await everyPlatformSays("None fits the filter | Show all");
    await host.fault(list, { status: 200, body: { resources: [], offset: 0 } });
    await extension.deployments.setFilter({});
    await everyPlatformSays("No deployment yet | Create one…");
  });

  it("are found on every platform by what is typed, and shown in the view, filtered or not", async () => {
    for (let n = 0; n < 25; n++) await host.deployed({ name: `hay-${String(n)}` });
    await host.deployed({ name: "needle-first" });
    for (let n = 0; n < 25; n++) await host.controlPlane.create({ name: `straw-${String(n)}` });
    await extension.deployments.setFilter({ name: "hay" });
    await drawn();
    using person = new Person().will({ type: "NEEDLE" }, { choose: "needle-first" });
    await vscode.commands.executeCommand("agentOperations.deployments.find");
    person.done();
    const { view } = extension.views.deployments.platform;
    await until("its row is selected", () => view.selection[0]?.item().label === "needle-first");
    deepEqual(extension.deployments.filter, {});
  });

  it("list the threads of the server at its new address when the old one was still being asked", async () => {
    const made = await host.deployed({ name: "moving" });
    await drawn();
    const ref = host.ref(made);
    const server = { connectionId: ref.connectionId, server: { kind: "deployment", ...ref } } as const;
    const row = extension.views.deployments.deployment(ref);
    const asked = extension.threadListings.find(server);
    ok(row && asked);
    const faults = `${host.platform.ready.localUrl}/faults`;
    await host.platform.send("POST", faults, { match: { path: "search$" }, delay_ms: 300, times: 1000 });
    asked.reset();
    const answer = row.children();
    equal(row.known, undefined);
    await host.controlPlane.send("PATCH", `/v2/deployments/${text(made.id)}`, { display_name: "moved" });
    await extension.deployments.of(ref.connectionId).refresh(ref.deploymentId);
    await answer;
    const now = extension.threadListings.find(server);
    notEqual(now, asked);
    ok(now?.threads);
  });

  it("come page by page", async () => {
    await host.controlPlane.pace(60_000);
    for (let n = 0; n < 21; n++) await host.controlPlane.create({ name: `many-${String(n)}` });
    await extension.views.deployments.refresh();
    equal((await names()).length, 20);
    const more = async () => (await drawn()).at(-1) ?? "";
    await until("all are counted", async () => {
      await extension.deployments.all(host.connectionId);
      return (await more()) === "  Load more deployments (20 of 22 shown)";
    });
    // What was counted before the newest was made is not said; other views may have counted again meanwhile.
    await host.controlPlane.create({ name: "newest" });
    match(await more(), /^ {2}Load more deployments \(20( of 23)? shown\)$/);
    await vscode.commands.executeCommand("agentOperations.deployments.loadMore", {
      connectionId: host.connectionId,
    });
    equal((await names()).length, 23);
    ok(!(await rootRows()).some(({ id }) => id.startsWith("more:")));
  });

  it("are those added by id or created here where the server has no list, and say so", async () => {
    const made = await host.deployed({ name: "known" });
    await host.fault(list, { status: 404, body: { detail: "Not Found" } });
    await extension.views.deployments.refresh();
    const rows = await drawn();
    deepEqual(rows.slice(1), ["  This control plane lists no deployments | Add one by its ID…"]);
    using person = new Person();
    person.will({ type: "00000000-0000-4000-8000-000000000000" }, { type: text(made.id) });
    await vscode.commands.executeCommand("agentOperations.deployment.addById", {
      connectionId: host.connectionId,
    });
    match(person.told.join("\n"), /not found/);
    person.done();
    await until("it is listed", async () => (await names()).length === 1);
    const { view } = extension.views.deployments.platform;
    await until("its row is selected", () => view.selection[0]?.item().label === "known");
    match((await drawn()).join("\n"), /known \| main · now · added by ID/);
    const counted = watchRequests(extension);
    await extension.views.deployments.refresh();
    ok(!counted.stop().some((url) => /deployments(\?|$)/.test(url)), "the missing list was asked for again");
    await vscode.commands.executeCommand("agentOperations.deployment.removeFromList", {
      ref: host.ref(made),
    });
    await until("it is gone", async () => (await names()).length === 0);
  });

  it("that are gone elsewhere disappear at the next poll, and those known by id stay with the reason", async () => {
    const made = await host.deployed({ name: "doomed" });
    deepEqual(await names(), ["doomed", "Sample deployment"]);
    await extension.deployments.addById(host.ref(made));
    await host.controlPlane.send("DELETE", `/v2/deployments/${text(made.id)}`);
    await until(
      "the platform has deleted it",
      async () => (await host.controlPlane.get(made.id)).id === undefined,
    );
    await extension.views.deployments.refresh();
    await until("it can't be read", async () => (await names()).includes(text(made.id)));
    const rows = await drawn();
    ok(
      rows.some((row) => /can't be read · added by ID$/.test(row)),
      rows.join("\n"),
    );
    ok(
      rows.some((row) => /answered: .*not found/i.test(row)),
      rows.join("\n"),
    );
    await extension.deployments.removeFromList(host.ref(made));
    await until("it is gone", async () => !(await names()).includes(text(made.id)));
  });

  it("are deleted after one question that names them", async () => {
    const [one, two] = [await host.deployed({ name: "one" }), await host.deployed({ name: "two" })];
    await names();
    using person = new Person();
    await remove([one]);
    match(person.told.join(), /^Delete the deployment “one”\?/);
    equal((await host.controlPlane.get(one.id)).status, "READY");
    const again = await connectPlatform(extension, "Again", host.platform);
    const nodes = [{ ref: host.ref(one) }, { ref: { ...host.ref(two), connectionId: again.id } }];
    await vscode.commands.executeCommand("agentOperations.deployment.delete", nodes[0], nodes);
    match(person.told.at(-1) ?? "", /\?\none on Test\ntwo on Again\n\n.*“Test”, “Again”/s);
    await extension.connections.remove(again.id);
    person.presses("Delete");
    const { connectionId, deploymentId } = host.ref(one);
    const server = { kind: "deployment", deploymentId } as const;
    await extension.inbox.load(true);
    const others = extension.waitingThreads.count();
    extension.waitingThreads.update({ connectionId, server, threadId: "waits" }, true);
    await remove([one, two]);
    equal(extension.waitingThreads.count(), others, "nobody is needed where nothing is");
    match(person.told.at(-1) ?? "", /^Delete 2 deployments\?.*one, two/s);
    await until("both are gone", async () => {
      await extension.views.deployments.refresh();
      return (await names()).join() === "Sample deployment";
    });
  });

  it("are deleted on a protected connection only after the name was typed", async () => {
    const made = await host.deployed({ name: "production" });
    await host.protect(extension);
    using person = new Person().will({ type: "producton" });
    await remove([made]);
    match(person.told.join(), /only after production is typed/);
    equal((await host.controlPlane.get(made.id)).status, "READY");
    person.will({ type: "production" });
    await remove([made]);
    ok(!is((await host.controlPlane.get(made.id)).status, "READY"));
  });

  async function remove(deployments: readonly Shape[]): Promise<void> {
    const nodes = deployments.map((deployment) => ({ ref: host.ref(deployment) }));
    await vscode.commands.executeCommand("agentOperations.deployment.delete", nodes[0], nodes);
  }

  async function rootRows(): Promise<readonly TreeNode[]> {
    const [root] = await extension.views.deployments.platform.nodes.getChildren();
    return root === undefined ? [] : extension.views.deployments.platform.nodes.getChildren(root);
  }

  async function names(): Promise<readonly unknown[]> {
    const rows = await rootRows();
    return rows.filter(({ id }) => id.startsWith("deployment:")).map((node) => node.item().label);
  }

  /** All rows as the platform has them now: the view may have been shown while a test prepared them. */
  async function drawn(): Promise<readonly string[]> {
    const { nodes } = extension.views.deployments.platform;
    await drawRows(nodes);
    await extension.views.deployments.refresh();
    return drawRows(nodes);
  }
});

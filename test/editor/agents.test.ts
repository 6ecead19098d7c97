import { deepEqual, equal, match, ok } from "node:assert/strict";
import * as vscode from "vscode";
import type { Agent } from "../../src/api/managedAgents/wire.ts";
import { plainListing } from "../../src/editor/agents/agentListing.ts";
import { drawRows, labels } from "./extensionUnderTest.ts";
import { until } from "../support/until.ts";
import type { Extension } from "./extensionUnderTest.ts";
import { useManagedPlatform } from "./managedPlatform.ts";
import type { ManagedPlatform } from "./managedPlatform.ts";
import { Person } from "./person.ts";

describe("The Agents view", () => {
  let extension: Extension;
  let managed: ManagedPlatform;

  useManagedPlatform(async (own) => {
    ({ extension, managed } = own);
    await extension.agents.setListing(plainListing);
    await extension.agents.setThreadFilter({});
    await managed.connect(extension);
    await vscode.commands.executeCommand("agentOperations.agents.focus");
  });

  it("lists agents with their model, and below them threads, tools, backend and files", async () => {
    const agent = await managed.api.agents.create({
      name: "Triage",
      runtime: { model: { model_id: "sample:echo" } },
      backend: { type: "sandbox", sandbox_config: { scope: "thread", idle_ttl_seconds: 900 } },
      tools: {
        tools: [{ name: "search", mcp_server_url: "http://127.0.0.1:9/mcp", mcp_server_name: "docs" }],
        interrupt_config: { "http://127.0.0.1:9/mcp::search": true },
      },
    });
    await managed.spoken(agent, "hello there");
    // The editor may have asked before there was an agent.
    await extension.views.agents.refresh();
    const [platform, ...rows] = await rowsShown();
    match(platform ?? "", /^Platform \| 127/);
    match(rows[2] ?? "", /^ {6}hello there \| unread · now$/);
    deepEqual(rows.toSpliced(2, 1).slice(0, 9), [
      "  Triage | sample:echo · now",
      "    Threads | 1 waiting",
      "    Tools | 1",
      "      search | docs · asks first",
      "    Backend | sandbox",
      "      type | sandbox",
      "      scope | thread",
      "      idle_ttl_seconds | 900",
      "    Files",
    ]);
    await until("the failing tool server is known", () => {
      const health = extension.agents.get(managed.ref(agent))?.health;
      return health?.kind === "checked" && health.report.mcp_check?.ok === false;
    });
    const node = extension.views.agents.platform.roots[0]!.known![0]!;
    match((node.tooltip!() as vscode.MarkdownString).value, /127\.0\.0\.1:9/);
    equal((node.item().iconPath as vscode.ThemeIcon).id, "warning");
  });

  it("has no row for the only platform unless that is protected, names it beside the title, and keeps what is selected", async () => {
    const agent = await managed.agent("Triage");
    await extension.views.agents.refresh();
    const { nodes, view } = extension.views.agents.platform;
    const tops = async (): Promise<string[]> => labels(nodes, await nodes.getChildren());
    deepEqual(await tops(), ["Triage"]);
    await extension.views.agents.reveal(managed.ref(agent));
    const selected = (): string | undefined => view.selection[0]?.id;
    const id = await until("the agent is selected", selected);
    const only = extension.connections.resolve(managed.connectionId);
    await extension.connections.update({ ...only, protected: "word" });
    deepEqual(await tops(), ["Platform"]);
    await extension.connections.update(only);
    deepEqual(await tops(), ["Triage"]);
    equal(view.description, "Platform");
    const { id: other } = await extension.connections.add({
      ...{ name: "Other", kind: "platform", url: "http://127.0.0.1:9" },
    });
    deepEqual(await tops(), ["Platform", "Other"]);
    equal(view.description, "");
    const [first] = await nodes.getChildren();
    ok(first);
    equal(nodes.getTreeItem(first).collapsibleState, vscode.TreeItemCollapsibleState.Expanded);
    await until("the agent is selected below its platform", () => selected() === id);
    await extension.connections.remove(other);
    deepEqual(await tops(), ["Triage"]);
    await until("the agent is selected again", () => selected() === id);
  });

  it("is seen below the only platform though that was folded, and stays so when there are two again", async () => {
    await managed.agent("Triage");
    const { nodes, view } = extension.views.agents.platform;
    const away = { name: "Other", kind: "platform", url: "http://127.0.0.1:9" } as const;
    const { id: other } = await extension.connections.add(away);
    const [first] = await nodes.getChildren();
    ok(first);
    const { Collapsed, Expanded } = vscode.TreeItemCollapsibleState;
    const state = () => nodes.getTreeItem(first).collapsibleState;
    await view.reveal(first, { select: true, focus: true, expand: true });
    await vscode.commands.executeCommand("list.collapse");
    await until("it is folded", () => state() === Collapsed);
    await extension.connections.remove(other);
    deepEqual(labels(nodes, await nodes.getChildren()), ["Triage"]);
    await extension.connections.add(away);
    equal(state(), Expanded);
  });

  it("says in a row what is to be done where the only platform can't be reached", async () => {
    await extension.connections.update({
      ...extension.connections.resolve(managed.connectionId),
      url: "http://127.0.0.1:9",
    });
    const { nodes, view } = extension.views.agents.platform;
    const [failure] = await nodes.getChildren();
    match(failure?.id ?? "", /^failure:/);
    ok(failure?.item().command);
    await until("it is said beside the title", () => view.description === "Platform · unreachable");
  });

  it("loads more on demand, each agent once", async () => {
    for (let index = 0; index < 60; index++) await managed.agent(`Agent ${String(index).padStart(2, "0")}`);
    const first = await agentNames();
    equal(first.length, 51);
    match(first.at(-1) ?? "", /^Load more agents \(50 shown\)/);
    await vscode.commands.executeCommand("agentOperations.agents.loadMore", {
      connectionId: managed.connectionId,
    });
    const all = await agentNames();
    equal(new Set(all).size, 60);
  });

  it("filters by name and sorts, says so beside its name, and forgets both at once", async () => {
    for (const name of ["Beta triage", "Alpha triage", "Other"]) await managed.agent(name);
    using person = new Person().will({ type: "TRI" }, { choose: "by name, A to Z" });
    await vscode.commands.executeCommand("agentOperations.agents.filter");
    deepEqual((await agentNames()).toSorted(), ["Alpha triage", "Beta triage"]);
    await vscode.commands.executeCommand("agentOperations.agents.sort");
    person.done();
    deepEqual(await agentNames(), ["Alpha triage", "Beta triage"]);
    equal(extension.views.agents.platform.view.description, "Platform · “TRI” · by name, A to Z");
    const kept = extension.context.workspaceState.get("agents.listing");
    deepEqual(kept, { name: "TRI", sort_by: "name", sort_order: "asc" });
    await vscode.commands.executeCommand("agentOperations.agents.clearFilter");
    deepEqual(await agentNames(), ["Other", "Alpha triage", "Beta triage"]);
    equal(extension.views.agents.platform.view.description, "Platform");
  });

  it("makes an agent step by step, with a way back, and changes it in the same fields", async () => {
    using person = new Person();
    person.will({ type: "Postmann" }, "back", { type: "Postman" }, { type: "" }, { type: "Be brief." });
    person.will({ type: "sample:echo" }, { choose: "A sandbox for each thread" });
    await managed.fault({ match: { method: "POST", path: "/agents$" }, status: 503, body: {}, times: 1 });
    person.presses("Edit…").will({ choose: /Create/ });
    await vscode.commands.executeCommand("agentOperations.agent.create");
    match(person.told.join(), /Whether the agent was created is not known/);
    const [made] = (await managed.api.agents.page()).items;
    equal(made?.name, "Postman");
    deepEqual(made.backend, { type: "sandbox", sandbox_config: { scope: "thread" } });
    equal((await managed.api.agents.get(made.id)).system_prompt, "Be brief.");
    const before = (await managed.api.agents.get(made.id)).updated_at;
    person.will({ choose: "Description" }, { type: "Sends mail" }, { choose: /idle/ }, { type: "900" });
    person.will({ choose: /Save/ });
    await run("agentOperations.agent.edit", made);
    const changed = await managed.api.agents.get(made.id);
    ok(changed.updated_at !== before);
    equal(changed.description, "Sends mail");
    equal(changed.backend?.sandbox_config?.idle_ttl_seconds, 900);
    equal(changed.runtime?.model?.model_id, "sample:echo");
    person.done();
  });

  it("clones an agent, and deletes one after naming it", async () => {
    const agent = await managed.agent("Postman");
    await agentNames();
    using person = new Person().will({ type: "Postman two" }).presses("Delete");
    await run("agentOperations.agent.clone", agent);
    deepEqual((await agentNames()).toSorted(), ["Postman", "Postman two"]);
    await run("agentOperations.agent.delete", agent);
    match(person.told[0] ?? "", /Delete the agent “Postman”\?.*can't be undone/s);
    deepEqual(await agentNames(), ["Postman two"]);
  });

  it("keeps an agent that nobody confirmed to delete", async () => {
    const agent = await managed.agent("Stays");
    using person = new Person();
    await run("agentOperations.agent.delete", agent);
    equal((await managed.api.agents.get(agent.id)).name, "Stays");
    equal(person.told.length, 1);
  });

  it("is deleted on a protected connection only when its name is typed", async () => {
    const agent = await managed.agent("Precious");
    const setting = extension.connections.get(managed.connectionId)!;
    await extension.connections.update({ ...setting, protected: "word" });
    using person = new Person();
    person.will("cancel");
    await run("agentOperations.agent.delete", agent);
    equal((await managed.api.agents.get(agent.id)).name, "Precious");
    person.will({ type: "Precious" });
    await run("agentOperations.agent.delete", agent);
    deepEqual((await managed.api.agents.page()).items, []);
    match(person.asked[0]?.title ?? "", /Delete the agent “Precious”\?/);
  });

  it("checks the health on demand and names what fails", async () => {
    const agent = await managed.api.agents.create({
      name: "Sick",
      tools: { tools: [{ name: "x", mcp_server_url: "http://127.0.0.1:9/mcp" }] },
    });
    using person = new Person();
    await run("agentOperations.agent.checkHealth", agent);
    match(person.told[0] ?? "", /1 tool server fails.*127\.0\.0\.1:9/);
  });

  it("lists them anew when its key changed while another one was being refused", async () => {
    await managed.agent("Patient");
    await rowsShown();
    const [root] = extension.views.agents.platform.roots;
    ok(root);
    await managed.fault({ match: { method: "GET", path: "/agents$" }, status: 401, times: 1 });
    root.reset();
    const answer = root.children();
    root.reset();
    const rows = await answer;
    await managed.healed();
    deepEqual(labels(extension.views.agents.platform.nodes, rows), ["Patient"]);
  });

  it("names a missing permission, and says that a full workspace takes no more agents", async () => {
    const agent = await managed.agent("Original");
    await managed.fault({
      match: { method: "POST", path: "/clone$" },
      status: 403,
      headers: { "content-type": "text/plain" },
      body: "missing permission agents:create",
      times: 1,
    });
    using person = new Person();
    const clone = async (): Promise<string> => {
      person.will({ type: "Copy" });
      await run("agentOperations.agent.clone", agent);
      return person.told.at(-1) ?? "";
    };
    match(await clone(), /lacks the permission agents:create/);
    await managed.fault({
      match: { method: "POST", path: "/clone$" },
      status: 409,
      body: {
        code: "agent_limit_reached",
        detail: "This workspace may have no more than 1 agents.",
        status: 409,
      },
      times: 1,
    });
    const full = await clone();
    await managed.healed();
    match(full, /no more than 1 agents/);
    ok(!full.includes("current run"), full);
  });

  it("asks anew with a click on the row that says why it could not", async () => {
    await managed.agent("Patient");
    await managed.fault({ match: { method: "GET", path: "/agents$" }, status: 500, body: {}, times: 100 });
    await vscode.commands.executeCommand("agentOperations.agents.refresh");
    const failure = await until("the failure is shown", async () => {
      const rows = await extension.views.agents.platform.nodes.getChildren();
      return rows.find(({ id }) => id.startsWith("failure:"));
    });
    await managed.healed();
    const { command } = failure.item();
    ok(command);
    await vscode.commands.executeCommand(command.command, ...((command.arguments ?? []) as unknown[]));
    const [, first] = await rowsShown();
    match(first ?? "", /Patient/);
  });

  it("says below an agent that was deleted elsewhere that it is gone", async () => {
    const agent = await managed.agent("Ghost");
    await agentNames();
    await managed.api.agents.delete(agent.id);
    const rows = await rowsShown();
    match(rows[2] ?? "", /answered: .*deleted elsewhere/);
    deepEqual(await agentNames(), []);
  });

  async function rowsShown(): Promise<string[]> {
    return drawRows(extension.views.agents.platform.nodes);
  }

  /** The rows of the platform's agents alone. */
  async function agentNames(): Promise<string[]> {
    await extension.views.agents.refresh();
    const { platform } = extension.views.agents;
    const root = await until("the platform is listed", () => platform.roots[0]);
    return labels(platform.nodes, await root.children());
  }

  async function run(command: string, agent: Agent): Promise<void> {
    await vscode.commands.executeCommand(command, managed.ref(agent));
  }
});

import { deepEqual, doesNotMatch, equal, match, ok } from "node:assert/strict";
import * as vscode from "vscode";
import { toolSchemaUri } from "../../src/editor/documents/toolSchemas.ts";
import { text } from "../support/localPlatform.ts";
import { ManagedClient } from "../support/managedClient.ts";
import { keyFor } from "../support/mcpClient.ts";
import { until } from "../support/until.ts";
import { ToolServerProcess } from "./toolServerProcess.ts";
import { type ToolServersView, useToolServersView } from "./toolServersView.ts";

const secret = "Bearer never-to-be-seen";

describe("The Tool Servers view", () => {
  let at: ToolServersView;
  let tools: ToolServerProcess;

  before(async () => (tools = await ToolServerProcess.start()));
  after(() => tools.stop());
  useToolServersView((view) => {
    at = view;
  });

  it("asks for a tool server where there is none", async () => {
    await until(
      "the platform was asked",
      () => at.extension.views.toolServers.platform.empty === "noToolServer",
    );
    deepEqual(await at.rows(), []);
  });

  it("offers to register one to who wants to connect one where there is none", async () => {
    at.person.presses("Register Tool Server").will("cancel");
    await at.run("toolServer.connect");
    await until("its address is asked for", () => at.person.asked.length === 1);
    match(at.person.told.join("\n"), /There is no tool server for this\. Register one first\./);
  });

  it("registers a server step by step, its headers hidden as they are typed", async () => {
    at.person.will(
      { type: tools.url },
      { choose: "Headers" },
      { type: "Authorization" },
      { type: secret },
      { choose: /Add Another/ },
      { type: "authorization" },
    );
    await at.run("toolServer.register");
    match(at.person.told.join("\n"), /“authorization” is there already/);
    deepEqual(
      at.person.asked.filter(({ hidden }) => hidden).map(({ prompt }) => prompt),
      ["Value of Authorization. It is sent to the platform and kept nowhere else."],
    );
    at.person.will(
      { type: tools.url },
      { choose: "Headers" },
      { type: "Authorization" },
      { type: secret },
      { choose: /Done/ },
      { type: "Everything" },
      { choose: /Register/ },
    );
    await at.run("toolServer.register");
    let drawn: string[] = [];
    await until("it is listed", async () => {
      drawn = await at.rows();
      return drawn.some((line) => line.includes("Everything | 1 header"));
    });
    ok(
      drawn.some((line) => line.trim().startsWith("echo")),
      drawn.join("\n"),
    );
    const { view } = at.extension.views.toolServers.platform;
    await until("its row is selected", () => view.selection[0]?.item().label === "Everything");
    const [server] = await at.listed();
    deepEqual(server?.headers, [{ key: "Authorization", value: secret }]);
    doesNotMatch(JSON.stringify(at.person.asked), /never-to-be-seen/);
  });

  it("names the permission that is missing", async () => {
    await at.useKey(await keyFor(at.platform, "mcp-servers:read"));
    at.person.will({ type: tools.url }, { choose: "None" }, { type: "Everything" }, { choose: /Register/ });
    await at.run("toolServer.register");
    match(at.person.told.join("\n"), /lacks the permission mcp-servers:create/);
  });

  it("says in words that an address is registered already", async () => {
    await at.client.server(tools.url);
    at.person.will({ type: tools.url }, { choose: "None" }, { type: "Again" }, { choose: /Register/ });
    await at.run("toolServer.register");
    match(at.person.told.join("\n"), /already registered .*Edit that one, or use another address/);
  });

  it("keeps what was typed where it could not be registered, for another try", async () => {
    await at.client.server(tools.url);
    at.person.presses("Edit…").will({ type: tools.url }, { choose: "None" }, { type: "Again" });
    at.person.will({ choose: /Register/ }, { choose: "Address" }, { type: `${tools.url}?again` });
    at.person.will({ choose: /Register/ });
    await at.run("toolServer.register");
    at.person.done();
    deepEqual((await at.listed()).map(({ name }) => name).includes("Again"), true);
  });

  it("rotates one header and keeps the others", async () => {
    const headers = [
      { key: "Authorization", value: secret },
      { key: "X-Team", value: "blue" },
    ];
    const { id } = await at.client.server(tools.url, { headers });
    at.person.will({ choose: /New value for Authorization/ }, { type: "Bearer fresh" });
    await at.run("toolServer.rotateHeaders", at.ref(id));
    deepEqual((await at.listed())[0]?.headers, [
      { key: "X-Team", value: "blue" },
      { key: "Authorization", value: "Bearer fresh" },
    ]);
    ok(at.person.asked.at(-1)?.hidden);
  });

  it("removes a header only when that is confirmed", async () => {
    const { id } = await at.client.server(tools.url, { headers: [{ key: "Authorization", value: secret }] });
    at.person.will({ choose: /Remove Authorization/ });
    await at.run("toolServer.rotateHeaders", at.ref(id));
    match(at.person.told.at(-1) ?? "", /Remove the header Authorization from “Tools”\?/);
    equal(((await at.listed())[0]!.headers as readonly unknown[]).length, 1);
    at.person.will({ choose: /Remove Authorization/ }).presses("Remove");
    await at.run("toolServer.rotateHeaders", at.ref(id));
    deepEqual((await at.listed())[0]?.headers, []);
  });

  it("asks before the headers of a server go to another address", async () => {
    const { id } = await at.client.server(tools.url, { headers: [{ key: "Authorization", value: secret }] });
    at.person.will({ choose: "Address" }, { type: "https://elsewhere.example.com/mcp" }, { choose: /Save/ });
    await at.run("toolServer.edit", at.ref(id));
    match(at.person.told[0] ?? "", /Send the headers of “Tools” to elsewhere\.example\.com\?/);
    equal((await at.listed())[0]?.url, tools.url);
    at.person.press = () => "Remove Them";
    at.person.will({ choose: "Address" }, { type: "https://elsewhere.example.com/mcp" }, { choose: /Save/ });
    await at.run("toolServer.edit", at.ref(id));
    const [server] = await at.listed();
    deepEqual([server?.url, server?.headers], ["https://elsewhere.example.com/mcp", []]);
  });

  it("names the agents that use a server before it is deleted", async () => {
    const { id } = await at.client.server(tools.url);
    const entry = { name: "echo", mcp_server_url: `${tools.url}/` };
    await at.client.agent({ name: "Direct", tools: { tools: [entry] } });
    await at.client.agent({ name: "By subagent", subagents: [{ name: "s", tools: { tools: [entry] } }] });
    await at.client.agent({ name: "Neither" });
    await at.run("toolServer.delete", at.ref(id));
    equal((await at.listed()).length, 1);
    const asked = at.person.told.at(-1) ?? "";
    match(asked, /Delete the tool server “Tools”\?/);
    match(asked, /“By subagent”/);
    match(asked, /“Direct”/);
    doesNotMatch(asked, /Neither/);
    at.person.press = () => "Delete";
    await at.run("toolServer.delete", at.ref(id));
    deepEqual(await at.listed(), []);
  });

  it("is not deleted as long as it is not known who uses it", async () => {
    const { id } = await at.client.server(tools.url);
    const entry = { name: "echo", mcp_server_url: tools.url };
    const agent = await at.client.agent({ name: "Hidden", tools: { tools: [entry] } });
    const faults = `${at.platform.ready.localUrl}/faults`;
    const fault = { match: { method: "GET", path: `/agents/${text(agent.id)}$` }, status: 500, times: 100 };
    await at.platform.send("POST", faults, fault);
    at.person.press = () => "Delete";
    await at.run("toolServer.delete", at.ref(id));
    await at.platform.send("DELETE", faults);
    equal((await at.listed()).length, 1);
    match(at.person.told.at(-1) ?? "", /^Delete Tool Server: /);
  });

  it("says of a server that is not there why it gives no tools, and asks again on a key", async () => {
    const gone = await ToolServerProcess.start();
    const port = Number(new URL(gone.url).port);
    await at.client.server(gone.url);
    await gone.stop();
    await at.run("toolServers.refresh");
    const before = await until("the reason is shown", async () =>
      (await at.rows()).find((line) => line.includes("The tool server gave no tools")),
    );
    match(before, /ECONNREFUSED|fetch failed|connect/);
    const back = await ToolServerProcess.start({ port });
    try {
      const [server] = await at.listed();
      await at.run("tool.togglePick", at.extension.views.toolServers.node(at.ref(server?.id))?.known);
      await until("its tools are shown", async () => (await at.rows()).some((line) => line.includes("echo")));
    } finally {
      await back.stop();
    }
  });

  it("opens a tool's input schema as a JSON document", async () => {
    const { id } = await at.client.server(tools.url);
    await at.run("toolServers.refresh");
    await at.rows();
    const node = at.extension.views.toolServers
      .node(at.ref(id))
      ?.known?.find((child) => child.id.endsWith("/echo"));
    ok(node);
    await at.run("tool.openSchema", node);
    const document = vscode.window.activeTextEditor?.document;
    ok(document);
    equal(document.uri.toString(), toolSchemaUri(at.ref(id), "echo").toString());
    equal(document.languageId, "json");
    deepEqual(Object.keys((JSON.parse(document.getText()) as { properties: object }).properties), [
      "message",
    ]);
  });

  it("writes picked tools into a tools.json of the workspace, with what needs approval", async () => {
    const { id } = await at.client.server(tools.url);
    await at.run("toolServers.refresh");
    await at.rows();
    const children = at.extension.views.toolServers.node(at.ref(id))?.known ?? [];
    for (const name of ["echo", "get-sum"]) {
      await at.run("tool.togglePick", [children.find((child) => child.id.endsWith(`/${name}`))]);
    }
    const folder = vscode.workspace.workspaceFolders?.[0];
    ok(folder);
    const file = vscode.Uri.joinPath(folder.uri, "tools.json");
    const written = { tools: [{ name: "mine", mcp_server_url: "https://mine.test" }], interrupt_config: {} };
    await vscode.workspace.fs.writeFile(file, new TextEncoder().encode(JSON.stringify(written)));
    try {
      at.person.will({ tick: ["get-sum"] }, { choose: /tools\.json/ });
      await at.run("toolServers.useTools");
      const bytes = await vscode.workspace.fs.readFile(file);
      const now = JSON.parse(new TextDecoder().decode(bytes)) as typeof written;
      deepEqual(
        now.tools.map(({ name }) => name),
        ["mine", "echo", "get-sum"],
      );
      const server = tools.url.replace(/\/+$/, "");
      deepEqual(now.interrupt_config, { [`${server}::echo`]: false, [`${server}::get-sum`]: true });
      equal(at.extension.toolServers.picked.length, 0);
    } finally {
      await vscode.commands.executeCommand("workbench.action.closeActiveEditor");
      await vscode.workspace.fs.delete(file);
    }
  });

  it("offers picked tools to every agent, however many there are", async () => {
    const { id } = await at.client.server(tools.url);
    const agents = new ManagedClient(at.platform);
    for (let n = 0; n < 101; n++) await agents.agentId({ name: `Agent ${String(n)}` });
    await at.run("toolServers.refresh");
    await at.rows();
    const children = at.extension.views.toolServers.node(at.ref(id))?.known ?? [];
    await at.run("tool.togglePick", [children.find((child) => child.id.endsWith("/echo"))]);
    at.person.will({ tick: [] }, "cancel");
    await at.run("toolServers.useTools");
    const names = at.person.asked.at(-1)?.labels.filter((label) => label.startsWith("$(hubot) Agent "));
    equal(names?.length, 101);
  });
});

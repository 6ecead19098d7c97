import { deepEqual, doesNotMatch, equal, match, ok } from "node:assert/strict";
import * as vscode from "vscode";
import { toolSchemaUri } from "../../src/editor/documents/toolSchema.ts";

import { LocalPlatform, text } from "../unit/emulator/localPlatform.ts";
import { keyFor, McpClient } from "../unit/emulator/mcpClient.ts";
import { drawRows, theExtension, tidyUp, until } from "./extensionUnderTest.ts";
import type { Extension } from "./extensionUnderTest.ts";
import { Person } from "./person.ts";
import { ToolServerProcess } from "./toolServerProcess.ts";

const secret = "Bearer never-to-be-seen";

describe("The Tool Servers view", () => {
  let extension: Extension;
  let platform: LocalPlatform;
  let client: McpClient;
  let tools: ToolServerProcess;
  let connectionId: string;
  let person: Person;

  before(async () => {
    extension = await theExtension();
    tools = await ToolServerProcess.start();
  });

  after(() => tools.stop());

  beforeEach(async () => {
    await tidyUp(extension);
    platform = await LocalPlatform.start();
    client = new McpClient(platform);
    connectionId = await connectPlatform(platform.ready.apiKey);
    await vscode.commands.executeCommand("agentOperations.toolServers.focus");
    person = new Person();
  });

  afterEach(async () => {
    person[Symbol.dispose]();
    person.done();
    await tidyUp(extension);
    await platform.remove();
  });

  it("asks for a tool server where there is none", async () => {
    await until("the platform was asked", () => extension.toolServers.platforms.empty === "noToolServer");
    deepEqual(await rows(), []);
  });

  it("registers a server step by step, its headers hidden as they are typed", async () => {
    person.will(
      { type: tools.url },
      { choose: "Headers" },
      { type: "Authorization" },
      { type: secret },
      { choose: /Add Another/ },
      { type: "authorization" },
    );
    await run("toolServer.register");
    match(person.told.join("\n"), /"authorization" is there already/);
    deepEqual(
      person.asked.filter(({ hidden }) => hidden).map(({ prompt }) => prompt),
      ["Value of Authorization. It is sent to the platform and kept nowhere else."],
    );
    person.will(
      { type: tools.url },
      { choose: "Headers" },
      { type: "Authorization" },
      { type: secret },
      { choose: /Done/ },
      { type: "Everything" },
      { choose: /Register/ },
    );
    await run("toolServer.register");
    let drawn: string[] = [];
    await until("it is listed", async () => {
      drawn = await rows();
      return drawn.some((line) => line.includes("Everything | 1 header"));
    });
    ok(
      drawn.some((line) => line.trim().startsWith("echo")),
      drawn.join("\n"),
    );
    const [server] = await listed();
    deepEqual(server?.headers, [{ key: "Authorization", value: secret }]);
    doesNotMatch(JSON.stringify(person.asked), /never-to-be-seen/);
  });

  it("names the permission that is missing", async () => {
    await tidyUp(extension);
    connectionId = await connectPlatform(await keyFor(platform, "mcp-servers:read"));
    person.will({ type: tools.url }, { choose: "None" }, { type: "Everything" }, { choose: /Register/ });
    await run("toolServer.register");
    match(person.told.join("\n"), /lacks the permission mcp-servers:create/);
  });

  it("says in words that an address is registered already", async () => {
    await client.server(tools.url);
    person.will({ type: tools.url }, { choose: "None" }, { type: "Again" }, { choose: /Register/ });
    await run("toolServer.register");
    match(person.told.join("\n"), /already registered .*Edit that one, or use another address/);
  });

  it("rotates one header and keeps the others", async () => {
    const headers = [
      { key: "Authorization", value: secret },
      { key: "X-Team", value: "blue" },
    ];
    const { id } = await client.server(tools.url, { headers });
    person.will({ choose: /New value for Authorization/ }, { type: "Bearer fresh" });
    await run("toolServer.rotateHeaders", ref(id));
    deepEqual((await listed())[0]?.headers, [
      { key: "X-Team", value: "blue" },
      { key: "Authorization", value: "Bearer fresh" },
    ]);
    ok(person.asked.at(-1)?.hidden);
  });

  it("asks before the headers of a server go to another address", async () => {
    const { id } = await client.server(tools.url, { headers: [{ key: "Authorization", value: secret }] });
    person.will({ choose: "Address" }, { type: "https://elsewhere.example.com/mcp" }, { choose: /Save/ });
    await run("toolServer.edit", ref(id));
    match(person.told[0] ?? "", /Send the headers of “Tools” to elsewhere\.example\.com\?/);
    equal((await listed())[0]?.url, tools.url);
    person.press = () => "Take Them Away";
    person.will({ choose: "Address" }, { type: "https://elsewhere.example.com/mcp" }, { choose: /Save/ });
    await run("toolServer.edit", ref(id));
    const [server] = await listed();
    deepEqual([server?.url, server?.headers], ["https://elsewhere.example.com/mcp", []]);
  });

  it("names the agents that use a server before it is deleted", async () => {
    const { id } = await client.server(tools.url);
    const entry = { name: "echo", mcp_server_url: `${tools.url}/` };
    await client.agent({ name: "Direct", tools: { tools: [entry] } });
    await client.agent({ name: "By subagent", subagents: [{ name: "s", tools: { tools: [entry] } }] });
    await client.agent({ name: "Neither" });
    await run("toolServer.delete", ref(id));
    equal((await listed()).length, 1);
    const asked = person.told.at(-1) ?? "";
    match(asked, /Delete the tool server “Tools”\?/);
    match(asked, /“By subagent”/);
    match(asked, /“Direct”/);
    doesNotMatch(asked, /Neither/);
    person.press = () => "Delete";
    await run("toolServer.delete", ref(id));
    deepEqual(await listed(), []);
  });

  it("says of a server that is not there why it gives no tools, and asks again on a key", async () => {
    const gone = await ToolServerProcess.start();
    const port = Number(new URL(gone.url).port);
    await client.server(gone.url);
    await gone.stop();
    await run("toolServers.refresh");
    const before = await until("the reason is shown", async () =>
      (await rows()).find((line) => line.includes("It gave no tools")),
    );
    match(before, /ECONNREFUSED|fetch failed|connect/);
    const back = await ToolServerProcess.start({ port });
    try {
      const [server] = await listed();
      await run("tool.togglePick", extension.toolServers.node(ref(server?.id))?.known);
      await until("its tools are shown", async () => (await rows()).some((line) => line.includes("echo")));
    } finally {
      await back.stop();
    }
  });

  it("opens a tool's input schema as a JSON document", async () => {
    const { id } = await client.server(tools.url);
    await run("toolServers.refresh");
    await rows();
    const node = extension.toolServers.node(ref(id))?.known?.find((child) => child.id.endsWith("/echo"));
    ok(node);
    await run("tool.openSchema", node);
    const document = vscode.window.activeTextEditor?.document;
    ok(document);
    equal(document.uri.toString(), toolSchemaUri(ref(id), "echo").toString());
    equal(document.languageId, "json");
    deepEqual(Object.keys((JSON.parse(document.getText()) as { properties: object }).properties), [
      "message",
    ]);
  });

  it("writes picked tools into a tools.json of the workspace, with what needs approval", async () => {
    const { id } = await client.server(tools.url);
    await run("toolServers.refresh");
    await rows();
    const children = extension.toolServers.node(ref(id))?.known ?? [];
    for (const name of ["echo", "get-sum"]) {
      await run("tool.togglePick", [children.find((child) => child.id.endsWith(`/${name}`))]);
    }
    const folder = vscode.workspace.workspaceFolders?.[0];
    ok(folder);
    const file = vscode.Uri.joinPath(folder.uri, "tools.json");
    const written = { tools: [{ name: "mine", mcp_server_url: "https://mine.test" }], interrupt_config: {} };
    await vscode.workspace.fs.writeFile(file, new TextEncoder().encode(JSON.stringify(written)));
    try {
      person.will({ tick: ["get-sum"] }, { choose: /tools\.json/ });
      await run("toolServers.useTools");
      const bytes = await vscode.workspace.fs.readFile(file);
      const now = JSON.parse(new TextDecoder().decode(bytes)) as typeof written;
      deepEqual(
        now.tools.map(({ name }) => name),
        ["mine", "echo", "get-sum"],
      );
      const server = tools.url.replace(/\/+$/, "");
      deepEqual(now.interrupt_config, { [`${server}::echo`]: false, [`${server}::get-sum`]: true });
      equal(extension.toolServers.picks.all.length, 0);
    } finally {
      await vscode.commands.executeCommand("workbench.action.closeActiveEditor");
      await vscode.workspace.fs.delete(file);
    }
  });

  async function rows(): Promise<string[]> {
    return drawRows(extension.toolServers.platforms.nodes);
  }

  async function run(command: string, ...args: unknown[]): Promise<void> {
    await vscode.commands.executeCommand(`agentOperations.${command}`, ...args);
  }

  function ref(id: unknown): { connectionId: string; toolServerId: string } {
    return { connectionId, toolServerId: text(id) };
  }

  async function listed(): Promise<readonly Record<string, unknown>[]> {
    return (await client.get("/mcp-servers")) as unknown as readonly Record<string, unknown>[];
  }

  async function connectPlatform(key: string): Promise<string> {
    const { baseUrl: url, controlPlaneUrl } = platform.ready;
    const { id } = await extension.connections.add({
      name: "Platform",
      kind: "platform",
      url,
      controlPlaneUrl,
    });
    await extension.apiKeys.set(id, [url], key);
    return id;
  }
});

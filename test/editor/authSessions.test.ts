import { deepEqual, doesNotMatch, equal, match, ok } from "node:assert/strict";
import * as vscode from "vscode";
import { AuthAttempts } from "../../src/editor/toolServers/authAttempts.ts";
import { LocalPlatform, text } from "../unit/emulator/localPlatform.ts";
import { McpClient } from "../unit/emulator/mcpClient.ts";
import { drawRows, theExtension, tidyUp, until } from "./extensionUnderTest.ts";
import type { Extension } from "./extensionUnderTest.ts";
import { Person } from "./person.ts";
import { ToolServerProcess } from "./toolServerProcess.ts";

describe("Connecting to a tool server", () => {
  let extension: Extension;
  let platform: LocalPlatform;
  let client: McpClient;
  let tools: ToolServerProcess;
  let connectionId: string;
  let person: Person;

  before(async () => {
    [extension, tools] = await Promise.all([theExtension(), ToolServerProcess.start({ oauth: true })]);
  });

  after(() => tools.stop());

  beforeEach(async () => {
    await tidyUp(extension);
    platform = await LocalPlatform.start();
    client = new McpClient(platform);
    const { baseUrl: url, controlPlaneUrl, apiKey } = platform.ready;
    const setting = await extension.connections.add({
      name: "Platform",
      kind: "platform",
      url,
      controlPlaneUrl,
    });
    connectionId = setting.id;
    await extension.apiKeys.set(connectionId, [url], apiKey);
    await vscode.commands.executeCommand("agentOperations.toolServers.focus");
    person = new Person();
  });

  afterEach(async () => {
    person[Symbol.dispose]();
    person.done();
    await tidyUp(extension);
    await platform.remove();
  });

  it("opens the page, waits until the person agreed there, and shows the tools", async () => {
    person.browse = agree;
    person.press = (asked) => (asked.includes("is registered") ? "Connect" : undefined);
    person.will({ type: tools.url }, { choose: "OAuth" }, { type: "Guarded" }, { choose: /Register/ });
    await run("register");
    await until("it is told", () => person.told.includes("“Guarded” is connected."));
    await shown("Guarded | OAuth: connected");
    await until("its tools are shown", async () =>
      (await rows()).some((line) => line.trim().startsWith("echo")),
    );
    match(person.opened[0] ?? "", /^http:\/\/127\.0\.0\.1:\d+\/authorize\?.*code_challenge=/);
    const entry = extension.activity.entries.find(({ options }) => options.title === "Connecting “Guarded”");
    deepEqual([entry?.end?.how, entry?.end?.message], ["done", "“Guarded” is connected."]);
    const kept = JSON.stringify(extension.context.workspaceState.get("authAttempts"));
    doesNotMatch(kept, /token|verification|authorize/i);
  });

  it("says that access was refused, and offers to try again", async () => {
    const denying = await ToolServerProcess.start({ oauth: true, denies: true });
    try {
      person.browse = agree;
      await run("connect", await register(denying.url));
      await until("it is told", () => person.told.some((told) => told.includes("access was refused")));
      match(person.told.at(-1) ?? "", /“Tools” is not connected: access was refused \(access_denied\)\./);
      await shown("Tools | OAuth: not connected · refused");
    } finally {
      await denying.stop();
    }
  });

  it("gives the address to copy when the browser does not open", async () => {
    person.browse = () => Promise.resolve(false);
    person.press = (asked) => (asked.includes("did not open") ? "Copy Address" : undefined);
    await run("connect", await register());
    equal(await vscode.env.clipboard.readText(), person.opened[0]);
    await shown("Tools | OAuth: waiting for you in the browser");
    await agree(person.opened[0] ?? "");
    await shown("Tools | OAuth: connected");
  });

  it("is given up when cancelled, and the row says so", async () => {
    const ref = await register();
    await run("connect", ref);
    await shown("Tools | OAuth: waiting for you in the browser");
    await run("copyAddress", ref);
    equal(await vscode.env.clipboard.readText(), person.opened[0]);
    await run("cancelConnect", ref);
    await shown("Tools | OAuth: not connected · cancelled");
    await run("openAddress", ref);
    match(person.told.at(-1) ?? "", /There is no page to agree on/);
  });

  it("waits for several at once, each ending for itself", async () => {
    const other = await ToolServerProcess.start({ oauth: true });
    try {
      const [first, second] = [await register(), await register(other.url, "Others")];
      await Promise.all([run("connect", first), run("connect", second)]);
      equal(person.opened.length, 2);
      await shown("Tools | OAuth: waiting for you in the browser");
      await shown("Others | OAuth: waiting for you in the browser");
      await agree(person.opened.find((address) => address.startsWith(new URL(other.url).origin)) ?? "");
      await shown("Others | OAuth: connected");
      await shown("Tools | OAuth: waiting for you in the browser");
      await run("cancelConnect", first);
    } finally {
      await other.stop();
    }
  });

  it("tells when nobody agreed in time", async () => {
    const ref = await register();
    const attempts = new AuthAttempts(extension, 300);
    equal(await attempts.begin(await order(ref)), "waiting");
    deepEqual(await attempts.wait(ref), { outcome: "timedOut" });
    deepEqual(attempts.of(ref)?.end, { outcome: "timedOut" });
    ok(attempts.again(ref));
    attempts.cancel(ref);
    attempts.dispose();
  });

  it("goes on after the window was reloaded, knowing the session but no address and no token", async () => {
    const ref = await register();
    const before = new AuthAttempts(extension);
    equal(await before.begin(await order(ref)), "waiting");
    const address = before.addressOf(ref) ?? "";
    const waiting = before.wait(ref);
    before.dispose();
    await waiting.catch(() => undefined);
    const after = new AuthAttempts(extension);
    const resumed: string[] = [];
    after.onDidResume(({ serverName }) => resumed.push(serverName));
    after.resume();
    deepEqual(resumed, ["Tools"]);
    equal(after.addressOf(ref), undefined);
    const waited = after.wait(ref);
    await agree(address);
    deepEqual(await waited, { outcome: "connected" });
    after.dispose();
  });

  it("says that a grant is over when its token expired", async () => {
    const brief = await ToolServerProcess.start({ oauth: true, lifetime: 1 });
    try {
      person.browse = agree;
      await run("connect", await register(brief.url));
      await until("it ended", () => person.told.some((told) => told.includes("Tools")));
      await until("the token is over", async () => {
        await run("refresh", undefined, "toolServers");
        return (await rows()).some((line) => line.includes("Tools | OAuth: expired"));
      });
    } finally {
      await brief.stop();
    }
  });

  async function agree(address: string): Promise<boolean> {
    const page = await fetch(address);
    await page.text();
    return true;
  }

  /** A tool server with its OAuth provider. */
  async function register(
    url = tools.url,
    name = "Tools",
  ): Promise<{ connectionId: string; toolServerId: string }> {
    const { id } = await client.server(url, { name, auth_type: "oauth" });
    await client.send("POST", `/mcp-servers/${text(id)}/oauth-provider`, {});
    await run("refresh", undefined, "toolServers");
    return { connectionId, toolServerId: text(id) };
  }

  async function order(ref: { connectionId: string; toolServerId: string }): Promise<{
    connectionId: string;
    toolServerId: string;
    serverName: string;
    providerId: string;
    anew: boolean;
  }> {
    const server = await client.get(`/mcp-servers/${ref.toolServerId}`);
    return { ...ref, serverName: "Tools", providerId: text(server.oauth_provider_id), anew: false };
  }

  async function run(command: string, argument?: unknown, noun = "toolServer"): Promise<void> {
    await vscode.commands.executeCommand(`agentOperations.${noun}.${command}`, argument);
  }

  async function rows(): Promise<string[]> {
    return drawRows(extension.toolServers.platforms.nodes);
  }

  async function shown(line: string): Promise<string[]> {
    let drawn: string[] = [];
    const awaited = `the row "${line}" is shown`;
    await until(awaited, async () => {
      drawn = await rows();
      return drawn.some((row) => row.trim() === line);
    });
    return drawn;
  }
});

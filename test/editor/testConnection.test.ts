import { strict as assert } from "node:assert";
import * as vscode from "vscode";
import { startAgentServer } from "./agentServer.ts";
import type { TestServer } from "./agentServer.ts";
import { connectPlatform, tidyUp, theExtension } from "./extensionUnderTest.ts";
import { LocalPlatform } from "../support/localPlatform.ts";
import { Person } from "./person.ts";
import { until } from "../support/until.ts";
import type { Extension } from "./extensionUnderTest.ts";

const key = "test-key-of-the-report";

describe("Test Connection", () => {
  let extension: Extension;
  let server: TestServer;

  before(async () => {
    extension = await theExtension();
    server = await startAgentServer(key);
  });
  after(() => server.close());
  afterEach(() => tidyUp(extension));

  const test = async (connectionId: string): Promise<string> => {
    await vscode.commands.executeCommand("agentOperations.connection.test", { connectionId });
    const document = await until("the report is shown", () => vscode.window.activeTextEditor?.document);
    assert.equal(document.uri.scheme, "agent-operations");
    return document.getText();
  };

  it("reports every step of a server that answers, without the key", async () => {
    const { id } = await extension.connections.add({ name: "Mine", kind: "agentServer", url: server.url });
    await extension.apiKeys.set(id, [server.url], key);
    const text = await test(id);
    assert.match(text, /^Connection {2}Mine$/m);
    assert.match(text, /^Result {6}works$/m);
    assert.match(text, /^✓ /m);
    assert(!text.includes("✗"), text);
    assert(!text.includes(key));
  });

  it("says which step fails when nobody listens", async () => {
    const gone = await startAgentServer();
    await gone.close();
    const { id } = await extension.connections.add({ name: "Gone", kind: "agentServer", url: gone.url });
    const text = await test(id);
    assert.match(text, /^Result {6}\d+ failed$/m);
    assert.match(text, /^✗ .*refused/im);
  });

  it("says that a key is refused", async () => {
    const { id } = await extension.connections.add({ name: "Refused", kind: "agentServer", url: server.url });
    await extension.apiKeys.set(id, [server.url], "wrong-key-0123456789");
    const text = await test(id);
    assert.match(text, /^✗ .*API key was refused/m);
    assert(!text.includes("wrong-key"));
  });

  it("says of a platform whose control plane is away which step fails, and tests the others", async () => {
    const gone = await startAgentServer();
    await gone.close();
    const addresses = { url: server.url, controlPlaneUrl: gone.url };
    const { id } = await extension.connections.add({ name: "Half", kind: "platform", ...addresses });
    await extension.apiKeys.set(id, [server.url, gone.url], key);
    const text = await test(id);
    assert.match(text, /^✗ .*refused/im);
    assert.match(text, /^✓ /m);
  });

  it("says that a PAC file is configured and not evaluated", async () => {
    const http = vscode.workspace.getConfiguration("http");
    await http.update("proxy", "http://127.0.0.1:1/proxy.pac", vscode.ConfigurationTarget.Global);
    try {
      const { id } = await extension.connections.add({ name: "Mine", kind: "agentServer", url: server.url });
      assert.match(await test(id), /^– Proxy script .*proxy\.pac is not evaluated/m);
    } finally {
      await http.update("proxy", undefined, vscode.ConfigurationTarget.Global);
    }
  });

  it("is done by itself with a new key of a platform, whichever of its servers are down", async () => {
    const platform = await LocalPlatform.start();
    try {
      const { id } = await connectPlatform(extension, "Half", platform);
      const fault = { match: { path: "^/deployments/" }, status: 502, times: 1000 };
      const { status } = await platform.send("POST", `${platform.ready.localUrl}/faults`, fault);
      assert.equal(status, 201);
      using person = new Person().will({ type: platform.ready.apiKey });
      await vscode.commands.executeCommand("agentOperations.connection.setApiKey", { connectionId: id });
      const answered = () =>
        person.seen.map(({ text = "" }) => text).find((text) => /answered in/.test(text));
      assert.match(
        await until("it was tried", answered),
        /^\$\(check\) Half answered in \d+ ms: .*control plane/,
      );
      assert.deepEqual(person.told, []);
    } finally {
      await platform.remove();
    }
  });

  it("finds the interfaces of the Local Platform", async () => {
    await extension.localPlatform.start();
    await extension.connections.add({ name: "Local Platform", kind: "localPlatform" });
    try {
      const report = await test("local");
      for (const name of ["Managed agents", "Bulk exports", "Control plane", "Agent server: threads"])
        assert.match(report, new RegExp(`^✓ ${name} .*answers`, "m"));
    } finally {
      await extension.localPlatform.stop();
    }
  });
});

import { strict as assert } from "node:assert";
import { isDeepStrictEqual } from "node:util";
import * as vscode from "vscode";
import { startAgentServer } from "./agentServer.ts";
import type { TestServer } from "./agentServer.ts";
import { drawTree, showView, theExtension } from "./extensionUnderTest.ts";
import type { Extension } from "./extensionUnderTest.ts";
import { LocalPlatform } from "../support/localPlatform.ts";
import { until } from "../support/until.ts";
import { Person } from "./person.ts";
import { type Deed, ShownQuestions } from "./questionBox.ts";

const settings = (): vscode.WorkspaceConfiguration => vscode.workspace.getConfiguration("agentOperations");

describe("Connections", () => {
  let services: Extension;
  let server: TestServer;

  before(async () => {
    services = await theExtension();
    server = await startAgentServer();
  });
  after(() => server.close());
  afterEach(async () => {
    for (const { id } of services.connections.list()) await services.connections.remove(id);
  });

  it("are added to the user's settings and announced", async () => {
    const changed = next(services.connections.onDidChange);
    const added = await services.connections.add({ name: "Mine", kind: "agentServer", url: server.url });
    await changed;
    assert.deepEqual(settings().inspect("connections")?.globalValue, [added]);
    assert.deepEqual(services.connections.resolve(added.id), added);
    assert.equal(services.connections.default()?.id, added.id);
  });

  it("are seen by nobody before their key is kept", async () => {
    const fields = { name: "Mine", kind: "agentServer", url: server.url } as const;
    const added = await services.connections.add(fields, async ({ id }) => {
      await services.apiKeys.set(id, [server.url], "a-key");
      assert.deepEqual(services.connections.list(), []);
    });
    assert.equal(await services.apiKeys.read(added, server.url), "a-key");
    await services.apiKeys.clear(added.id);
  });

  it("of a workspace are not read", async () => {
    const evil = [{ id: "evil", name: "Evil", kind: "agentServer", url: "http://127.0.0.1:1" }];
    await vscode.workspace.fs.writeFile(
      vscode.Uri.joinPath(workspaceFolder(), ".vscode/settings.json"),
      Buffer.from(
        JSON.stringify({
          "agentOperations.connections": evil,
          "agentOperations.defaultConnection": "evil",
          "editor.rulers": [77],
        }),
      ),
    );
    const mine = await services.connections.add({ name: "Mine", kind: "agentServer", url: server.url });
    await until("the file's settings hold", () =>
      isDeepStrictEqual(vscode.workspace.getConfiguration("editor").get("rulers"), [77]),
    );
    assert.deepEqual(
      services.connections.list().map(({ id }) => id),
      [mine.id],
    );
    await vscode.workspace.fs.delete(vscode.Uri.joinPath(workspaceFolder(), ".vscode/settings.json"));
  });

  it("that are broken stay listed beside the others, and what was typed is kept", async () => {
    const typed = { id: "old", name: "Old", kind: "mainframe", note: "mine" };
    await settings().update("connections", [typed], vscode.ConfigurationTarget.Global);
    const good = await services.connections.add({ name: "Good", kind: "agentServer", url: server.url });
    assert.deepEqual(
      services.connections.list().map(({ name }) => name),
      ["Old", "Good"],
    );
    assert.throws(() => services.connections.resolve("old"), {
      name: "ConnectionError",
      reason: "unknownKind",
    });
    await services.connections.update({ ...good, name: "Better" });
    assert.deepEqual(settings().inspect("connections")?.globalValue, [typed, { ...good, name: "Better" }]);
  });

  it("have one default, named in the settings, which is forgotten with its connection", async () => {
    const one = await services.connections.add({ name: "One", kind: "agentServer", url: server.url });
    const two = await services.connections.add({ name: "Two", kind: "agentServer", url: server.url });
    await vscode.commands.executeCommand("agentOperations.connection.switchDefault", {
      connectionId: two.id,
    });
    assert.equal(services.connections.default()?.id, two.id);
    assert.equal(settings().inspect("defaultConnection")?.globalValue, "Two");
    await services.connections.update({ ...two, name: "Three" });
    assert.equal(services.connections.default()?.id, two.id);
    assert.equal(settings().inspect("defaultConnection")?.globalValue, "Three");
    await services.connections.remove(two.id);
    assert.equal(services.connections.default()?.id, one.id);
    assert.equal(settings().inspect("defaultConnection")?.globalValue, undefined);
  });

  it("can be added step by step, their server is asked who it is, and their row shows what it has", async () => {
    await services.connections.add({ name: "Other", kind: "agentServer", url: "http://127.0.0.1:9" });
    await showView();
    await drawTree(services);
    using questions = new ShownQuestions();
    const adding = vscode.commands.executeCommand("agentOperations.connection.add", { url: server.url });
    for (let step = 1; step <= 5; step++) await questions.accept(step);
    await adding;
    const [, { id, ...added } = assert.fail()] = services.connections.list();
    const name = `Agent server ${new URL(server.url).port}`;
    assert.deepEqual(added, { name, kind: "agentServer", url: server.url });
    assert(
      server.seen.some(({ url }) => url === "/info"),
      "the server was asked before it was saved",
    );
    const { platform } = services.views.deployments;
    const row = platform.roots.find(({ ref }) => ref.connectionId === id) ?? assert.fail();
    assert.equal(platform.isOpen(row), true);
  });

  it("are tried before they are saved, and saved without an answer only when somebody says so", async () => {
    const address = "localhost:9";
    using person = new Person();
    for (const answer of [undefined, "Save Anyway"]) {
      person.will({ choose: /Agent server/ }, { type: address }, { type: "Dead" }, "accept", {
        choose: /Save/,
      });
      person.press = () => answer;
      await vscode.commands.executeCommand("agentOperations.connection.add");
      person.done();
      assert.match(person.told.at(-1) ?? "", /“Dead” does not answer\. Save it\?\nNothing listens/);
      assert.deepEqual(
        services.connections.list().map(({ url }) => url),
        answer === undefined ? [] : [`http://${address}`],
      );
    }
  });

  it("are tried before a change of them is saved, with the key that is stored, and not for a name", async () => {
    const platform = await LocalPlatform.start();
    try {
      const { apiKey, baseUrl, deploymentUrl } = platform.ready;
      const nobody = `${baseUrl}/deployments/nobody`;
      const { id } = await services.connections.add(
        { name: "Mine", kind: "agentServer", url: nobody },
        (setting) => services.apiKeys.set(setting.id, [deploymentUrl], apiKey),
      );
      using person = new Person();
      const edit = async (
        field: string,
        typed: string,
        ...later: readonly Deed[]
      ): Promise<string | undefined> => {
        person.will({ choose: field }, { type: typed }, { choose: /Save/ }, ...later);
        await vscode.commands.executeCommand("agentOperations.connection.edit", { connectionId: id });
        person.done();
        return services.connections.get(id)?.url;
      };
      const dead = new URL("http://127.0.0.1:9").href;
      assert.equal(await edit("Address", dead, "accept"), nobody);
      assert.match(person.told.at(-1) ?? "", /“Mine” does not answer\. Save it\?\nNothing listens/);
      person.told.length = 0;
      assert.equal(await edit("Address", deploymentUrl), deploymentUrl);
      assert.deepEqual(person.told, [], "it answers to the key that is stored");
      await services.apiKeys.clear(id);
      await services.connections.update({ id, name: "Mine", kind: "agentServer", url: dead });
      await edit("Name", "Renamed");
      assert.equal(services.connections.get(id)?.name, "Renamed");
      assert.deepEqual(person.told, [], "a name needs nobody who answers");
    } finally {
      await platform.remove();
    }
  });

  it("learn their workspace from the control plane, and name each interface that answers once", async () => {
    const platform = await LocalPlatform.start();
    try {
      const { baseUrl, controlPlaneUrl, apiKey, workspaceId } = platform.ready;
      using person = new Person().will({ choose: /Platform$/ }, { type: baseUrl }, { type: controlPlaneUrl });
      person.will("accept", { type: "Mine" }, { type: apiKey }, { choose: /Save/ });
      await vscode.commands.executeCommand("agentOperations.connection.add");
      person.done();
      const said = person.seen.find(({ text = "" }) => text.includes(" answered: "));
      assert.match(said?.text ?? "", /^\S+ Mine answered: managed agents, control plane, and named its/);
      assert.deepEqual(
        services.connections.list().map((connection) => connection.workspaceId),
        [workspaceId],
      );
    } finally {
      await platform.remove();
    }
  });

  it("leave no key behind when the settings can't be written", async () => {
    const { connections, apiKeys } = services;
    const kept: string[] = [];
    using person = new Person().will({ choose: /Agent server/ }, "accept", "accept");
    person.will({ type: "a-key" }, { choose: /Save/ });
    try {
      connections.add = async (setting, prepare) => {
        const added = { id: "unwritten", ...setting };
        await prepare?.(added);
        kept.push(...(await apiKeys.origins(added.id)));
        throw new Error("The settings have unsaved changes");
      };
      await vscode.commands.executeCommand("agentOperations.connection.add", { url: server.url });
    } finally {
      Reflect.deleteProperty(connections, "add");
    }
    person.done();
    assert.deepEqual(kept, [new URL(server.url).origin]);
    assert.deepEqual(await apiKeys.origins("unwritten"), []);
    assert.match(person.told.join(), /unsaved changes/);
  });

  it("say in their rows what is wrong with them, and have none while they are hidden", async () => {
    const { connections } = services;
    await connections.add({ name: "Works", kind: "agentServer", url: server.url });
    await connections.add({ name: "Half", kind: "platform", url: server.url });
    const dead = await connections.add({ name: "Dead", kind: "agentServer", url: "http://127.0.0.1:9" });
    await showView();
    const has = async (row: string): Promise<boolean> =>
      (await drawTree(services)).some((line) => line.startsWith(row));
    await until("the row says it", () => has("Dead | unreachable · 127.0.0.1:9"));
    await until("what is missing can be entered", () =>
      has("  No control plane, so no deployments are listed | Enter its address…"),
    );
    await vscode.commands.executeCommand("agentOperations.connection.hide", { connectionId: dead.id });
    await until("it is hidden", async () => !(await has("Dead")) && (await has("Works")));
    await vscode.commands.executeCommand("agentOperations.connection.showOnly", { connectionId: dead.id });
    await until("the other is hidden", async () => !(await has("Works")));
    await vscode.commands.executeCommand("agentOperations.connection.showAll");
    await until("both are shown", async () => (await has("Dead")) && (await has("Works")));
  });

  it("are not added when a step is cancelled", async () => {
    using questions = new ShownQuestions();
    const adding = vscode.commands.executeCommand("agentOperations.connection.add");
    await questions.accept(1);
    await questions.close(2);
    await adding;
    assert.deepEqual(services.connections.list(), []);
  });
});

function workspaceFolder(): vscode.Uri {
  const [folder] = vscode.workspace.workspaceFolders ?? [];
  assert(folder, "the editor has a workspace");
  return folder.uri;
}

function next<T>(event: vscode.Event<T>): Promise<T> {
  return new Promise((resolve) => {
    const listener = event((value) => {
      listener.dispose();
      resolve(value);
    });
  });
}

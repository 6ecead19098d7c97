import { strict as assert } from "node:assert";
import { watch } from "node:fs";
import { mkdir, readdir, readFile } from "node:fs/promises";
import { dirname, join } from "node:path";
import * as vscode from "vscode";
import { LocalPlatform } from "../../src/editor/localPlatform/localPlatform.ts";
import { endProcess, isAlive } from "../../src/editor/kit/nodeProcess.ts";
import type { Services } from "../../src/editor/services.ts";
import { theExtension } from "./extensionUnderTest.ts";
import { until } from "../support/until.ts";
import { wordsOf } from "./person.ts";

describe("The Local Platform", () => {
  let services: Services;

  const others: LocalPlatform[] = [];

  before(async () => {
    services = await theExtension();
  });
  afterEach(async () => {
    await services.localPlatform.stop();
    for (const window of others.splice(0)) {
      await window.shutdown();
      window.dispose();
    }
    const { pid } = await record().catch(() => ({ pid: undefined }));
    if (pid !== undefined && isAlive(pid)) await endProcess(pid);
    for (const { id } of services.connections.list()) await services.connections.remove(id);
  });

  /** Where it is written down that a platform runs. */
  const recordFile = (): string =>
    join(services.context.globalStorageUri.fsPath, "local-platform/running.json");
  const secondWindow = (lingerMs?: number): LocalPlatform => {
    const window = new LocalPlatform(services.context, services.log, () => undefined, lingerMs);
    others.push(window);
    return window;
  };
  const record = async (): Promise<{ pid: number }> =>
    JSON.parse(await readFile(recordFile(), "utf8")) as { pid: number };

  it("starts by its command, becomes the default connection, and its sample agents answer", async () => {
    await vscode.commands.executeCommand("agentOperations.localPlatform.start");
    assert.equal(services.localPlatform.state.kind, "running");
    assert.deepEqual(services.connections.default(), {
      id: "local",
      name: "Local Platform",
      kind: "localPlatform",
    });
    const [sample] = await services.agentServers.list("local");
    assert.equal(sample?.name, "Sample deployment");
    const client = services.agentServers.client(sample);
    const assistants = await client.assistants.search({});
    assert(assistants.some(({ graph_id }) => graph_id === "researcher"));
  });

  it("gives its key to its own address alone", async () => {
    const ready = await services.localPlatform.start();
    await services.connections.add({ name: "Local Platform", kind: "localPlatform" });
    const connection = services.connections.resolve("local");
    assert.equal(await services.apiKeys.read(connection, ready.deploymentUrl), ready.apiKey);
    assert.equal(await services.apiKeys.read(connection, "http://127.0.0.1:1"), undefined);
  });

  it("that is not running says so, and what to do", async () => {
    await services.connections.add({ name: "Local Platform", kind: "localPlatform" });
    const refused = await services.agentServers.list("local").then(
      () => assert.fail("a stopped platform was listed"),
      (error: unknown) => error,
    );
    assert.equal(
      wordsOf(services, refused),
      "Test: The Local Platform is not running. Start the Local Platform.",
    );
  });

  it("that was left while it was being searched has not failed", async () => {
    const window = secondWindow(0);
    await window.start();
    const { pid } = await record();
    process.kill(pid, "SIGSTOP");
    const looked = window.check();
    await window.shutdown();
    await looked;
    assert.equal(window.state.kind, "stopped");
    process.kill(pid, "SIGCONT");
    await until("the process is gone", () => !isAlive(pid));
  });

  it("is shared: a second window attaches, leaves it running, and sees it stop", async () => {
    const ready = await services.localPlatform.start();
    const second = secondWindow();
    assert.deepEqual(await second.start(), ready);
    await second.shutdown();
    assert.equal(services.localPlatform.state.kind, "running");

    await second.start();
    await services.localPlatform.stop();
    await until("the second window notices", () => second.state.kind === "stopped");
    second.dispose();
  });

  it("ends with a window that is closed while it starts, at the last moment, too", async () => {
    const folder = dirname(recordFile());
    await mkdir(folder, { recursive: true });
    const window = secondWindow(0);
    const closed = Promise.withResolvers<unknown>();
    const watcher = watch(folder, (_, name) => {
      // It listens, and is about to be written down.
      if (name?.startsWith("running.json") !== true) return;
      watcher.close();
      window.shutdown().then(closed.resolve, closed.reject);
    });
    const ready = await window.start();
    await closed.promise;
    await until("nobody answers any more", () =>
      fetch(ready.baseUrl).then(
        () => false,
        () => true,
      ),
    );
    window.dispose();
  });

  it("can be stopped from the window that did not start it", async () => {
    await services.localPlatform.start();
    const second = secondWindow();
    await second.start();
    await second.stop();
    await until("the first window's notice", () => services.localPlatform.state.kind === "stopped");
    second.dispose();
  });

  it("runs in the end where it is started while it is being stopped", async () => {
    const { localPlatform } = services;
    await localPlatform.start();
    const { pid } = await record();
    const stopping = localPlatform.stop();
    const ready = await localPlatform.start();
    await stopping;
    assert.equal(isAlive(pid), false);
    assert.deepEqual(localPlatform.state, { kind: "running", ready });
    await fetch(ready.baseUrl);
  });

  it("that crashes fails with the reason, and starts again", async () => {
    await services.localPlatform.start();
    process.kill((await record()).pid, "SIGKILL");
    const failed = await until("it fails", () => {
      const { state } = services.localPlatform;
      return state.kind === "failed" ? state : undefined;
    });
    assert.match(failed.message, /stopped by itself.*SIGKILL/);
    await vscode.commands.executeCommand("notifications.clearAll");
    await services.localPlatform.start();
    assert.equal(services.localPlatform.state.kind, "running");
  });

  it("that crashes as it is started again has not failed, and is noted once", async () => {
    const window = secondWindow();
    await window.start();
    const states: string[] = [];
    window.onDidChange(({ kind }) => states.push(kind));
    process.kill((await record()).pid, "SIGKILL");
    const ready = await window.start();
    await window.check();
    assert.deepEqual(window.state, { kind: "running", ready });
    assert.deepEqual(states, ["starting", "running"]);
    assert.equal((await readdir(join(dirname(recordFile()), "windows"))).length, 1);
  });

  it("goes on while the window is reloaded, and does not come back after it was stopped", async () => {
    const ready = await services.localPlatform.start();
    await services.localPlatform.shutdown();
    const reloaded = secondWindow();
    await reloaded.resume();
    assert.deepEqual(reloaded.state, { kind: "running", ready });
    await reloaded.stop();
    reloaded.dispose();
    const later = secondWindow();
    await later.resume();
    assert.equal(later.state.kind, "stopped");
    later.dispose();
  });

  it("ends by itself when no window comes back", async () => {
    const window = secondWindow(200);
    await window.start();
    const { pid } = await record();
    await window.shutdown();
    window.dispose();
    await until("the process is gone", () => !isAlive(pid));
  });

  it("that does not answer a request any more is searched, and fails", async () => {
    await services.connections.add({ name: "Local Platform", kind: "localPlatform" });
    const first = secondWindow();
    await first.start();
    await services.localPlatform.start();
    const [sample] = await services.agentServers.list("local");
    const client = services.agentServers.client(sample!);
    first.dispose();
    await first.shutdown();
    process.kill((await record()).pid, "SIGKILL");
    await assert.rejects(client.threads.count({}));
    await until("it is seen to be gone", () => services.localPlatform.state.kind === "failed");
  });

  it("is listed without being added when it starts by itself", async () => {
    const settings = vscode.workspace.getConfiguration("agentOperations");
    await settings.update("localPlatform.autoStart", true, vscode.ConfigurationTarget.Global);
    await until("the connection is listed", () => services.connections.get("local"));
    assert.equal(services.connections.default()?.id, "local");
    await services.connections.remove("local");
    assert.equal(settings.inspect("localPlatform.autoStart")?.globalValue, undefined);
    assert.deepEqual(services.connections.list(), []);
  });
});

import { deepEqual, equal, match, ok } from "node:assert/strict";
import { once } from "node:events";
import { createServer } from "node:net";
import type { AddressInfo, Server } from "node:net";
import { join } from "node:path";
import * as vscode from "vscode";
import { IssueWebhooks } from "../../src/editor/issues/issueWebhooks.ts";
import { localIssues } from "../../src/editor/issues/localDeliveries.ts";
import { listenedUntil } from "../../src/editor/issues/sharedReceiver.ts";
import { drawRows, theExtension, tidyUp } from "./extensionUnderTest.ts";
import { until } from "../support/until.ts";
import type { Extension } from "./extensionUnderTest.ts";
import { Person } from "./person.ts";

const rule = { severity_threshold: 3, event_types: ["issue.created"] };

describe("Issue webhooks whose receiver moves or rests", () => {
  let extension: Extension;
  let webhooks: IssueWebhooks;

  before(async () => {
    extension = await theExtension();
    webhooks = extension.issueWebhooks;
    await vscode.commands.executeCommand("agentOperations.issues.focus");
  });
  beforeEach(() => run("issues.receive"));
  afterEach(async () => {
    await webhooks.remove(webhooks.store.all);
    await webhooks.markRead(webhooks.store.gaps);
    for (const { id } of webhooks.subscriptions.list()) await webhooks.subscriptions.remove(id);
    await usePort(undefined);
    await webhooks.stop();
    await tidyUp(extension);
  });
  after(() => extension.localPlatform.stop());

  it("come from the Local Platform at the new port, which it is sent, also when it did not run then", async () => {
    await run("issues.subscribeLocalPlatform");
    await moveAway();
    await deliversHere();
    await report("Moved");
    await until("it arrives", () => titles().includes("Moved"));
    await extension.localPlatform.stop();
    await moveAway();
    match((await draw())[0] ?? "", /^Receiving \| port \d+, was \d+$/);
    await run("localPlatform.start");
    await deliversHere();
    await report("Moved again");
    await until("it arrives, too", () => titles().includes("Moved again"));
    equal((await draw())[0], `Receiving | port ${String(portOf(webhooks))}`);
  });

  it("come from the Local Platform though a stranger has taken the port, and nobody has to do anything", async () => {
    await run("issues.subscribeLocalPlatform");
    const taken = portOf(webhooks);
    await webhooks.shutdown();
    const stranger = await listen(taken);
    try {
      using person = new Person();
      await run("issues.receive");
      ok(portOf(webhooks) !== taken);
      deepEqual(await localPorts(), [portOf(webhooks)]);
      equal((await draw())[0], `Receiving | port ${String(portOf(webhooks))}`);
      equal(person.told.length, 0);
    } finally {
      stranger.close();
    }
  });

  it("come no more where their webhook was deleted elsewhere: the subscription is removed all the same", async () => {
    await run("issues.subscribeLocalPlatform");
    const [subscription] = webhooks.subscriptions.list();
    const client = await localIssues(extension);
    await client.unsubscribe(subscription?.localWebhookId ?? "");
    using person = new Person().presses("Remove");
    await run("webhook.remove", { subscription: subscription?.id });
    deepEqual([webhooks.subscriptions.list(), person.told.length], [[], 1]);
  });

  it("are reported missing for as long as nobody listened, until that is read", async () => {
    await webhooks.subscriptions.add({ name: "Production", dialect: "standard", ...rule });
    await rest();
    match((await draw())[2] ?? "", /^Not listening between .* and .* \| deliveries may be missing$/);
    const later = new IssueWebhooks(extension.context, extension.log);
    await later.load();
    equal(later.store.gaps.length, 1, "a reload does not take it away");
    later.dispose();
    const [, gap] = await extension.views.issues.nodes.getChildren();
    await run("issue.markRead", gap);
    ok(!(await draw()).join("\n").includes("Not listening"));
    await rest();
    equal(webhooks.store.gaps.length, 1);
    await run("issues.markAllRead");
    equal(webhooks.store.gaps.length, 0);
  });

  it("are not reported missing where nobody was to send any", async () => {
    await rest();
    deepEqual(webhooks.store.gaps, []);
  });

  async function run(command: string, ...args: unknown[]): Promise<void> {
    await vscode.commands.executeCommand(`agentOperations.${command}`, ...args);
  }

  async function draw(): Promise<string[]> {
    extension.views.issues.update();
    return drawRows(extension.views.issues.nodes);
  }

  /** Has the settings name another port. */
  async function moveAway(): Promise<void> {
    const before = portOf(webhooks);
    const free = await listen(0);
    const { port } = free.address() as AddressInfo;
    free.close();
    await usePort(port);
    await until("it listens elsewhere", () => portOf(webhooks) !== before);
  }

  /** The window is closed, and opened again seven minutes later. */
  async function rest(): Promise<void> {
    await webhooks.shutdown();
    const directory = join(extension.context.globalStorageUri.fsPath, "issues");
    await listenedUntil(directory).write(new Date(Date.now() - 7 * 60_000));
    await webhooks.resume();
    equal(webhooks.state.kind, "receiving");
  }

  async function deliversHere(): Promise<void> {
    await until(
      "the Local Platform delivers here",
      async () => (await localPorts()).join() === String(portOf(webhooks)),
    );
  }

  /** Where the Local Platform delivers to. */
  async function localPorts(): Promise<readonly number[]> {
    const ids = webhooks.subscriptions.list().map(({ localWebhookId }) => localWebhookId);
    const listed = (await (await local("webhooks")).json()) as readonly { id: string; url: string }[];
    return listed.filter(({ id }) => ids.includes(id)).map(({ url }) => Number(new URL(url).port));
  }

  async function report(name: string): Promise<void> {
    const body = JSON.stringify({ name, severity: 1, traces: [] });
    equal((await local("issues", { method: "POST", body })).status, 201);
  }

  async function local(path: string, request: RequestInit = {}): Promise<Response> {
    const { state } = extension.localPlatform;
    ok(state.kind === "running");
    const { baseUrl, apiKey } = state.ready;
    const headers = { "x-api-key": apiKey, "content-type": "application/json" };
    return fetch(`${baseUrl}/_local/${path}`, { ...request, headers });
  }

  function titles(): readonly string[] {
    return webhooks.store.all.map((row) => (row.kind === "issue" ? row.issue.name : ""));
  }
});

async function usePort(port: number | undefined): Promise<void> {
  const settings = vscode.workspace.getConfiguration("agentOperations");
  await settings.update("issues.port", port, vscode.ConfigurationTarget.Global);
}

async function listen(port: number): Promise<Server> {
  const server = createServer().listen(port, "127.0.0.1");
  await once(server, "listening");
  return server;
}

function portOf({ state }: IssueWebhooks): number {
  ok(state.kind === "receiving", state.kind);
  return state.port;
}

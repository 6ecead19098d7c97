import { deepEqual, equal, fail, match, ok } from "node:assert/strict";
import { readdir, readFile } from "node:fs/promises";
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { join } from "node:path";
import * as vscode from "vscode";
import { isSameThread } from "../../src/editor/connections/serverRef.ts";
import type { Envelope } from "../../src/api/issueWebhooks/event.ts";
import { sampleEvent } from "../../src/api/issueWebhooks/sampleEvent.ts";
import { sign } from "../../src/api/issueWebhooks/signature.ts";
import type { IssueSubscription } from "../../src/editor/issues/issueSubscriptions.ts";
import { IssueWebhooks } from "../../src/editor/issues/issueWebhooks.ts";
import { receiverUrl } from "../../src/editor/issues/localDeliveries.ts";
import { drawRows, theExtension, tidyUp } from "./extensionUnderTest.ts";
import { ControlPlaneClient } from "../support/controlPlaneClient.ts";
import { LocalPlatform, text } from "../support/localPlatform.ts";
import { until } from "../support/until.ts";
import type { Extension } from "./extensionUnderTest.ts";
import { Person } from "./person.ts";

const secret = "whsec_0123456789abcdef";

describe("Issue webhooks", () => {
  let extension: Extension;
  let webhooks: IssueWebhooks;
  let subscription: IssueSubscription;

  before(async () => {
    extension = await theExtension();
    webhooks = extension.issueWebhooks;
    await vscode.commands.executeCommand("agentOperations.issues.focus");
  });
  beforeEach(async () => {
    await run("issues.receive");
    const rule = { severity_threshold: 3, event_types: ["issue.created"] };
    subscription = await webhooks.subscriptions.add({ name: "Production", dialect: "standard", ...rule });
    await webhooks.subscriptions.changeSecret(subscription.id, () => Promise.resolve(secret));
  });
  afterEach(async () => {
    await webhooks.remove(webhooks.store.all);
    for (const { id } of webhooks.subscriptions.list()) await webhooks.subscriptions.remove(id);
    await webhooks.stop();
    await tidyUp(extension);
  });
  after(() => extension.localPlatform.stop());

  const run = async (command: string, ...args: unknown[]): Promise<void> => {
    await vscode.commands.executeCommand(`agentOperations.${command}`, ...args);
  };
  const draw = async (): Promise<string[]> => {
    extension.views.issues.update();
    return drawRows(extension.views.issues.nodes);
  };
  const post = async (event: Envelope, key = secret): Promise<number> => {
    const body = Buffer.from(JSON.stringify(event));
    const url = receiverUrl(portOf(webhooks), subscription.id);
    const headers = { "x-service-signature": sign(key, body) };
    return (await fetch(url, { method: "POST", body, headers })).status;
  };
  const titled = (severity: number, name: string): Envelope => {
    const sample = sampleEvent("issue.created", severity);
    return { ...sample, data: { object: { ...sample.data.object, name } } };
  };

  it("are offered to be subscribed to where a command is about a subscription and there is none", async () => {
    await webhooks.subscriptions.remove(subscription.id);
    using person = new Person().presses("Add Webhook Subscription").will("cancel");
    await run("webhook.copyUrl");
    await until("a new one is asked about", () => person.asked.length === 1);
    match(person.told.join("\n"), /There is no such webhook subscription yet\. Add one first\./);
  });

  it("are shown by severity, with their traces, failed runs and what nobody knows", async () => {
    const urgent = titled(0, "Leaks keys");
    const trace = sampleEvent("issue.trace.added", 0);
    const linked = {
      ...trace,
      request_id: urgent.request_id ?? "",
      data: { ...trace.data, object: urgent.data.object },
    };
    const strange = { ...sampleEvent("issue.created", 1), type: "issue.merged" };
    for (const event of [
      titled(2, "Greets"),
      urgent,
      linked,
      sampleEvent("issue.agent_run.failed", 0),
      strange,
    ])
      equal(await post(event), 204);
    deepEqual(
      (await draw()).map((line) => line.replace(/ ?·? ?now$/, "")),
      [
        `Receiving | port ${String(portOf(webhooks))}`,
        "  Production | 5 received",
        "Urgent | 1 · 1 new",
        "  Leaks keys | sample-project · 1 trace",
        "    Seven identical searches in a row. |",
        "Medium | 1 · 1 new",
        "  Greets | sample-project",
        "Failed detection runs | 1 · 1 new",
        "  The detection run ran out of time. | sample-project",
        "Other events | 1 · 1 new",
        "  issue.merged |",
      ].map((line) => line.replace(/ \|$/, " |")),
    );
    const { badge, description } = extension.views.issues.view;
    deepEqual([badge?.value, badge?.tooltip, description], [0, "4 new issues, not counted", "4 new"]);
  });

  it("are new until they are shown or marked as read, also after a restart", async () => {
    await post(titled(1, "One"));
    await post(titled(1, "Two"));
    await until("both are there", () => webhooks.store.unread.length === 2);
    await run("issue.show", await rowTitled("Two"));
    match(vscode.window.activeTextEditor?.document.getText() ?? "", /^Two\n[^]*Severity {3}High/);
    equal(webhooks.store.unread.length, 1);
    await run("issues.markAllRead");
    equal(webhooks.store.unread.length, 0);
    extension.views.issues.update();
    equal(extension.views.issues.view.badge, undefined);
    const later = new IssueWebhooks(extension.context, extension.log);
    await later.load();
    deepEqual([later.store.all.length, later.store.unread.length], [webhooks.store.all.length, 0]);
    later.dispose();
  });

  it("with an invalid signature are counted and shown, and not stored", async () => {
    equal(await post(titled(1, "Forged"), "another secret"), 401);
    equal(await post(titled(1, "Forged"), "another secret"), 401);
    ok((await draw()).includes("  Production | 0 received · 2 refused"), (await draw()).join("\n"));
    deepEqual(webhooks.store.all, []);
    const stored = await filesBelow(extension.context.globalStorageUri.fsPath);
    ok(stored.every((text) => !text.includes("Forged")));
  });

  it("come once, however often they are delivered", async () => {
    const event = titled(1, "Again");
    deepEqual(await Promise.all([post(event), post(event), post(event)]), [204, 204, 204]);
    equal(await post(event), 204);
    equal(webhooks.store.all[0]?.events.length, 1);
    const stored = await filesBelow(join(extension.context.globalStorageUri.fsPath, "issues"));
    equal(stored.join().split(event.id).length - 1, 1, "it is stored once, too");
  });

  it("leave no secret outside of secret storage", async () => {
    await post(titled(1, "Kept"));
    const { globalState, workspaceState } = extension.context;
    const places = [
      ...(await filesBelow(extension.context.globalStorageUri.fsPath)),
      ...[globalState, workspaceState].flatMap((memento) =>
        memento.keys().map((key) => JSON.stringify(memento.get(key))),
      ),
    ];
    ok(places.some((text) => text.includes("Kept")));
    ok(places.every((text) => !text.includes(secret)));
  });

  it("of which 1,000 are delivered while the receiver restarts arrive, each once", async () => {
    await run("issues.subscribeLocalPlatform");
    const { localUrl, apiKey } = readyOf(extension);
    const traces = Array.from({ length: 999 }, (_, index) => ({ comment: `Trace ${String(index)}` }));
    const headers = { "x-api-key": apiKey, "content-type": "application/json" };
    const order = JSON.stringify({ name: "Many", severity: 1, traces });
    const before = webhooks.store.size;
    const { status } = await fetch(`${localUrl}/issues`, { method: "POST", headers, body: order });
    equal(status, 201);
    await until("a part has arrived", () => webhooks.store.size - before > 100);
    await webhooks.shutdown();
    const received = webhooks.store.size - before;
    ok(received < 1000, `${String(received)} had arrived before the restart`);
    const next = new IssueWebhooks(extension.context, extension.log);
    await next.resume();
    await until("all have arrived", () => next.store.size - before >= 1000, 60_000);
    const row = next.store.all.find((one) => one.kind === "issue" && one.issue.name === "Many");
    equal(row?.events.length, 1000);
    equal(new Set(row.events.map(({ id }) => id)).size, 1000);
    equal(new Set(row.events.map(({ data }) => data.trace?.["comment"])).size, 1000);
    await next.shutdown();
    next.dispose();
  });

  it("of the Local Platform are verified with a secret that both sides roll together", async () => {
    await run("issues.subscribeLocalPlatform");
    const local = webhooks.subscriptions.list().find(({ localWebhookId }) => localWebhookId !== undefined);
    ok(local);
    const before = await webhooks.subscriptions.secret(local.id);
    const node = await rowTitled("Local Platform");
    await run("webhook.rollSecret", node);
    ok((await webhooks.subscriptions.secret(local.id)) !== before);
    await report("Rolled");
    await until("it arrives", () =>
      webhooks.store.all.some((row) => row.kind === "issue" && row.issue.name === "Rolled"),
    );
    equal(webhooks.refusals(local.id).size, 0);
  });

  it("say that no trace has come with them when their thread is asked for", async () => {
    equal(await post(titled(1, "Bare")), 204);
    await draw();
    using person = new Person();
    await run("issue.openThread", await rowTitled("Bare"));
    match(person.told.join(), /No trace of this issue has arrived/);
    deepEqual(person.asked, []);
  });

  it("open the thread of a trace that a connection knows", async () => {
    await run("localPlatform.start");
    await run("issues.subscribeLocalPlatform");
    const [server] = await extension.agentServers.list("local");
    ok(server);
    const client = extension.agentServers.client(server);
    const { thread_id } = await client.threads.create({});
    const { run_id } = await client.runs.create(thread_id, {
      assistant_id: "echo",
      input: { messages: [{ role: "user", content: "hello" }] },
    });
    const comment = `Here, in ${run_id}.`;
    await report("Traced", [{ run_id, comment }]);
    const row = await until("it arrives", () => rowTitled(comment));
    await run("issue.openThread", row);
    const thread = { connectionId: "local", server: server.server, threadId: thread_id };
    await until("its panel is open", () =>
      extension.panels.all.some((panel) => panel.thread !== undefined && isSameThread(panel.thread, thread)),
    );
    using person = new Person().presses("Clone");
    const servers = await extension.agentServers.list("local");
    person.will(...(servers.length > 1 ? [{ choose: server.name }] : []), { choose: "echo" }, { type: "" });
    await until("its run is over", async () => (await client.threads.row(thread_id)).status === "idle");
    await run("issue.cloneThread", row);
    person.done();
    match(person.told.join(), /^Clone “.*” to /);
    const clone = await until("the clone is in front", () => {
      const inFront = extension.panels.active?.threadId;
      return inFront === thread_id ? undefined : inFront;
    });
    deepEqual((await client.threads.state(clone)).values, (await client.threads.state(thread_id)).values);
  });

  it("of a sample lead to a run, although the server of the newest deployment is gone", async () => {
    await run("localPlatform.start");
    ok(extension.localPlatform.state.kind === "running");
    const controlPlane = new ControlPlaneClient(
      new LocalPlatform({ ...extension.localPlatform.state.ready, ready: true }, ""),
    );
    const fronted = createServer((_, response) => response.end("{}"));
    await new Promise<void>((listening) => fronted.listen(0, "127.0.0.1", listening));
    const custom_url = `http://127.0.0.1:${String((fronted.address() as AddressInfo).port)}`;
    const order = { source: "external_docker", source_config: { custom_url }, source_revision_config: {} };
    const made = await controlPlane.create(order);
    await controlPlane.follow(made.id, made.latest_revision_id);
    fronted.closeAllConnections();
    await new Promise((closed) => fronted.close(closed));
    const servers = await extension.agentServers.list("local");
    equal(servers[0]?.name, made.name, "the newest comes first");
    const client = extension.agentServers.client(servers.at(-1) ?? fail("there is no sample deployment"));
    const { thread_id } = await client.threads.create({});
    const input = { messages: [{ role: "user", content: "hello" }] };
    const { run_id } = await client.runs.create(thread_id, { assistant_id: "echo", input });
    using person = new Person().will({ choose: "Low issue" });
    await run("issues.reportSample");
    deepEqual(person.told, []);
    await until("its trace is of that run", () =>
      webhooks.store.all.some(({ events }) => events.some(({ data }) => data.trace?.["run_id"] === run_id)),
    );
    await controlPlane.send("DELETE", `/v2/deployments/${text(made.id)}`);
  });

  async function report(name: string, traces: readonly object[] = []): Promise<void> {
    const { localUrl, apiKey } = readyOf(extension);
    const headers = { "x-api-key": apiKey, "content-type": "application/json" };
    const body = JSON.stringify({ name, severity: 1, traces });
    equal((await fetch(`${localUrl}/issues`, { method: "POST", headers, body })).status, 201);
  }

  async function rowTitled(label: string): Promise<unknown> {
    extension.views.issues.update();
    const { nodes } = extension.views.issues;
    const all = [...(await nodes.getChildren())];
    for (const node of all) all.push(...(await nodes.getChildren(node)));
    return all.find((node) => nodes.getTreeItem(node).label === label);
  }
});

function portOf({ state }: IssueWebhooks): number {
  ok(state.kind === "receiving", state.kind);
  return state.port;
}

function readyOf({ localPlatform }: Extension): { readonly localUrl: string; readonly apiKey: string } {
  ok(localPlatform.state.kind === "running");
  const { baseUrl, apiKey } = localPlatform.state.ready;
  return { localUrl: `${baseUrl}/_local`, apiKey };
}

async function filesBelow(directory: string): Promise<string[]> {
  const entries = await readdir(directory, { recursive: true, withFileTypes: true });
  const files = entries.filter((entry) => entry.isFile()).map((entry) => join(entry.parentPath, entry.name));
  return Promise.all(files.map((file) => readFile(file, "latin1")));
}

import { deepEqual, equal, match, ok, rejects } from "node:assert/strict";
import { once } from "node:events";
import { createServer } from "node:net";
import type { AddressInfo, Server } from "node:net";
import * as vscode from "vscode";
import { sampleEvent } from "../../src/api/issueWebhooks/sampleEvent.ts";
import { sign } from "../../src/api/issueWebhooks/signature.ts";
import { IssueWebhooks } from "../../src/editor/issues/issueWebhooks.ts";
import { receiverUrl } from "../../src/editor/issues/localDeliveries.ts";
import { createServices } from "../../src/editor/services.ts";
import { drawRows, theExtension, tidyUp } from "./extensionUnderTest.ts";
import { until } from "../support/until.ts";
import type { Extension } from "./extensionUnderTest.ts";
import { Person } from "./person.ts";

const secret = "whsec_0123456789abcdef";
const settings = vscode.workspace.getConfiguration("agentOperations");

describe("The receiver of issue webhooks in the editor", () => {
  let extension: Extension;
  let webhooks: IssueWebhooks;
  let next: IssueWebhooks | undefined;
  let stranger: Server | undefined;

  before(async () => {
    extension = await theExtension();
    webhooks = extension.issueWebhooks;
    await vscode.commands.executeCommand("agentOperations.issues.focus");
  });
  beforeEach(() => webhooks.receive());
  afterEach(async () => {
    stranger?.close();
    await next?.shutdown();
    next?.dispose();
    [next, stranger] = [undefined, undefined];
    await usePort(undefined);
    await webhooks.remove(webhooks.store.all);
    for (const { id } of webhooks.subscriptions.list()) await webhooks.subscriptions.remove(id);
    await webhooks.stop();
    await tidyUp(extension);
  });

  it("is given to the next window with its port, and the others show what that one takes", async () => {
    const port = portOf(webhooks);
    const id = await subscribe();
    next = new IssueWebhooks(extension.context, extension.log);
    await next.resume();
    deepEqual(next.state, { kind: "elsewhere", port });
    await webhooks.shutdown();
    const { state } = await until("the next one has taken over", () =>
      next?.state.kind === "receiving" ? next : undefined,
    );
    deepEqual(state, { kind: "receiving", port });
    using person = new Person();
    await run("issues.receive");
    match(person.told.join(), /Another window of this editor receives on port \d+/);
    equal((await draw())[0], `Receiving in another window | port ${String(port)}`);
    equal(await post(receiverUrl(port, id)), 204);
    await until("both show it", () => webhooks.store.unread.length === 1 && next?.store.unread.length === 1);
    await webhooks.stop();
    await until("no window receives", () => next?.state.kind === "stopped");
  });

  it("is known to a window as soon as anything of ours is used there, without a view", async () => {
    const id = await subscribe();
    const used = createServices(extension);
    next = used.issueWebhooks;
    try {
      await until("it knows who receives", () => next?.state.kind === "elsewhere");
      equal(await post(receiverUrl(portOf(webhooks), id)), 204);
      await until("it has it, too", () => next?.store.unread.length === 1);
    } finally {
      used.dispose();
    }
  });

  it("says that an issue is urgent, once for several at a time, unless a setting says no", async () => {
    const id = await subscribe();
    const url = receiverUrl(portOf(webhooks), id);
    using person = new Person();
    const send = async (severity: number): Promise<void> => {
      const before = webhooks.store.unread.length;
      const body = Buffer.from(JSON.stringify(sampleEvent("issue.created", severity)));
      await fetch(url, { method: "POST", body, headers: { "x-service-signature": sign(secret, body) } });
      await until("it is shown", () => webhooks.store.unread.length > before);
    };
    await send(1);
    deepEqual(person.told, []);
    await send(0);
    await send(0);
    const told = ["Urgent issue in “sample-project”: “The agent searches in circles”."];
    deepEqual(person.told, told);
    await settings.update("issues.urgentNotification", false, vscode.ConfigurationTarget.Global);
    next = new IssueWebhooks(extension.context, extension.log);
    await next.resume();
    await webhooks.shutdown();
    await until("the next one has taken over", () => next?.state.kind === "receiving");
    try {
      await send(0);
      deepEqual(person.told, told);
    } finally {
      await settings.update("issues.urgentNotification", undefined, vscode.ConfigurationTarget.Global);
    }
  });

  it("goes to the port of the settings as soon as it is changed", async () => {
    const before = portOf(webhooks);
    const id = await subscribe();
    const port = await listening();
    stranger?.close();
    await usePort(port);
    await until("it listens there", () => portOf(webhooks) === port);
    equal(await post(receiverUrl(port, id)), 204);
    equal((await draw())[0], `Receiving | port ${String(port)}, was ${String(before)}`);
    await rejects(post(receiverUrl(before, id)));
    using person = new Person();
    await run("issues.receive");
    match(person.told.join(), /no longer on \d+\. .*change the address of each subscription/);
  });

  it("says what to do when its port is in use, and receives once that is done", async () => {
    await webhooks.stop();
    const port = await listening();
    await usePort(port);
    using person = new Person();
    await run("issues.receive");
    equal(
      person.told.join(),
      `Receive Issue Webhooks: Port ${String(port)} is in use by another program. Choose another port in the setting agentOperations.issues.port, or 0 for any free one.`,
    );
    ok((await draw())[0]?.startsWith("Can't receive | Port"));
    await usePort(undefined);
    await until("it receives", () => webhooks.state.kind === "receiving");
  });

  it("goes on where it is when the settings name a port that is in use", async () => {
    const before = portOf(webhooks);
    const port = await listening();
    await usePort(port);
    const row = `Receiving | port ${String(before)} · Port ${String(port)} is in use by another program.`;
    await until("the row says so", async () => (await draw())[0] === row);
  });

  it("has a subscription added in five steps, with Back, by the address that is reached from outside", async () => {
    using person = new Person();
    const outside = pretendTunnel();
    person.will({ type: "" });
    await run("webhook.add");
    match(person.told.join(), /Enter a name/);
    person.will({ type: "Staging" }, "back", { type: "Production" }, { choose: "X-LangSmith-Signature" });
    person.will({ choose: "High and more severe" }, { choose: "New issues and their traces" });
    person.will({ type: secret });
    try {
      await run("webhook.add");
    } finally {
      outside[Symbol.dispose]();
    }
    person.done();
    const questions = person.asked.slice(1);
    deepEqual(new Set(questions.map(({ title }) => title)), new Set(["Add Webhook Subscription"]));
    deepEqual(
      questions.map(({ hidden }) => hidden),
      [...Array.from({ length: 6 }, () => false), true],
    );
    const [added] = webhooks.subscriptions.list();
    ok(added);
    const { id, ...rule } = added;
    deepEqual(rule, {
      name: "Production",
      dialect: "langsmith",
      severity_threshold: 1,
      event_types: ["issue.created", "issue.trace.added"],
    });
    const address = `https://tunnel.example/${String(portOf(webhooks))}/webhooks/${id}`;
    equal(await vscode.env.clipboard.readText(), address);
    ok(questions.at(-1)?.prompt.includes(address));
    const local = receiverUrl(portOf(webhooks), id);
    equal(await post(local, secret, "x-service-signature"), 401);
    equal(await post(local, secret, "x-langsmith-signature"), 204);
  });

  it("takes nothing for a subscription whose secret was never given, and has the sender come again", async () => {
    using person = new Person();
    person.will({ type: "Half" }, { choose: "X-Service-Signature" }, { choose: "All issues" });
    person.will({ choose: "New issues" }, "cancel");
    await run("webhook.add");
    person.done();
    const [{ id } = { id: "" }] = webhooks.subscriptions.list();
    equal(await post(receiverUrl(portOf(webhooks), id)), 503);
    ok((await draw()).includes("  Half | 0 received · 1 refused"));
    person.will({ type: secret });
    await run("webhook.setSecret");
    equal(await post(receiverUrl(portOf(webhooks), id)), 204);
  });

  it("verifies with a replaced secret from the next delivery on, without a restart", async () => {
    const url = receiverUrl(portOf(webhooks), await subscribe());
    equal(await post(url), 204);
    using person = new Person();
    const rule = { severity_threshold: 3, event_types: ["issue.created"], localWebhookId: "theirs" };
    await webhooks.subscriptions.add({ name: "Local Platform", dialect: "standard", ...rule });
    person.will("cancel");
    await run("webhook.setSecret");
    equal(await post(url), 204);
    person.will({ type: "" });
    await run("webhook.setSecret");
    match(person.told.join(), /Paste the signing secret/);
    equal(await post(url), 204);
    person.will({ type: "whsec_new" });
    await run("webhook.setSecret");
    person.done();
    ok(person.asked.every(({ hidden, title }) => hidden && title.endsWith("of Production")));
    equal(await post(url), 401);
    equal(await post(url, "whsec_new"), 204);
    ok((await draw()).includes("  Production | 4 received · 1 refused"));
  });

  async function run(command: string): Promise<void> {
    await vscode.commands.executeCommand(`agentOperations.${command}`);
  }

  async function draw(): Promise<string[]> {
    extension.views.issues.update();
    return drawRows(extension.views.issues.nodes);
  }

  async function subscribe(): Promise<string> {
    const rule = { severity_threshold: 3, event_types: ["issue.created"] };
    const { id } = await webhooks.subscriptions.add({ name: "Production", dialect: "standard", ...rule });
    await webhooks.subscriptions.changeSecret(id, () => Promise.resolve(secret));
    return id;
  }

  /** Has somebody else listen; gives the port. */
  async function listening(): Promise<number> {
    stranger = createServer().listen(0, "127.0.0.1");
    await once(stranger, "listening");
    return (stranger.address() as AddressInfo).port;
  }
});

async function usePort(port: number | undefined): Promise<void> {
  await settings.update("issues.port", port, vscode.ConfigurationTarget.Global);
}

async function post(url: string, key = secret, header = "x-service-signature"): Promise<number> {
  const body = Buffer.from(JSON.stringify(sampleEvent("issue.created", 1)));
  return (await fetch(url, { method: "POST", body, headers: { [header]: sign(key, body) } })).status;
}

/** An editor on another machine, whose ports are reached through a tunnel. */
function pretendTunnel(): Disposable {
  const original = Object.getOwnPropertyDescriptor(vscode.env, "asExternalUri");
  ok(original);
  const value = (uri: vscode.Uri): Promise<vscode.Uri> => {
    const [, port = ""] = uri.authority.split(":");
    return Promise.resolve(vscode.Uri.parse(`https://tunnel.example/${port}${uri.path}`));
  };
  Object.defineProperty(vscode.env, "asExternalUri", {
    get: () => value,
    configurable: true,
    enumerable: true,
  });
  return { [Symbol.dispose]: () => Object.defineProperty(vscode.env, "asExternalUri", original) };
}

function portOf({ state }: IssueWebhooks): number {
  ok(state.kind === "receiving", state.kind);
  return state.port;
}

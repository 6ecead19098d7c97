import { deepEqual, equal, match, ok } from "node:assert/strict";
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import * as vscode from "vscode";
import type { ConnectionSetting, ThreadRef } from "../../src/editor/connections/connection.ts";
import { LocalPlatform } from "../unit/emulator/localPlatform.ts";
import { drawTree, showView, theExtension, tidyUp, until } from "./extensionUnderTest.ts";
import type { Extension } from "./extensionUnderTest.ts";

describe("A connection to a chat backend", () => {
  let extension: Extension;
  let platform: LocalPlatform;
  let connection: ConnectionSetting;

  before(async () => {
    extension = await theExtension();
    platform = await LocalPlatform.start();
  });
  after(() => platform.remove());
  beforeEach(async () => {
    await tidyUp(extension);
    await showView();
    connection = await connect(platform.ready.deploymentUrl);
  });
  afterEach(() => tidyUp(extension));

  const connect = async (url: string): Promise<ConnectionSetting> => {
    const setting = await extension.connections.add({ name: "Chat", kind: "protocol", url });
    await extension.apiKeys.set(setting.id, [url], platform.ready.apiKey);
    return setting;
  };
  const chat = async (text: string, agent = "echo"): Promise<ThreadRef> => {
    const [server] = await extension.agentServers.list(connection.id);
    ok(server);
    const host = extension.threadHosts.of(server);
    const { thread_id: threadId } = await host.runs.threads.create();
    const body = { assistant_id: agent, input: { messages: [{ role: "user", content: text }] } };
    const { events } = await host.runs.runs.stream(threadId, body);
    let count = 0;
    for await (const batch of events) count += batch.length;
    ok(count > 10, `${String(count)} events`);
    return { connectionId: connection.id, serverId: server.serverId, threadId };
  };

  it("lists its threads in the tree, under what was said first", async () => {
    await chat("Good morning");
    await extension.deployments.refresh();
    const rows = await drawTree(extension);
    ok(
      rows.some((row) => row.trim().startsWith("Good morning | idle")),
      rows.join("\n"),
    );
  });

  it("opens a thread in the run panel, with its conversation", async () => {
    const thread = await chat("Good evening");
    extension.panels.open(thread);
    await until(
      "the panel has the thread's title",
      () => extension.panels.titleOf(thread) === "Good evening",
    );
    const held = extension.sessions.hold(thread, () => undefined);
    await until("the conversation is there", () =>
      held.session.entries.some((entry) => entry.kind === "message" && entry.text === "Good evening"),
    );
    held.release();
  });

  it("waits in the inbox for the answer to a question that was asked here", async () => {
    const { threadId } = await chat("Tell the team", "approval");
    await extension.inbox.refresh();
    const [waiting] = extension.inbox.threads.filter(({ ref }) => ref.connectionId === connection.id);
    equal(waiting?.ref.threadId, threadId);
    match(waiting.question.label, /^send_email/);
  });

  it("deletes a thread, and says that it can't rename one", async () => {
    const thread = await chat("To be deleted");
    const host = extension.threadHosts.of(thread);
    const refused = await host.rename(thread.threadId, "Other").catch((error: unknown) => error);
    match(extension.report.words(refused).message, /no way to rename/);
    await host.delete(thread.threadId);
    await extension.deployments.refresh();
    const rows = await drawTree(extension);
    ok(!rows.some((row) => row.includes("To be deleted")), rows.join("\n"));
  });

  it("offers the renaming of no thread that can't be renamed", async () => {
    await chat("Kept as it is");
    const contexts: (string | undefined)[] = [];
    const { nodes } = extension.deployments.tree;
    const walk = async (below: Awaited<ReturnType<typeof nodes.getChildren>>): Promise<void> => {
      for (const node of below) {
        contexts.push(nodes.getTreeItem(node).contextValue);
        await walk(await nodes.getChildren(node));
      }
    };
    await walk(await nodes.getChildren());
    ok(contexts.includes("thread idle chat"), contexts.join(", "));
  });

  it("needs no list of threads: those that were made here are listed", async () => {
    const bare = await startBareBackend();
    try {
      const setting = await extension.connections.add({ name: "Bare", kind: "protocol", url: bare.url });
      const threads = await extension.agentServers.threads({
        connectionId: setting.id,
        serverId: `chat:${bare.url}`,
      });
      deepEqual((await threads.search({})).threads, []);
      extension.agentServers.chats.memory(setting.id).made("t-1");
      deepEqual(
        (await threads.search({})).threads.map(({ thread_id }) => thread_id),
        ["t-1"],
      );
      equal(await (await extension.agentServers.chats.client(setting.id)).delete("t-1"), false);
    } finally {
      await bare.close();
    }
  });

  it("is tested like any other connection", async () => {
    await vscode.commands.executeCommand("agentOperations.connection.test", { connectionId: connection.id });
    const text = vscode.window.activeTextEditor?.document.getText() ?? "";
    match(text, /✓ Streaming protocol: commands/);
    match(text, /✓ Streaming protocol: threads/);
  });
});

/** A backend with nothing but the four endpoints that the protocol asks for at least. */
async function startBareBackend(): Promise<{ readonly url: string; close(): Promise<void> }> {
  const server = createServer((request, response) => {
    const known = /\/(commands|stream|state)$/.test(request.url ?? "");
    response.writeHead(known ? 200 : 404, { "content-type": "application/json" });
    response.end(known ? '{"values":{"messages":[]}}' : "{}");
  });
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  return {
    url: `http://127.0.0.1:${String((server.address() as AddressInfo).port)}`,
    close: () =>
      new Promise((resolve) => {
        server.close(() => resolve());
        server.closeAllConnections();
      }),
  };
}

import { deepEqual, equal, match, ok } from "node:assert/strict";
import { createServer } from "node:http";
import { RunSession } from "../../src/run/session/session.ts";
import type { AddressInfo } from "node:net";
import * as vscode from "vscode";
import type { ChatMemory } from "../../src/editor/threads/servers/chatMemory.ts";
import { ChatBackends } from "../../src/editor/threads/servers/chatBackends.ts";
import type { ConnectionSetting, ThreadRef } from "../../src/editor/connections/connection.ts";
import type { TreeNode } from "../../src/editor/kit/tree/node.ts";
import type { LocalPlatform } from "../support/localPlatform.ts";
import { drawTree, setKey, showView } from "./extensionUnderTest.ts";
import { until } from "../support/until.ts";
import type { Extension } from "./extensionUnderTest.ts";
import { useOwnPlatform } from "./ownPlatform.ts";
import { Person, wordsOf } from "./person.ts";

describe("A connection to a chat backend", () => {
  let extension: Extension;
  let platform: LocalPlatform;
  let connection: ConnectionSetting;

  useOwnPlatform(async (own) => {
    ({ extension, platform } = own);
    await showView();
    connection = await connect(platform.ready.deploymentUrl);
  });

  const connect = async (url: string): Promise<ConnectionSetting> => {
    const setting = await extension.connections.add({ name: "Chat", kind: "protocol", url });
    await setKey(extension, setting.id, [url], platform.ready.apiKey);
    return setting;
  };
  const globalState = (): vscode.Memento => extension.context.globalState;
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
    return { connectionId: connection.id, server: server.server, threadId };
  };

  /** The context values of the rows in the tree that begin so. */
  const contexts = async (begin: string): Promise<readonly string[]> => {
    const { nodes } = extension.views.deployments.platform;
    const below = async (node?: TreeNode): Promise<readonly string[]> => {
      const children = await nodes.getChildren(node);
      const own = children.map((child) => nodes.getTreeItem(child).contextValue ?? "");
      return [...own, ...(await Promise.all(children.map(below))).flat()];
    };
    return (await below()).filter((context) => context.startsWith(begin));
  };

  it("lists its threads in the tree, under what was said first", async () => {
    await chat("Good morning");
    await extension.views.deployments.refresh();
    const rows = await drawTree(extension);
    ok(
      rows.some((row) => row.trim().startsWith("Good morning | idle")),
      rows.join("\n"),
    );
  });

  it("opens a thread in the run panel, with its conversation", async () => {
    const thread = await chat("Good evening");
    const panel = extension.panels.open(thread);
    await until("the panel has the thread's title", () => panel.title === "Good evening");
    const held = extension.sessions.hold(thread, RunSession, () => undefined);
    await until("the conversation is there", () =>
      held.session.entries.some((entry) => entry.kind === "message" && entry.text === "Good evening"),
    );
    held.release();
  });

  it("waits in the inbox for the answer to a question that was asked here", async () => {
    const { threadId } = await chat("Tell the team", "approval");
    await extension.views.inbox.refresh();
    const waiting = extension.inbox.threads.find(({ ref }) => ref.threadId === threadId);
    equal(waiting?.ref.connectionId, connection.id);
    match(waiting.question.label, /^send_email/);
  });

  it("deletes a thread, and says that it can't rename one", async () => {
    const thread = await chat("To be deleted");
    const host = extension.threadHosts.of(thread);
    const refused = await host.rename(thread.threadId, "Other").catch((error: unknown) => error);
    match(wordsOf(extension, refused), /no way to rename/);
    await host.delete(thread.threadId);
    await extension.views.deployments.refresh();
    const rows = await drawTree(extension);
    ok(!rows.some((row) => row.includes("To be deleted")), rows.join("\n"));
  });

  it("opens an earlier state of a thread, also after the editor has forgotten what it read", async () => {
    const thread = await chat("Good night");
    using person = new Person().will({ choose: "Step 0" });
    await vscode.commands.executeCommand("agentOperations.thread.openEarlierState", thread);
    person.done();
    const document = vscode.window.activeTextEditor?.document;
    ok(document);
    match(document.uri.path, /\/states\/[^/]+\/Step -?\d of [^/]+\.json$/);
    match(document.getText(), /Good night/);
    equal(await extension.states.text(document.uri), document.getText());
  });

  it("offers the renaming of no thread that can't be renamed", async () => {
    await chat("Kept as it is");
    deepEqual(
      [...new Set((await contexts("thread")).map((context) => context.split(" ").slice(2).join()))],
      ["unsupported:rename,unsupported:repair"],
    );
  });

  describe("that has nothing but the least that the protocol asks for", () => {
    let bare: Awaited<ReturnType<typeof startBareBackend>>;
    let thread: ThreadRef;

    beforeEach(async () => {
      await extension.connections.remove(connection.id);
      bare = await startBareBackend();
      connection = await extension.connections.add({ name: "Bare", kind: "protocol", url: bare.url });
      thread = {
        connectionId: connection.id,
        server: { kind: "chatBackend", url: bare.url },
        threadId: "t-1",
      };
      extension.agentServers.chats.memory(connection.id).add("t-1");
      await extension.views.deployments.refresh();
    });
    afterEach(async () => {
      for (const { id } of extension.agentServers.chats.memory(connection.id).created.list)
        extension.agentServers.chats.memory(connection.id).forget(id);
      await bare.close();
    });

    /** What a window knows that shares nothing with this one but what the editor remembers. */
    const anotherWindow = (): ChatMemory =>
      new ChatBackends(extension.connections, extension.transport, globalState()).memory(connection.id);
    const madeInAnotherWindow = (id: string): void => anotherWindow().add(id);

    it("lists the threads that were made here, and says so", async () => {
      const rows = await drawTree(extension);
      ok(
        rows.some((row) => row.includes("no list · 1 made here")),
        rows.join("\n"),
      );
      ok(
        rows.some((row) => row.includes("Thread t-1 | idle · made here")),
        rows.join("\n"),
      );
      const asked = bare.asked.filter((line) => line === "GET /api/threads").length;
      await extension.views.deployments.refresh();
      equal(bare.asked.filter((line) => line === "GET /api/threads").length, asked, "it is asked once");
    });

    it("lists what was made here before a reload, by what was said first, and keeps nothing of that", async () => {
      bare.say("t-2", "What is wrong with sk-secret?");
      for (const id of ["t-2", "t-3"]) madeInAnotherWindow(id);
      await extension.views.deployments.refresh();
      const rows = await drawTree(extension);
      deepEqual(
        rows.filter((row) => row.includes("idle")).map((row) => row.trim().replace(/ · now$/, "")),
        [
          "Thread t-3 | idle · made here",
          "What is wrong with sk-secret? | idle · made here",
          "Thread t-1 | idle · made here",
        ],
      );
      const kept = globalState()
        .keys()
        .map((key) => JSON.stringify(globalState().get(key)))
        .join();
      ok(kept.includes('"t-2"') && !kept.includes("sk-secret"), kept);
    });

    it("forgets a thread that the backend has cleared, and says so in the tree and to who opens it", async () => {
      bare.say("t-2", "Good day");
      madeInAnotherWindow("t-2");
      await extension.views.deployments.refresh();
      const shown = await drawTree(extension);
      ok(
        shown.some((row) => row.includes("Good day | idle · made here")),
        shown.join("\n"),
      );
      bare.clear("t-2");
      using person = new Person();
      const opened = extension.threadHosts.of(thread).state("t-2");
      const words = wordsOf(extension, await opened.catch((error: unknown) => error));
      match(words, /restarted and keeps threads in memory only\. Start a new thread/);
      await extension.views.deployments.refresh();
      const rows = await drawTree(extension);
      ok(
        rows.some((row) => row.includes("no list · 1 made here, 1 no longer on the backend")),
        rows.join("\n"),
      );
      ok(!rows.some((row) => row.includes("Good day")), rows.join("\n"));
      equal(person.told.length, 0);
      deepEqual(
        anotherWindow().created.list.map(({ id }) => id),
        ["t-1"],
      );
    });

    it("offers to delete a thread until it is known that none can be", async () => {
      deepEqual(await contexts("thread"), [
        "thread idle unsupported:rename unsupported:repair unsupported:list",
      ]);
      const host = extension.threadHosts.of(thread);
      const refused = await host.delete("t-1").catch((error: unknown) => error);
      match(wordsOf(extension, refused), /no way to delete/);
      deepEqual(await contexts("thread"), [
        "thread idle unsupported:rename unsupported:repair unsupported:list unsupported:delete",
      ]);
      await extension.connections.update({ ...connection, url: bare.url.replace("127.0.0.1", "localhost") });
      await extension.views.deployments.refresh();
      deepEqual(
        extension.threadHosts.of(thread).unsupported.has("delete"),
        false,
        "another address may have it",
      );
    });

    it("refuses what no menu offers before anybody is asked about it", async () => {
      await extension.threadHosts
        .of(thread)
        .delete("t-1")
        .catch(() => undefined);
      using person = new Person();
      await vscode.commands.executeCommand("agentOperations.thread.delete", thread);
      await vscode.commands.executeCommand("agentOperations.thread.rename", thread);
      equal(person.asked.length, 0);
      match(person.told.join("\n"), /^.*no way to delete a thread.*\n.*no way to rename it.*$/);
    });

    it("says once that it keeps no earlier states, and offers them no more", async () => {
      const offered = (): Promise<readonly string[]> => contexts("thread");
      ok(!(await offered()).join().includes("unsupported:history"));
      using person = new Person();
      await vscode.commands.executeCommand("agentOperations.thread.openEarlierState", thread);
      match(person.told.join("\n"), /^Open Earlier State: This backend keeps no earlier states/);
      ok((await offered()).join().includes("unsupported:history"));
    });
  });

  it("is tested like any other connection", async () => {
    await vscode.commands.executeCommand("agentOperations.connection.test", { connectionId: connection.id });
    const text = vscode.window.activeTextEditor?.document.getText() ?? "";
    match(text, /✓ Streaming protocol: commands/);
    match(text, /✓ Streaming protocol: threads/);
  });
});

interface BareBackend {
  readonly url: string;
  /** Method and path of each request. */
  readonly asked: readonly string[];
  /** A thread begins with what a person said; the others have nothing in them. */
  say(threadId: string, text: string): void;
  /** The thread is lost, as by a restart. */
  clear(threadId: string): void;
  close(): Promise<void>;
}

/** A backend with nothing but the four endpoints that the protocol asks for at least. */
async function startBareBackend(): Promise<BareBackend> {
  const asked: string[] = [];
  const said = new Map<string, string | undefined>();
  const server = createServer((request, response) => {
    const { method = "", url = "" } = request;
    asked.push(`${method} ${url}`);
    const [, id = "", end] = /([^/]*)\/(commands|stream|state)$/.exec(url) ?? [];
    const known = end !== undefined && (!said.has(id) || said.get(id) !== undefined);
    const text = said.get(id);
    const messages = text === undefined ? [] : [{ type: "human", content: text }];
    response.writeHead(known ? 200 : 404, { "content-type": "application/json" });
    response.end(JSON.stringify(known ? { values: { messages }, next: [], tasks: [] } : {}));
  });
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  return {
    url: `http://127.0.0.1:${String((server.address() as AddressInfo).port)}`,
    asked,
    say: (threadId, text) => void said.set(threadId, text),
    clear: (threadId) => void said.set(threadId, undefined),
    close: () =>
      new Promise((resolve) => {
        server.close(() => resolve());
        server.closeAllConnections();
      }),
  };
}

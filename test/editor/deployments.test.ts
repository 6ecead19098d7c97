import { deepEqual, equal, match, ok } from "node:assert/strict";
import { createServer } from "node:http";
import type { Server } from "node:http";
import type { AddressInfo } from "node:net";
import { setTimeout as pause } from "node:timers/promises";
import * as vscode from "vscode";
import { CONTEXTS, SECTION, SETTINGS } from "../../src/editor/ids.ts";
import type { TreeNode } from "../../src/editor/views/node.ts";
import { LocalPlatform, say } from "../unit/emulator/localPlatform.ts";
import {
  connect,
  drawTree,
  removeThreads,
  showView,
  theExtension,
  tidyUp,
  until,
} from "./extensionUnderTest.ts";
import type { Extension } from "./extensionUnderTest.ts";

describe("The Deployments view", () => {
  let extension: Extension;
  let platform: LocalPlatform;

  before(async () => {
    extension = await theExtension();
    platform = await LocalPlatform.start();
  });

  after(async () => {
    await platform.remove();
  });

  beforeEach(async () => {
    await tidyUp(extension);
    await removeThreads(platform);
    await showView();
  });

  afterEach(() => tidyUp(extension));

  it("lists threads by connection, agent server and status, those that need a person first", async () => {
    await platform.thread({ title: "Plain" });
    const waiting = await platform.thread({ title: "Waiting" });
    await platform.stream(waiting, { assistant_id: "approval", input: say("Pay 10 euros") });
    await connectTo("Sample");
    deepEqual(ageless(await drawTree(extension)), [
      `Sample | ${new URL(platform.ready.deploymentUrl).host}`,
      "  Sample | 2 threads",
      "    Needs you | 1",
      "      Waiting | needs you",
      "    Idle | 1",
      "      Plain | idle",
    ]);
    equal(extension.attention.count(), 1);
  });

  it("calls a thread without a name by its first message", async () => {
    const thread = await platform.thread();
    await platform.stream(thread, { assistant_id: "echo", input: say("What is the\nweather?") });
    await connectTo("Sample");
    const rows = ageless(await drawTree(extension));
    ok(rows.includes("      What is the weather? | idle"), rows.join("\n"));
  });

  it("draws nothing again when nothing changed, and only the row that did", async () => {
    const one = await platform.thread({ title: "One" });
    await platform.thread({ title: "Two" });
    await connectTo("Sample");
    await drawTree(extension);
    const before = await nodes();
    const drawn = record();
    await extension.deployments.refresh();
    deepEqual(drawn(), []);
    await platform.send("PATCH", `/threads/${one}`, { metadata: { title: "First" } });
    await extension.deployments.refresh();
    deepEqual(new Set((await nodes()).keys()), new Set(before.keys()));
    const again = await nodes();
    for (const [id, node] of before) equal(again.get(id), node, `${id} is another object after a refresh`);
  });

  it("loads more on demand, filters by status and searches among 200 threads", async () => {
    await createThreads(platform, 200);
    const waiting = await platform.thread({ title: "The needle", ticket: "OPS-1" });
    await platform.stream(waiting, { assistant_id: "approval", input: say("Pay") });
    await connectTo("Sample");
    const first = ageless(await drawTree(extension));
    deepEqual(first.slice(1, 5), [
      "  Sample | 201 threads",
      "    Needs you | 1",
      "      The needle | needs you",
      "    Idle | 200",
    ]);
    equal(first.at(-1), "      Load more (50 of 200)");
    await vscode.commands.executeCommand("agentOperations.threads.loadMore", {
      ...serverOf(),
      group: "idle",
    });
    equal((await drawTree(extension)).at(-1), "      Load more (100 of 200)");

    await extension.deployments.setFilter({ status: "interrupted" });
    deepEqual(ageless(await drawTree(extension)).slice(1), [
      "  Sample | 1 thread",
      "    The needle | needs you",
    ]);
    await until(
      "the description tells the filter",
      () => extension.deployments.description === "1 of 201 · interrupted",
    );

    await extension.deployments.setFilter({ text: "NEEDLE" });
    deepEqual(ageless(await drawTree(extension)).slice(-1), ["      The needle | needs you"]);
    await extension.deployments.setFilter({ text: "ticket=OPS-1" });
    deepEqual(ageless(await drawTree(extension)).slice(-1), ["      The needle | needs you"]);
    await extension.deployments.setFilter({ text: waiting });
    deepEqual(ageless(await drawTree(extension)).slice(-1), ["      The needle | needs you"]);

    await extension.deployments.setFilter({ text: "nobody is called so" });
    await until("the view is filtered to nothing", async () => {
      await drawTree(extension);
      return extension.deployments.tree.empty === "filtered";
    });
    await vscode.commands.executeCommand("agentOperations.threads.clearFilter");
    equal(extension.deployments.tree.empty, undefined);
  });

  it("shows statuses that it does not know as they are, and flat rows on demand", async () => {
    await platform.thread({ title: "Only" });
    await connectTo("Sample");
    await vscode.commands.executeCommand("agentOperations.threads.toggleGrouping");
    try {
      deepEqual(ageless(await drawTree(extension)).slice(1), ["  Sample | 1 thread", "    Only | idle"]);
    } finally {
      await vscode.commands.executeCommand("agentOperations.threads.toggleGrouping");
    }
  });

  it("shows a broken connection as a row with a reason and a remedy, beside one that works", async () => {
    await platform.thread({ title: "Fine" });
    const html = await serve(
      (_, answer) => void answer.writeHead(200, { "content-type": "text/html" }).end("<html>Sign in</html>"),
    );
    try {
      await connectTo("Works");
      await connect(extension, "Wrong key", platform.ready.deploymentUrl, "wrong");
      await connect(extension, "Dead", await deadUrl());
      await connect(extension, "Page", html.url);
      const rows = ageless(await drawTree(extension));
      ok(rows.includes("      Fine | idle"), rows.join("\n"));
      const failures = await failureRows();
      equal(failures.length, 3);
      deepEqual(
        failures.map(({ command }) => command?.command),
        [
          "agentOperations.connection.setApiKey",
          "agentOperations.connection.test",
          "agentOperations.connection.edit",
        ],
      );
      for (const { label, description } of failures) {
        match(typeof label === "string" ? label : "", /\w{4}/);
        match(typeof description === "string" ? description : "", /\w{4}/);
      }
    } finally {
      await html.close();
    }
  });

  it("says why it is empty when the only connection does not work", async () => {
    const empty = async () => {
      await drawTree(extension);
      return extension.deployments.tree.empty;
    };
    equal(await empty(), "noConnection");
    const dead = await connect(extension, "Dead", await deadUrl());
    await until("the view is empty: unreachable", async () => (await empty()) === "unreachable");
    await extension.connections.remove(dead.id);
    const refused = await connect(extension, "Refused", platform.ready.deploymentUrl, "wrong");
    await until("the view is empty: keyRefused", async () => (await empty()) === "keyRefused");
    await extension.apiKeys.clear(refused.id);
    await until("the view is empty: keyMissing", async () => (await empty()) === "keyMissing");
    await extension.apiKeys.set(refused.id, [platform.ready.deploymentUrl], platform.ready.apiKey);
    await until(
      "the threads are back",
      async () => (await empty()) === undefined && (await drawTree(extension)).length > 1,
    );
  });

  it("follows the servers while it is seen, and asks nothing when it is not", async function () {
    this.timeout(60_000);
    await setRefreshSeconds(2);
    try {
      const thread = await platform.thread({ title: "Before" });
      await connectTo("Sample");
      await drawTree(extension);
      await platform.send("PATCH", `/threads/${thread}`, { metadata: { title: "After" } });
      await until(
        "the row follows by itself",
        async () => (await drawTree(extension)).some((row) => row.includes("After")),
        15_000,
      );
      await vscode.commands.executeCommand("workbench.view.explorer");
      await pause(500);
      let requests = 0;
      const counting = extension.transport.onExchange(() => requests++);
      await pause(7000);
      counting.dispose();
      equal(requests, 0);
    } finally {
      await setRefreshSeconds(undefined);
    }
  });

  it("leaves a server alone that asks for it, and says so", async function () {
    this.timeout(60_000);
    await setRefreshSeconds(2);
    const faults = `${platform.ready.localUrl}/faults`;
    try {
      await platform.thread({ title: "Patient" });
      await connectTo("Sample");
      await drawTree(extension);
      const body = { match: { path: "search$" }, status: 429, headers: { "retry-after": "50" }, times: 100 };
      await platform.send("POST", faults, body);
      await until("the view says so", () => extension.deployments.message !== "", 15_000);
      match(extension.deployments.message, /fewer requests.*50 s/);
      const rows = ageless(await drawTree(extension));
      ok(rows.includes("      Patient | idle"), rows.join("\n"));
      let requests = 0;
      const counting = extension.transport.onExchange(() => requests++);
      await pause(5000);
      counting.dispose();
      equal(requests, 0);
    } finally {
      await platform.send("DELETE", faults);
      await setRefreshSeconds(undefined);
    }
  });

  it("lists the first page of very many threads with few requests", async () => {
    await createThreads(platform, 300);
    let requests = 0;
    const counting = extension.transport.onExchange(() => requests++);
    await connectTo("Sample");
    await drawTree(extension);
    counting.dispose();
    ok(requests <= 8, `${String(requests)} requests`);
    equal((await nodes()).size < 60, true);
  });

  it("tells why a row is there and what the thread is in its tooltip", async () => {
    const thread = await platform.thread({ title: "Told", ticket: "OPS-7" });
    await connectTo("Sample");
    await drawTree(extension);
    const node = (await nodes()).get(`thread:${serverOf().connectionId}/${serverOf().serverId}/${thread}`);
    ok(node);
    const { tooltip } = extension.deployments.tree.nodes.resolveTreeItem(
      extension.deployments.tree.nodes.getTreeItem(node),
      node,
    );
    ok(tooltip instanceof vscode.MarkdownString);
    match(tooltip.value, new RegExp(thread));
    match(tooltip.value, /OPS-7/);
  });

  it("remembers the filter of the workspace and tells menus about it", async () => {
    await connectTo("Sample");
    await extension.deployments.setFilter({ status: "busy", text: "x" });
    deepEqual(extension.context.workspaceState.get("threads.filter"), { status: "busy", text: "x" });
    equal(CONTEXTS.threadsFiltered, "agentOperations.threadsFiltered");
  });

  async function connectTo(name: string): Promise<void> {
    await connect(extension, name, platform.ready.deploymentUrl, platform.ready.apiKey);
  }

  function serverOf(): { connectionId: string; serverId: string } {
    const { connectionId, serverId } = extension.deployments.tree.servers[0]!.ref;
    return { connectionId, serverId };
  }

  async function nodes(below?: TreeNode): Promise<Map<string, TreeNode>> {
    const found = new Map<string, TreeNode>();
    for (const node of await extension.deployments.tree.nodes.getChildren(below)) {
      found.set(node.id, node);
      for (const [id, inner] of await nodes(node)) found.set(id, inner);
    }
    return found;
  }

  async function failureRows(): Promise<vscode.TreeItem[]> {
    const failures = [...(await nodes()).values()].filter(({ id }) => id.startsWith("failure:"));
    return failures.map((node) => extension.deployments.tree.nodes.getTreeItem(node));
  }

  /** The ids that are drawn again from now on. */
  function record(): () => readonly (string | undefined)[] {
    const drawn: (string | undefined)[] = [];
    const recording = extension.deployments.tree.nodes.onDidChangeTreeData((changed) => {
      const list = Array.isArray(changed) ? changed : [changed];
      drawn.push(...list.map((node) => node?.id));
    });
    return () => {
      recording.dispose();
      return drawn;
    };
  }
});

async function setRefreshSeconds(seconds: number | undefined): Promise<void> {
  const settings = vscode.workspace.getConfiguration(SECTION);
  await settings.update(SETTINGS.refreshSeconds, seconds, vscode.ConfigurationTarget.Global);
}

/** Rows without the part of their description that tells the age. */
function ageless(rows: readonly string[]): string[] {
  return rows.map((row) => row.replace(/ · (now|\d+ \w+ ago)$/, ""));
}

async function createThreads(platform: LocalPlatform, count: number): Promise<void> {
  for (let done = 0; done < count; done += 20) {
    await Promise.all(
      Array.from({ length: 20 }, (_, n) => platform.thread({ title: `Talk ${String(done + n)}` })),
    );
  }
}

async function serve(
  listener: NonNullable<Parameters<typeof createServer>[1]>,
): Promise<{ url: string; close: () => Promise<void> }> {
  const server: Server = createServer(listener as Parameters<typeof createServer>[1] & object);
  await new Promise<void>((listening) => server.listen(0, "127.0.0.1", listening));
  const { port } = server.address() as AddressInfo;
  return {
    url: `http://127.0.0.1:${String(port)}`,
    close: async () => {
      server.closeAllConnections();
      await new Promise((closed) => server.close(closed));
    },
  };
}

/** An address where nothing listens any more. */
async function deadUrl(): Promise<string> {
  const { url, close } = await serve(() => undefined);
  await close();
  return url;
}

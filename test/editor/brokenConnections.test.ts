import { deepEqual, doesNotMatch, equal, match, ok } from "node:assert/strict";
import { createServer } from "node:http";
import type { RequestListener } from "node:http";
import type { AddressInfo } from "node:net";
import * as vscode from "vscode";
import { NotPossibleError } from "../../src/editor/kit/remedies.ts";
import type { LocalPlatform } from "../support/localPlatform.ts";
import {
  ageless,
  connect,
  connectServer,
  drawTree,
  removeOtherViews,
  removeThreads,
  rowsById,
  setKey,
  showView,
} from "./extensionUnderTest.ts";
import { holdTime } from "./heldTime.ts";
import { until } from "../support/until.ts";
import type { Extension } from "./extensionUnderTest.ts";
import { useOwnPlatform } from "./ownPlatform.ts";
import { Person } from "./person.ts";
import { requestsAfter } from "./requests.ts";
import { writtenDown } from "./writtenDown.ts";

describe("A connection that does not work, in the Deployments view", () => {
  let extension: Extension;
  let platform: LocalPlatform;

  useOwnPlatform(async (own) => {
    ({ extension, platform } = own);
    await removeThreads(platform);
    await showView();
  });

  it("is a row with a reason and a remedy, beside one that works", async () => {
    await platform.thread({ title: "Fine" });
    const html = await serve(
      (_, answer) => void answer.writeHead(200, { "content-type": "text/html" }).end("<html>Sign in</html>"),
    );
    try {
      await connectServer(extension, "Works", platform);
      await connect(extension, "Wrong key", platform.ready.deploymentUrl, "wrong");
      await connect(extension, "Dead", await deadUrl());
      await connect(extension, "Page", html.url);
      const rows = ageless(await drawTree(extension));
      ok(rows.includes("    Fine | idle"), rows.join("\n"));
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
      const { nodes, roots } = extension.views.deployments.platform;
      const drawn = await Promise.all(roots.map((root) => nodes.getChildren(root)));
      const withGraphs = drawn.map((below) => below.some(({ id }) => id.startsWith("assistants:")));
      deepEqual(withGraphs, [true, false, true, true], "a refused key is said once, and not by its graphs");
    } finally {
      await html.close();
    }
  });

  it("stands last where a server is asked for, and says why", async () => {
    const dead = await connect(extension, "Dead", await deadUrl());
    await connectServer(extension, "Works", platform);
    await drawTree(extension);
    const { connectionStates: states } = extension.transport;
    await until("it is known as unreachable", () => states.of(dead)?.state === "unreachable");
    using person = new Person();
    person.will("cancel");
    await vscode.commands.executeCommand("agentOperations.thread.new");
    deepEqual(
      person.asked.map(({ rows }) => rows),
      [["Works | ", "Dead | unreachable"]],
    );
  });

  it("leaves the view empty when it is the only one, and the view says why", async () => {
    await platform.thread({ title: "Back again" });
    const empty = async () => {
      await drawTree(extension);
      return extension.views.deployments.platform.empty;
    };
    equal(await empty(), "noConnection");
    const dead = await connect(extension, "Dead", await deadUrl());
    await until("the view is empty: unreachable", async () => (await empty()) === "unreachable");
    await extension.connections.remove(dead.id);
    const refused = await connect(extension, "Refused", platform.ready.deploymentUrl, "wrong");
    await until("the view is empty: keyRefused", async () => (await empty()) === "keyRefused");
    await extension.apiKeys.clear(refused.id);
    await until("the view is empty: keyMissing", async () => (await empty()) === "keyMissing");
    const { connectionStates: states, onDidChangeConnectionState } = extension.transport;
    await until("it is known as refused", () => states.of(refused)?.state === "refused");
    const seen: (string | undefined)[] = [];
    const changes = onDidChangeConnectionState(() => void seen.push(states.of(refused)?.state));
    await setKey(extension, refused.id, [platform.ready.deploymentUrl], platform.ready.apiKey);
    await until(
      "the threads are back",
      async () => (await empty()) === undefined && (await drawTree(extension)).length > 1,
    );
    changes.dispose();
    deepEqual(
      [seen[0], seen.at(-1)],
      [undefined, "reachable"],
      "how it was seen with the old key is forgotten at once",
    );
  });

  it("is asked again when its key, or what is wanted of it, changes while it answers", async () => {
    await platform.thread({ title: "Late" });
    await connectServer(extension, "Sample", platform);
    await drawTree(extension);
    const { platform: view } = extension.views.deployments;
    const [row] = view.roots;
    ok(row);
    const faults = `${platform.ready.localUrl}/faults`;
    const changes: readonly (readonly [string, () => unknown])[] = [
      ["the key", () => row.reset()],
      ["the filter", () => extension.threadListings.all[0]?.reset()],
    ];
    try {
      await platform.send("POST", faults, { match: { path: "search$" }, delay_ms: 300, times: 1000 });
      for (const [what, change] of changes) {
        row.reset();
        const answer = row.children();
        await until("the threads are asked for", () => extension.threadListings.all.length > 0);
        equal(row.known, undefined);
        change();
        equal((await answer).length, 2, `rows after ${what} changed`);
      }
    } finally {
      await platform.send("DELETE", faults);
    }
  });

  it("puts no link of a server's into the notification about it", () => {
    using person = new Person();
    const said = "Expired. [Sign in again](command:workbench.action.terminal.new)";
    extension.report.failure("Test", new NotPossibleError(said, "Try again."));
    match(person.told[0] ?? "", /Sign in again/);
    doesNotMatch(person.told[0] ?? "", /\]\(command:/);
  });

  it("is left alone when its server asks for it, and the view says so", async () => {
    await removeOtherViews(extension);
    using time = holdTime(extension);
    const faults = `${platform.ready.localUrl}/faults`;
    try {
      await platform.thread({ title: "Patient" });
      await connectServer(extension, "Sample", platform);
      await drawTree(extension);
      const body = { match: { path: "search$" }, status: 429, headers: { "retry-after": "50" }, times: 100 };
      await platform.send("POST", faults, body);
      const message = () => extension.views.deployments.platform.view.message;
      await time.until("the view says so", () => (message() ?? "") !== "");
      match(message() ?? "", /fewer requests.*50 s/);
      const rows = ageless(await drawTree(extension));
      ok(rows.includes("    Patient | idle"), rows.join("\n"));
      await until("the next poll is planned", () => time.began((ms) => ms === 50_000));
      deepEqual(await requestsAfter(extension, () => time.pass(49_000)), []);
      await platform.send("DELETE", faults);
      await time.until("it is asked again", () => message() === "");
    } finally {
      await platform.send("DELETE", faults);
    }
  });

  it("keeps its rows and says how old they are, and leaves one line in the log", async () => {
    await removeOtherViews(extension);
    using time = holdTime(extension);
    const faults = `${platform.ready.localUrl}/faults`;
    const failed = /\[warning\] Failed: POST \S+search 503, \d+ ms/g;
    const linesNow = async () => {
      const written = await writtenDown(extension);
      return written.flatMap(({ place, text }) => (place.endsWith(".log") ? (text.match(failed) ?? []) : []));
    };
    try {
      await platform.thread({ title: "Still here" });
      await connectServer(extension, "Sample", platform);
      await drawTree(extension);
      const before = (await linesNow()).length;
      await platform.send("POST", faults, { match: { path: "search$" }, status: 503, times: 1000 });
      await time.until("a row says so", async () => (await failureRows()).length > 0);
      const [row] = await failureRows();
      match(typeof row?.label === "string" ? row.label : "", /^Rows as of \d\d:\d\d( [AP]M)?\. .*503/);
      const rows = ageless(await drawTree(extension));
      ok(rows.includes("    Still here | idle"), rows.join("\n"));
      ok((await requestsAfter(extension, () => time.pass(60_000))).length > 0, "it is asked again meanwhile");
      await until("it is in the log", async () => (await linesNow()).length > before);
      equal((await linesNow()).length, before + 1);
      await platform.send("DELETE", faults);
      await time.until("the reason is gone", async () => (await failureRows()).length === 0);
    } finally {
      await platform.send("DELETE", faults);
    }
  });

  async function failureRows(): Promise<vscode.TreeItem[]> {
    const failures = [...(await rowsById(extension)).values()].filter(({ id }) => id.startsWith("failure:"));
    return failures.map((node) => extension.views.deployments.platform.nodes.getTreeItem(node));
  }
});

async function serve(listener: RequestListener): Promise<{ url: string; close: () => Promise<void> }> {
  const server = createServer(listener);
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

import { deepEqual, equal, match, ok } from "node:assert/strict";
import * as vscode from "vscode";
import { ControlPlaneClient } from "../support/controlPlaneClient.ts";
import { is, list, type LocalPlatform, say } from "../support/localPlatform.ts";
import { until } from "../support/until.ts";
import {
  connectPlatform,
  connectServer,
  drawRows,
  drawTree,
  type Extension,
  removeThreads,
  showView,
} from "./extensionUnderTest.ts";
import { useOwnPlatform } from "./ownPlatform.ts";
import { Person } from "./person.ts";

const hour = 3_600_000;

/** Has it date its answers so much later than what happens there. */
async function setAhead(platform: LocalPlatform, ms: number): Promise<void> {
  const headers = { date: new Date(Date.now() + ms + 60_000).toUTCString() };
  const rule = { match: {}, headers, times: 1_000_000 };
  await platform.send("POST", `${platform.ready.localUrl}/faults`, rule);
}

describe("A server whose clock is two hours ahead", () => {
  let extension: Extension;
  let platform: LocalPlatform;

  useOwnPlatform(async (own) => {
    ({ extension, platform } = own);
    await setAhead(platform, 2 * hour);
  });

  it("has threads as old as that clock says, in the tree, the Inbox and Failures", async () => {
    await connectServer(extension, "Sample", platform);
    const threadId = await platform.thread({ title: "Apples" });
    const input = { ...say("go"), fail_at: "write", fail_times: 1 };
    await platform.stream(threadId, { assistant_id: "pipeline", input });
    await platform.stream(await platform.thread(), { assistant_id: "approval", input: say("Tell them") });
    await showView();
    match((await drawTree(extension)).join("\n"), /Apples \| error · 2 h ago/);
    const { inbox } = extension.views;
    await inbox.refresh();
    const waiting = await drawRows(inbox.polled.nodes);
    ok(waiting.length > 0 && waiting.every((row) => row.endsWith("2 h ago")), waiting.join("\n"));
    match(await failures(), /1 failed thread \| .* · 2 h ago/);
  });

  it("has deployments and revisions as old, in the tree and in Failures", async () => {
    const controlPlane = new ControlPlaneClient(platform);
    await controlPlane.pace(5);
    await platform.send("POST", `${platform.ready.localUrl}/revisions`, { fail_at: "deploy" });
    const { id, latest_revision_id: revision } = await controlPlane.create({ name: "support" });
    await controlPlane.follow(id, revision);
    await connectPlatform(extension, "Test", platform);
    await showView();
    const rows = (await drawTree(extension)).join("\n");
    match(rows, /^ +support \| deploy failed · main · 2 h ago$/m);
    match(rows, /^ +main \| deploy failed · 2 h ago$/m);
    match(await failures(), /support: deploy failed \| .* · 2 h ago/);
  });

  async function failures(): Promise<string> {
    const { failures } = extension.views;
    await failures.refresh();
    return (await drawRows(failures.polled.nodes)).join("\n");
  }
});

describe("A choice among threads of a server whose clock is eight days ahead", () => {
  let extension: Extension;
  let platform: LocalPlatform;
  let connectionId: string;

  useOwnPlatform(async (own) => {
    ({ extension, platform } = own);
    connectionId = (await connectServer(extension, "Sample", platform)).id;
    await removeThreads(platform);
    await setAhead(platform, 8 * 24 * hour);
  });

  const run = (command: string, ...args: readonly unknown[]) =>
    vscode.commands.executeCommand(`agentOperations.${command}`, ...args);
  const server = () => ({ kind: "agentServer", url: platform.ready.deploymentUrl }) as const;

  it("has runs to be stopped go on for as long as that clock says", async () => {
    const threadId = await platform.thread({ title: "Long work" });
    await platform.run(threadId, { assistant_id: "slow", input: { ...say("Work"), seconds: 60 } });
    const runs = async () => list((await platform.send("GET", `/threads/${threadId}/runs`)).body);
    await until("it runs", async () => (await runs()).some(({ status }) => is(status, "running")));
    using person = new Person();
    await run("bulk.stopRuns", { connectionId, server: server() });
    match(person.told[0] ?? "", /\nLong work on Sample: slow, running for 192 h \d\d min\n/);
    equal(person.told.length, 1);
  });

  it("has threads to be deleted as old as that clock says", async () => {
    const threadId = await platform.thread({ title: "Told" });
    await platform.stream(threadId, { assistant_id: "echo", input: say("Hello") });
    using person = new Person().will({ choose: "7 days" }, "accept", { choose: /List the/ });
    await run("bulk.deleteThreads", { connectionId, server: server() });
    person.done();
    deepEqual(person.asked[0]?.rows.slice(0, 2), ["7 days | 1 thread", "30 days | 0 threads"]);
    match(
      vscode.window.activeTextEditor?.document.getText() ?? "",
      /^Delete 1 thread unchanged for 7 days: nothing was deleted\./,
    );
    await vscode.commands.executeCommand("workbench.action.revertAndCloseActiveEditor");
  });

  it("has threads to be opened, and their earlier states, as old as that clock says", async () => {
    const threadId = await platform.thread({ title: "Told" });
    await platform.stream(threadId, { assistant_id: "echo", input: say("Hello") });
    using person = new Person().will("cancel", "cancel");
    await run("thread.open");
    await run("thread.openEarlierState", { connectionId, server: server(), threadId });
    person.done();
    const [threads, states] = person.asked;
    deepEqual(threads?.rows, ["Told | idle · 8 d ago"]);
    ok(
      states !== undefined && states.rows.length > 1 && states.rows.every((row) => row.endsWith("8 d ago")),
      states?.rows.join("\n"),
    );
  });
});

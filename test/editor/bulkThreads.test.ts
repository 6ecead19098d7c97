import { deepEqual, equal, match, ok } from "node:assert/strict";
import * as vscode from "vscode";
import type { JsonObject } from "../../src/api/agentServer/wire.ts";
import type { ServerRef } from "../../src/editor/connections/serverRef.ts";
import { is, list, LocalPlatform, say, text } from "../support/localPlatform.ts";
import type { Shape } from "../support/localPlatform.ts";
import { until } from "../support/until.ts";
import { connectServer, type Extension } from "./extensionUnderTest.ts";
import { useOwnPlatform } from "./ownPlatform.ts";
import { Person } from "./person.ts";

describe("Many threads and runs of a server", () => {
  let extension: Extension;
  let platform: LocalPlatform;
  let connectionId: string;
  let server: ServerRef;

  useOwnPlatform(async (own) => {
    ({ extension, platform } = own);
    connectionId = (await connectServer(extension, "Sample", platform)).id;
    server = (await extension.agentServers.named(connectionId))[0]?.server ?? {
      kind: "agentServer",
      url: "",
    };
  });
  afterEach(async () => {
    await vscode.commands.executeCommand("workbench.action.revertAndCloseActiveEditor");
    for (const job of await extension.bulkChanges.unfinished()) await extension.bulkChanges.leave(job.id);
  });

  const start = (command: string) =>
    vscode.commands.executeCommand(`agentOperations.bulk.${command}`, { connectionId, server });
  const rows = async (): Promise<Record<string, string>> => {
    const { body } = await platform.send("POST", "/threads/search", { limit: 100 });
    return Object.fromEntries(list(body).map((row) => [text(row["thread_id"]), text(row["status"])]));
  };
  const runsIn = async (threadId: string, on = platform): Promise<readonly Shape[]> =>
    list((await on.send("GET", `/threads/${threadId}/runs`)).body);
  const going = async (on = platform): Promise<string> => {
    const threadId = await on.thread({ title: "Long work" });
    const run = { assistant_id: "slow", input: { ...say("Work"), seconds: 60 } };
    await on.send("POST", `/threads/${threadId}/runs`, run);
    await until("it runs", async () =>
      (await runsIn(threadId, on)).some(({ status }) => is(status, "running")),
    );
    return threadId;
  };
  const textInFront = (): string => vscode.window.activeTextEditor?.document.getText() ?? "";
  const spoken = async (assistant: string, metadata: JsonObject = { title: "Told" }): Promise<string> => {
    const threadId = await platform.thread(metadata);
    await platform.stream(threadId, { assistant_id: assistant, input: say("Hello") });
    return threadId;
  };

  it("are stopped together, one first", async () => {
    const threads = [await going(), await going(), await going()];
    using person = new Person();
    person.press = (_, { buttons }) => buttons.find((button) => /^(Stop|Continue)$/.test(button));
    await start("stopRuns");
    match(
      person.told[0] ?? "",
      /^Stop 3 runs\?\nWhat they did so far stays in their threads.*\n\nLong work on Sample: \S+, running for (?:\d+ min )?\d+ s\n/,
    );
    match(person.told[1] ?? "", /^Stop 3 runs: “Long work” on “Sample” is stopped\. Go on\?/);
    match(person.told.at(-1) ?? "", /^Stop 3 runs: 3 stopped\.$/);
    const after = await rows();
    deepEqual(
      threads.filter((id) => after[id] === "busy"),
      [],
    );
    await start("stopRuns");
    match(person.told.at(-1) ?? "", /^Stop Runs of Threads: No run goes on there\./);
  });

  it("are stopped on the servers that answer, and those that do not are named", async () => {
    const gone = { name: "Gone", kind: "agentServer", url: "http://127.0.0.1:1" } as const;
    await extension.connections.add(gone);
    const threadId = await going();
    using person = new Person().will("accept").presses("Stop");
    await vscode.commands.executeCommand("agentOperations.bulk.stopRuns");
    person.done();
    const told = person.told.join("\n");
    match(told, /^Left out: “Gone”\. .*127\.0\.0\.1:1/m);
    match(told, /^Stop 1 run: 1 stopped\.$/m);
    equal((await rows())[threadId] === "busy", false);
  });

  it("are stopped on this editor's own Local Platform, whose address is in no setting", async () => {
    await vscode.commands.executeCommand("agentOperations.localPlatform.start");
    const { state } = extension.localPlatform;
    ok(state.kind === "running");
    const local = new LocalPlatform({ ...state.ready, ready: true }, "");
    const threadId = await going(local);
    const own = (await extension.agentServers.list("local")).find(
      ({ url }) => url === state.ready.deploymentUrl,
    );
    using person = new Person();
    person.press = (_, { buttons }) => buttons.find((button) => /^(Stop|Continue)$/.test(button));
    await vscode.commands.executeCommand("agentOperations.bulk.stopRuns", own);
    match(person.told.at(-1) ?? "", /: \d+ stopped\.$/);
    const left = (await runsIn(threadId, local)).filter(({ status }) => is(status, "running"));
    deepEqual(left, []);
    await extension.localPlatform.stop();
  });

  it("are deleted by age after their number and size were told; what waits or runs stays unless it is ticked", async () => {
    for (const id of Object.keys(await rows())) await platform.send("DELETE", `/threads/${id}`);
    const [idle, waits, runs] = [await spoken("echo", {}), await spoken("approval"), await going()];
    // A view in sight finds out how it began, and calls it so.
    extension.threads.setTitle({ connectionId, server, threadId: idle }, "As in the view");
    using person = new Person()
      .will({ choose: /Another number/ }, { type: "soon" }, { type: "0" })
      .will("accept", { choose: /List the/ });
    await start("deleteThreads");
    person.done();
    match(person.asked[0]?.rows.join() ?? "", /^7 days \| 0 threads,30 days \| 0 threads,/);
    match(person.told[0] ?? "", /^Enter a number of days/);
    deepEqual(person.asked[2]?.rows.toSorted(), [
      "idle | 1 thread, about 1 kB of newest states",
      "waiting | 1 thread, about 1 kB of newest states",
    ]);
    equal(person.asked[2].ticked.length, 1);
    match(
      textInFront(),
      new RegExp(
        `^Delete 1 thread unchanged for 0 days: nothing was deleted\\.\nidle: 1 thread, .*\n\n.*  (?:As in the view|Hello)  ${idle}\n$`,
      ),
    );
    deepEqual(Object.keys(await rows()).length, 3);

    person.told.length = 0;
    person.will({ choose: /Another number/ }, { type: "0" }, "accept", { choose: /Delete them/ });
    person.press = (_, { buttons }) => buttons.find((button) => button === "Delete");
    await start("deleteThreads");
    match(
      person.told[0] ?? "",
      /^Delete 1 thread unchanged for 0 days\?\nTheir messages .* can't be undone\.\nidle: 1 thread/,
    );
    match(person.told.at(-1) ?? "", /: 1 deleted\.$/);
    const left = await rows();
    deepEqual([left[idle], left[waits], left[runs]], [undefined, "interrupted", "busy"]);
    equal(Object.keys(left).length, 2);
  });
});

import { deepEqual, equal, match } from "node:assert/strict";
import * as vscode from "vscode";
import type { ServerRef } from "../../src/editor/connections/serverRef.ts";
import { list, LocalPlatform, say, text } from "../support/localPlatform.ts";
import { until } from "../support/until.ts";
import { ageless, connectServer, drawRows, type Extension } from "./extensionUnderTest.ts";
import { holdTime } from "./heldTime.ts";
import { useOwnPlatform } from "./ownPlatform.ts";
import { Person } from "./person.ts";

describe("Repairing many failed threads", () => {
  let extension: Extension;
  let platform: LocalPlatform;
  let connectionId: string;
  let server: ServerRef;

  useOwnPlatform(async (own) => {
    ({ extension, platform } = own);
    const connection = await connectServer(extension, "Sample", platform);
    connectionId = connection.id;
    server = (await extension.agentServers.named(connectionId))[0]?.server ?? {
      kind: "agentServer",
      url: "",
    };
  });
  afterEach(async () => {
    for (const job of await extension.bulkChanges.unfinished()) await extension.bulkChanges.leave(job.id);
  });

  const failed = async (failAt: string, times = 1, on = platform): Promise<string> => {
    const threadId = await on.thread({ title: `Order at ${failAt}` });
    const input = { ...say("go"), job: threadId, fail_at: failAt, fail_times: times };
    await on.stream(threadId, { assistant_id: "pipeline", input });
    return threadId;
  };
  const repair = () =>
    vscode.commands.executeCommand("agentOperations.bulk.repairThreads", { connectionId, server });
  const statusOf = async (threadId: string) =>
    text((await platform.send("GET", `/threads/${threadId}`)).body["status"]);
  const runsOf = async (threadId: string): Promise<number> =>
    list((await platform.send("GET", `/threads/${threadId}/runs`)).body).length;

  it("groups them by step and error, retries one and then the others, and reports", async () => {
    const threads = [await failed("write"), await failed("write"), await failed("write")];
    const other = await failed("check");
    using person = new Person().will("accept", { choose: /Retry “write”/ }, { choose: "10 at a time" });
    person.press = (_, { buttons }) => buttons.find((button) => /^(Retry|Continue)$/.test(button));
    await repair();
    person.done();
    const [groups, , pace] = person.asked;
    deepEqual(groups?.rows, [
      "write: write failed, time 1 of 1 | 3 threads on Sample",
      "check: check failed, time 1 of 1 | 1 thread on Sample",
    ]);
    equal(groups.title, "4 failed threads, by step and error");
    equal(groups.ticked.length, 1);
    match(pace?.labels.join() ?? "", /60 a minute/);
    match(
      person.told[0] ?? "",
      /^Retry 3 failed threads\?\nIn “Order at write”:\nRuns again: write\.\nThen, as the graph goes: send, close\.\nNo tool was called/,
    );
    match(
      person.told[1] ?? "",
      /^Retry 3 failed threads: “Order at write” on “Sample” is repaired\. Go on\? 1 repaired, 2 not sent\.$/,
    );
    match(person.told.at(-1) ?? "", /^Retry 3 failed threads: 3 repaired\.$/);
    deepEqual(await Promise.all(threads.map(statusOf)), ["idle", "idle", "idle"]);
    deepEqual(await Promise.all(threads.map(runsOf)), [2, 2, 2]);
    deepEqual([await statusOf(other), await runsOf(other)], ["error", 1]);
    const row = extension.activity.entries.find(({ options }) => options.title === "Retry 3 failed threads");
    equal(row?.end?.how, "done");
    await vscode.commands.executeCommand(
      row.options.open?.command ?? "",
      ...((row.options.open?.arguments ?? []) as unknown[]),
    );
    match(
      vscode.window.activeTextEditor?.document.getText() ?? "",
      /^Retry 3 failed threads\nBegan .*: 3 repaired\.\n\nSample\n {2}repaired +Order at write {2}retry write/,
    );
  });

  it("calls those that nobody named by how they began", async () => {
    for (const words of ["Bill them", "Bill the others"]) {
      const threadId = await platform.thread();
      const input = { ...say(words), job: threadId, fail_at: "write" };
      await platform.stream(threadId, { assistant_id: "pipeline", input });
    }
    using person = new Person().will(
      "accept",
      { choose: /Retry “write”/ },
      { choose: "One after the other" },
    );
    person.press = (_, { buttons }) => buttons.find((button) => /^(Retry|Continue)$/.test(button));
    await repair();
    match(person.told[1] ?? "", /“Bill the(m| others)” on “Sample” is repaired/);
  });

  it("skips the step with a result, and leaves out what somebody else repaired meanwhile", async () => {
    const threads = [await failed("write", 9), await failed("write", 9)];
    using person = new Person().will(
      "accept",
      { choose: /Skip “write”/ },
      { type: "no object" },
      { type: "{}" },
      { choose: "One after the other" },
    );
    person.press = (_, { buttons }) => buttons.find((button) => button === "Skip");
    await repair();
    const outcomes = await Promise.all(threads.map(async (id) => ({ id, status: await statusOf(id) })));
    const left = outcomes.find(({ status }) => status === "error")?.id ?? "";
    await platform.stream(left, { assistant_id: "pipeline", input: null });
    await vscode.commands.executeCommand("agentOperations.bulk.goOn");
    match(person.told.at(-1) ?? "", /: 1 repaired, 1 left out\.$/);
    deepEqual(await Promise.all(threads.map(runsOf)), [2, 2]);
    deepEqual((await Promise.all(threads.map(statusOf))).toSorted(), ["error", "idle"]);
  });

  it("takes those of the servers that are chosen together, and asks for the name of a protected one", async () => {
    const production = await LocalPlatform.start();
    try {
      const connection = await connectServer(extension, "Production", production);
      await extension.connections.update({ ...connection, protected: "word" });
      const [here, there] = [await failed("write"), await failed("write", 1, production)];
      using person = new Person().will("accept", "accept", { choose: /Retry/ }, { choose: "10 at a time" });
      let toldBefore: readonly string[] = [];
      person.otherwise = () => {
        toldBefore = [...person.told];
        return { type: "Production" };
      };
      person.press = (_, { buttons }) => buttons.find((button) => /^(Retry|Continue)$/.test(button));
      await vscode.commands.executeCommand("agentOperations.bulk.repairThreads");
      person.done();
      const [servers, groups, , , word] = person.asked;
      deepEqual(servers?.ticked, ["Sample", "Production"]);
      deepEqual(groups?.rows, ["write: write failed, time 1 of 1 | 2 threads on Sample, Production"]);
      match(word?.prompt ?? "", /“Production” is protected: type Production and press Enter/);
      // Nothing is done before, not even elsewhere.
      equal(toldBefore.length, 1, toldBefore.join("\n"));
      equal(person.asked.length, 5);
      match(person.told.at(-1) ?? "", /^Retry 2 failed threads: 2 repaired\.$/);
      const { body } = await production.send("GET", `/threads/${there}`);
      deepEqual([await statusOf(here), text(body["status"])], ["idle", "idle"]);
    } finally {
      await production.remove();
    }
  });

  it("says which fail again, and asks before more of them do", async () => {
    for (let count = 0; count < 7; count += 1) await failed("write", 9);
    using person = new Person().will("accept", { choose: /Retry/ }, { choose: "One after the other" });
    let asked = 0;
    person.press = (message, { buttons }) => {
      if (/Go on\?/.test(message)) asked += 1;
      return buttons.find((button) => (button === "Continue" ? asked < 2 : button === "Retry"));
    };
    await repair();
    match(
      person.told.at(-1) ?? "",
      /6 failed, 1 not sent\. “Order at write”: write: write failed, time 2 of 9\.$/,
    );
  });

  it("stand as one row in the Failures view, which leads there", async () => {
    await failed("write");
    await failed("check");
    await vscode.commands.executeCommand("agentOperations.failures.focus");
    const { nodes } = extension.views.failures.polled;
    const row = await until("they are shown", async () => {
      await vscode.commands.executeCommand("agentOperations.failures.refresh");
      const drawn = ageless(await drawRows(nodes));
      const index = drawn.findIndex((line) => line.startsWith("Sample: 2 failed threads"));
      return (await nodes.getChildren())[index];
    });
    equal(row.item().command?.command, "agentOperations.bulk.repairThreads");
    // Nothing happens for a while, so that it is asked seldom.
    {
      using quiet = holdTime(extension);
      await quiet.until("it is asked each minute", () => quiet.began((ms) => ms === 60_000), 5000);
    }
    using person = new Person().will("accept", { choose: /Retry/ }, { choose: "10 at a time" });
    person.press = (_, { buttons }) => buttons.find((button) => /^(Retry|Continue)$/.test(button));
    await repair();
    using later = holdTime(extension);
    later.pass(6000);
    await until("the repaired one counts no more", async () =>
      ageless(await drawRows(nodes)).some((line) => line.startsWith("Sample: 1 failed thread ")),
    );
  });
});

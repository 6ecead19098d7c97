import { deepEqual, equal, match } from "node:assert/strict";
import { isDeepStrictEqual } from "node:util";
import * as vscode from "vscode";
import type { ThreadRef } from "../../src/editor/connections/connection.ts";
import type { RepairAction } from "../../src/run/panel/messages.ts";
import type { LocalPlatform } from "../support/localPlatform.ts";
import { is, say } from "../support/localPlatform.ts";
import { until } from "../support/until.ts";
import { connectServer, type Extension } from "./extensionUnderTest.ts";
import { useOwnPlatform } from "./ownPlatform.ts";
import { Person } from "./person.ts";

const steps = ["collect", "check", "reserve", "charge", "write", "send", "close"];
const once = Object.fromEntries(steps.map((name) => [name, 1]));

describe("Repairing a thread", () => {
  let extension: Extension;
  let platform: LocalPlatform;
  let connectionId: string;

  useOwnPlatform(async (own) => {
    ({ extension, platform } = own);
    connectionId = (await connectServer(extension, "Sample", platform)).id;
  });

  it("retries the step that failed, after saying what runs again", async () => {
    const thread = await failed("write");
    using person = new Person().will({ choose: "Retry “write”" }).presses("Retry");
    await repair(thread);
    person.done();
    deepEqual(person.asked[0]?.labels, [
      "Retry “write”",
      "Skip “write” with a result of your own…",
      "Continue",
      "Run one step",
      "Run to a breakpoint…",
      "Run from an earlier state…",
      "Edit a state and go on from there…",
    ]);
    match(
      person.told[0] ?? "",
      /^Retry “write” in “Nightly job”\?\nRuns again: write\.\nThen, as the graph goes: send, close\./,
    );
    await finished(thread);
    deepEqual(await executions(thread), { ...once, write: 2 });
    equal(extension.panels.active?.threadId, thread.threadId);
  });

  it("does nothing when the person does not want it", async () => {
    const thread = await failed("write");
    using person = new Person().will({ choose: "Retry “write”" });
    await repair(thread);
    equal(person.told.length, 1);
    const { body } = await platform.send("GET", `/threads/${thread.threadId}/runs`);
    equal((body as unknown as readonly unknown[]).length, 1);
  });

  it("skips a step with a result that is typed", async () => {
    const thread = await failed("write", 9);
    using person = new Person().will({ type: "no object" }, { type: '{"job": "mine"}' }).presses("Skip");
    await repair(thread, { verb: "skip", node: "write" });
    match(person.told.join("\n"), /Skip “write” in “Nightly job”\?\nRuns next: send\./);
    await finished(thread);
    equal((await platform.state(thread.threadId))["values"]?.["job"], "mine");
  });

  it("runs one step, and to a breakpoint, without a question", async () => {
    const thread = await failed("check");
    using person = new Person().presses("Retry");
    await repair(thread, { verb: "retry" });
    await finished(thread);
    const again = await failed("check");
    // The state stands beside the panel, and follows each step.
    await vscode.commands.executeCommand("agentOperations.thread.openState", again);
    const { document } = vscode.window.activeTextEditor!;
    await vscode.window.showTextDocument(document, vscode.ViewColumn.Two);
    await vscode.commands.executeCommand("workbench.action.focusFirstEditorGroup");
    const ran = (): unknown =>
      (JSON.parse(document.getText()) as { values: { executions: object } }).values.executions;
    deepEqual(ran(), { collect: 1 });
    person.presses("Run");
    await repair(again, { verb: "step" });
    await until("it stands before reserve", async () => String(await next(again)) === "reserve");
    await until("the state has followed", () => isDeepStrictEqual(ran(), { collect: 1, check: 2 }));
    const told = person.told.length;
    person.will({ choose: "send" });
    await repair(again, { verb: "to" });
    person.done();
    await until("it stands before send", async () => String(await next(again)) === "send");
    equal(person.told.length, told, "only what runs again is asked about");
  });

  it("runs from an earlier state that is chosen", async () => {
    const thread = await failed("close");
    using person = new Person()
      .will({ choose: "Run from an earlier state…" }, { choose: "Step 3" })
      .presses("Run");
    await repair(thread);
    person.done();
    match(person.told[0] ?? "", /Run again from before charge in .*\nRuns again: charge\./);
    await finished(thread);
    deepEqual(await executions(thread), { ...once, charge: 2, write: 2, send: 2, close: 2 });
    // The history is a tree from then on, whose first rows are the branch of the head.
    person.will({ choose: "Step 3" });
    await vscode.commands.executeCommand("agentOperations.thread.openEarlierState", thread);
    const rows = person.asked.at(-1)?.labels ?? [];
    deepEqual(rows.slice(0, 6), ["Step 8", "Step 7", "Step 6", "Step 5", "Step 4", "\u2003Step 6"]);
    equal(rows.filter((row) => row === "Step 3").length, 1);
  });

  it("sends an edited message anew from the transcript, and has an answer given anew", async () => {
    const thread = await failed("none");
    const panel = extension.panels.open(thread);
    await until("the thread is read", () => panel.session.entries.some(({ kind }) => kind === "message"));
    const message = panel.session.entries.find((entry) => entry.kind === "message");
    using person = new Person().will({ type: "Do it better" }).presses("Resend");
    await repair(thread, { verb: "resend", message: message?.id ?? "" });
    person.done();
    await finished(thread);
    await until("the run's answer is shown", () =>
      panel.session.entries.some((entry) => entry.kind === "message" && entry.text === "Do it better"),
    );
    const values = (await platform.state(thread.threadId))["values"]?.["messages"] as unknown as readonly {
      content: string;
    }[];
    equal(values[0]?.content, "Do it better");
    await until("nothing streams", () => panel.session.state.kind === "idle");
    const written = panel.session.entries.findLast(
      (entry) => entry.kind === "message" && entry.text === "write: done",
    );
    person.presses("Regenerate");
    await repair(thread, { verb: "regenerate", message: written?.id ?? "" });
    await finished(thread);
    match(person.told.at(-1) ?? "", /Runs again: write\./);
    deepEqual(await executions(thread), { ...once, write: 2, send: 2, close: 2 });
    equal(values.length, 9);
  });

  it("says what somebody else did meanwhile, and changes nothing", async () => {
    const thread = await failed("write");
    const run = () => platform.stream(thread.threadId, { assistant_id: "pipeline", input: null });
    using person = new Person();
    person.press = () => "Retry";
    const meanwhile = extension.sessions.changeCourse.bind(extension.sessions);
    Object.assign(extension.sessions, {
      changeCourse: async (...args: Parameters<typeof meanwhile>) => {
        await run();
        return meanwhile(...args);
      },
    });
    try {
      await repair(thread, { verb: "retry" });
    } finally {
      Reflect.deleteProperty(extension.sessions, "changeCourse");
    }
    match(person.told.at(-1) ?? "", /^Repair Thread: The thread went on meanwhile.* Nothing was done/);
    deepEqual(await executions(thread), { ...once, write: 2 });
  });

  it("asks by name on a protected connection, also for one step", async () => {
    const thread = await failed("write");
    const connection = extension.connections.get(connectionId)!;
    await extension.connections.update({ ...connection, protected: "word" });
    using person = new Person().will({ type: "Sample" });
    await repair(thread, { verb: "step" });
    person.done();
    match(person.asked[0]?.prompt ?? "", /Runs again: write.*type Sample and press Enter/s);
    await until("it stands before send", async () => String(await next(thread)) === "send");
  });

  /** A thread whose run failed at a step. */
  async function failed(at: string, times = 1): Promise<ThreadRef> {
    const threadId = await platform.thread({ title: "Nightly job" });
    const input = { ...say("Do it"), fail_at: at, fail_times: times };
    await platform.stream(threadId, { assistant_id: "pipeline", input });
    const thread: ThreadRef = {
      connectionId,
      server: { kind: "agentServer", url: platform.ready.deploymentUrl },
      threadId,
    };
    extension.threads.setTitle(thread, "Nightly job");
    return thread;
  }

  async function repair(thread: ThreadRef, action?: RepairAction): Promise<void> {
    await vscode.commands.executeCommand("agentOperations.thread.repair", {
      ...thread,
      ...(action && { action }),
    });
  }

  async function next(thread: ThreadRef): Promise<unknown> {
    return (await platform.state(thread.threadId))["next"];
  }

  async function finished(thread: ThreadRef): Promise<void> {
    const status = async () => (await platform.send("GET", `/threads/${thread.threadId}`)).body["status"];
    await until("the thread is finished", async () => is(await status(), "idle"));
  }

  async function executions(thread: ThreadRef): Promise<unknown> {
    return (await platform.state(thread.threadId))["values"]?.["executions"];
  }
});

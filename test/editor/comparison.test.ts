import { deepEqual, equal, fail, match, ok } from "node:assert/strict";
import * as vscode from "vscode";
import type { ComparisonPanel } from "../../src/editor/comparisons/comparisonPanel.ts";
import type { ThreadRef } from "../../src/editor/connections/connection.ts";
import { COMPARISON_PANEL } from "../../src/editor/kit/ids.ts";
import type { SideSums } from "../../src/run/compare/comparison.ts";
import type { RunPanel } from "../../src/editor/runPanel/runPanel.ts";
import { type LocalPlatform, say } from "../support/localPlatform.ts";
import { until } from "../support/until.ts";
import { connectPlatform, connectServer, type Extension } from "./extensionUnderTest.ts";
import { ManagedPlatform } from "./managedPlatform.ts";
import { useOwnPlatform } from "./ownPlatform.ts";
import { Person } from "./person.ts";

describe("Comparing runs and threads", () => {
  let extension: Extension;
  let platform: LocalPlatform;
  let connectionId: string;

  useOwnPlatform(async (own) => {
    ({ extension, platform } = own);
    ({ id: connectionId } = await connectServer(extension, "Sample", platform));
  });

  const server = () => ({ kind: "agentServer", url: platform.ready.deploymentUrl }) as const;

  async function thread(title: string, ...inputs: readonly object[]): Promise<ThreadRef> {
    const threadId = await platform.thread({ title });
    for (const input of inputs) await platform.stream(threadId, { assistant_id: "pipeline", input });
    const made = { connectionId, server: server(), threadId };
    extension.threads.setTitle(made, title);
    return made;
  }

  async function panelOf(made: ThreadRef): Promise<RunPanel> {
    const panel = extension.panels.open(made);
    const isRead = (): boolean => panel.session.state.kind === "idle" && runs(panel).length > 0;
    await until("the thread is read", isRead);
    await until("it is in front", () => panel.active);
    return panel;
  }

  async function settled(panel: ComparisonPanel | undefined): Promise<readonly string[]> {
    ok(panel, "no comparison");
    await until("both sides are read", () => {
      const { comparison, facts } = panel.shown;
      const { left, right } = comparison;
      return !facts.left.isLoading && !facts.right.isLoading && !left.isOn && !right.isOn && right.steps > 0;
    });
    return drawn(panel);
  }

  const failing = { ...say("Do it"), fail_at: "write", fail_times: 9 };

  it("aligns two threads, marks where they part, and opens the states of a step", async () => {
    const [well, failed] = [await thread("Well", say("Do it")), await thread("Failed", failing)];
    await command("begin", well, [well, failed]);
    const panel = extension.comparisons.all.at(-1);
    deepEqual(await settled(panel), [
      "* input input",
      ...[
        "= collect",
        "= check",
        "= reserve",
        "= charge",
        "status,errors,messages,state write",
        "< send",
        "< close",
      ],
    ]);
    const { left, right } = panel!.shown.facts;
    deepEqual([left.title, right.title, left.runs], ["Well", "Failed", "1 run"]);
    equal(right.where, "pipeline · Sample");
    const { rows } = panel!.shown.comparison;
    const charge = rows.find(({ name }) => name === "charge")!;
    await panel!.answer({ type: "openStates", left: charge.left?.id, right: charge.right?.id });
    const diff = await tabOf("After charge: Well ↔ Failed");
    const texts = await Promise.all(
      [diff.original, diff.modified].map(async (uri) =>
        (await vscode.workspace.openTextDocument(uri)).getText(),
      ),
    );
    deepEqual(
      texts.map((text) =>
        Object.keys((JSON.parse(text) as { values: { executions: object } }).values.executions),
      ),
      [0, 1].map(() => ["collect", "check", "reserve", "charge"]),
    );
    const send = rows.find(({ name }) => name === "send")!;
    await panel!.answer({ type: "openStates", left: send.left?.id });
    await tabOf("What send changed");
  });

  it("compares two runs of a thread, and says when that is deleted", async () => {
    const both = await thread("Tries", failing, { ...say("Do it"), fail_at: "none" });
    const front = await panelOf(both);
    const [, second] = runs(front);
    using person = new Person().will(
      ...[{ choose: "1. Do it" }, { choose: "Compare with…" }, { choose: "2. Do it" }],
    );
    await vscode.commands.executeCommand("agentOperations.run.actions");
    person.done();
    const panel = extension.comparisons.all.at(-1)!;
    const rows = await settled(panel);
    equal(rows[0], "* input input");
    ok(rows.includes("status,errors,messages,state write") && rows.includes("> send"), rows.join());
    deepEqual([panel.shown.facts.left.runs, panel.shown.facts.right.runs], ["run 1 of 2", "run 2 of 2"]);
    equal(panel.sides.right.compared.runId, second);
    const again = await reloaded(panel);
    deepEqual(await settled(again), rows);
    deepEqual([again.shown.facts.left.runs, again.shown.facts.right.runs], ["run 1 of 2", "run 2 of 2"]);
    await extension.threads.delete([both]);
    await until("it says so", () => again.shown.facts.left.notes.join().includes("was deleted"));
    deepEqual(drawn(again), rows);
  });

  it("closes a tab that comes back after nobody knows any more what it compared", async () => {
    const restored = vscode.window.createWebviewPanel(COMPARISON_PANEL, "restored", vscode.ViewColumn.Active);
    const closed = new Promise<void>((resolve) => restored.onDidDispose(() => resolve()));
    await extension.comparisons.deserializeWebviewPanel(restored, { panel: "unknown" });
    await closed;
  });

  it("compares with what was selected before, as files are", async () => {
    const [one, other] = [await thread("One", say("Do it")), await thread("Other", say("Do it"))];
    await command("select", one);
    await command("withSelected", other);
    const rows = await settled(extension.comparisons.all.at(-1));
    deepEqual(
      rows.filter((row) => !row.startsWith("= ")),
      [],
    );
  });

  it("has what each cost by the prices in the settings, as they are by now", async () => {
    const [one, other] = [await thread("One", say("Do it")), await thread("Other", say("Do it"))];
    await command("begin", one, [one, other]);
    const panel = extension.comparisons.all.at(-1)!;
    await settled(panel);
    const costs = () => [panel.shown.comparison.left, panel.shown.comparison.right].map(costOf);
    deepEqual(costs(), [undefined, undefined]);
    const front = await panelOf(one);
    const drawn = new Set<unknown>();
    for (const open of [front, panel]) Object.assign(open, { factsChanged: () => drawn.add(open) });
    const settings = vscode.workspace.getConfiguration("agentOperations");
    const { input, output } = panel.shown.comparison.left.spent.usage;
    await settings.update("prices", { sample: { input: 2, output: 5 } }, vscode.ConfigurationTarget.Global);
    try {
      const cost = (2 * input + 5 * output) / 1_000_000;
      await until("it costs something", () => costs().every((sum) => sum === cost));
      await until("what is open is drawn anew", () => drawn.size === 2);
    } finally {
      await settings.update("prices", undefined, vscode.ConfigurationTarget.Global);
    }
  });

  it("compares what came of runs on a server that tells no steps, and says so", async () => {
    const managed = new ManagedPlatform(platform);
    const { id } = await connectPlatform(extension, "Managed", platform);
    const threads = await Promise.all(
      ["echo", "approval"].map(async (sample): Promise<ThreadRef> => {
        const agent = await managed.agent(sample, sample);
        const { id: threadId } = await managed.spoken(agent);
        return { connectionId: id, server: { kind: "managedAgent", agentId: agent.id }, threadId };
      }),
    );
    await command("begin", threads[0], threads);
    const panel = extension.comparisons.all.at(-1)!;
    const isSaid = (): boolean => panel.shown.facts.left.notes.join("\n").includes("which steps ran");
    await until("it says so", isSaid);
    await until("both are read", () => /messages.* answer/.test(drawn(panel).join("\n")));
    equal(panel.shown.comparison.left.steps, 0);
  });

  it("gives a run's input to another agent and to the same one anew, and follows both", async () => {
    const front = await panelOf(await thread("Asked", say("Tell me")));
    using person = new Person().will({ choose: "echo" }, { choose: "There and here" });
    await command("sendInput", { runId: runs(front)[0] });
    person.done();
    const panel = extension.comparisons.all.at(-1)!;
    const rows = await settled(panel);
    equal(rows[0], "= input");
    ok(panel.shown.comparison.isForeign, rows.join());
    const { left, right } = panel.sides;
    const ids = [front.thread, left.thread, right.thread].map((one) => one?.threadId);
    equal(new Set(ids).size, 3);
    deepEqual(
      [panel.shown.comparison.left.status, panel.shown.comparison.right.status],
      ["success", "success"],
    );
    const again = await reloaded(panel);
    deepEqual(await settled(again), rows);
    equal(again.sides.right.thread?.threadId, ids[2]);
  });

  it("gives it to a managed agent, and back from there to an agent server", async () => {
    const managed = new ManagedPlatform(platform);
    const { id } = await connectPlatform(extension, "Managed", platform);
    const agent = await managed.agent("Echo of ours");
    const sent = async (front: RunPanel, ...deeds: readonly { readonly choose: string | RegExp }[]) => {
      using person = new Person().will(...deeds, { choose: "There only" });
      await command("sendInput", { runId: runs(front).at(-1) });
      person.done();
      const panel = extension.comparisons.all.at(-1)!;
      const { right } = panel.sides;
      const isOver = (): boolean =>
        panel.shown.facts.right.runs === "1 run" && !panel.shown.comparison.right.isOn;
      await until("it ran there", () => right.thread !== undefined && isOver());
      return right.thread!;
    };
    const front = await panelOf(await thread("Asked", say("Tell me twice")));
    const there = await sent(front, { choose: "A managed agent…" }, { choose: agent.name });
    deepEqual(there.server, { kind: "managedAgent", agentId: agent.id });
    equal(there.connectionId, id);
    const kept = await managed.api.threads.get(there.threadId);
    match(JSON.stringify(kept.values), /Tell me twice/);
    const first = extension.comparisons.all.at(-1)!;
    const back = await panelOf(there);
    const again = await sent(back, { choose: /Sample/ }, { choose: "echo" });
    equal(again.connectionId, connectionId);
    const restored = (await reloaded(first)).sides;
    deepEqual([restored.left.thread, restored.right.thread], [front.thread, there]);
  });

  /** The tab as the editor brings it back after a reload of the window. */
  async function reloaded(panel: ComparisonPanel): Promise<ComparisonPanel> {
    const { left, right } = panel.sides;
    const ids = [left, right].map(({ thread: shown }) => shown?.threadId);
    const kept = () =>
      extension.context.workspaceState
        .get<[id: string, Record<"left" | "right", { threadId?: string }>][]>("comparisons", [])
        .findLast(([, sides]) => sides.left.threadId === ids[0] && sides.right.threadId === ids[1])?.[0];
    await until("it is kept", () => kept() !== undefined);
    panel.close();
    const tab = vscode.window.createWebviewPanel(COMPARISON_PANEL, "restored", vscode.ViewColumn.Active);
    await extension.comparisons.deserializeWebviewPanel(tab, { panel: kept() });
    return extension.comparisons.all.at(-1) ?? fail("it did not come back");
  }
});

/** The diff that is in front, once it is there. */
async function tabOf(title: string): Promise<vscode.TabInputTextDiff> {
  const found = (): vscode.Tab | undefined =>
    vscode.window.tabGroups.all.flatMap(({ tabs }) => tabs).find(({ label }) => label === title);
  await until(`the tab ${title}`, () => found() !== undefined);
  const input = found()?.input;
  ok(input instanceof vscode.TabInputTextDiff, "no diff");
  return input;
}

function costOf({ spent }: SideSums): number | undefined {
  return spent.priced === 0 ? undefined : spent.cost;
}

function runs({ session }: RunPanel): readonly string[] {
  return session.entries.flatMap((entry) => (entry.kind === "run" ? entry.runId : []));
}

/** A row a line: what differs, and the step. */
function drawn(panel: ComparisonPanel): readonly string[] {
  const { rows, first } = panel.shown.comparison;
  return rows.map(({ kind, name, left, right, differs }, at) => {
    const sign = left === undefined ? ">" : right === undefined ? "<" : differs.join(",") || "=";
    return `${at === first ? "* " : ""}${sign} ${name === "" ? kind : name}`;
  });
}

async function command(verb: string, ...args: readonly unknown[]): Promise<void> {
  await vscode.commands.executeCommand(`agentOperations.comparison.${verb}`, ...args);
}

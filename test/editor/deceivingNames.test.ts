import { deepEqual } from "node:assert/strict";
import * as vscode from "vscode";
import { sampleEvent } from "../../src/api/issueWebhooks/sampleEvent.ts";
import { sign } from "../../src/api/issueWebhooks/signature.ts";
import { receiverUrl } from "../../src/editor/issues/localDeliveries.ts";
import { COMMANDS, VIEWS } from "../../src/editor/kit/ids.ts";
import type { NodeTree } from "../../src/editor/kit/tree/nodeTree.ts";
import type { TreeNode } from "../../src/editor/kit/tree/node.ts";
import { ChangedSite, deceiving } from "./changedSite.ts";
import { changingCommands, onLocalPlatform } from "./changingCommands.ts";
import { connectPlatform, extensionUnderTest, theExtension } from "./extensionUnderTest.ts";
import type { Extension } from "./extensionUnderTest.ts";
import { until } from "../support/until.ts";
import { Person } from "./person.ts";

/** Commands that name nothing, or name it only where this walk has no such thing; by their nouns. */
const nameless: Readonly<Record<string, readonly string[]>> = {
  connection: ["add"],
  localPlatform: ["start", "stop"],
  deployments: ["refresh", "filter", "clearFilter", "loadMore"],
  deployment: ["draft"],
  revisions: ["loadMore"],
  bulk: ["openReport"],
  comparison: ["begin", "select", "withSelected"],
  threads: ["search", "filter", "clearFilter", "toggleGrouping", "loadMore"],
  thread: ["openState", "search", "goToRun", "nextError", "nextQuestion", "timeline"],
  run: ["actions", "copyId", "copyCurl", "copyTypeScript", "copyPython", "openTrace"],
  input: ["save", "open"],
  agents: ["refresh", "filter", "sort", "clearFilter", "loadMore"],
  agentThreads: ["filter", "search", "clearFilter", "loadMore"],
  inbox: ["refresh", "loadMore", "group", "clearFilter", "preview", "next"],
  runPanel: ["focusComposer", "focusLastMessage", "stop"],
  failures: ["refresh", "markAllRead"],
  failure: ["markRead", "copy"],
  destinations: ["refresh"],
  destination: ["newDraft"],
  exportRun: ["copyFiles", "openFile"],
  issues: ["receive", "stopReceiving", "markAllRead"],
  issue: ["markRead"],
  webhook: ["add", "copyUrl", "sendSample", "explain"],
  revisionLog: ["follow", "pause", "filter"],
  activity: ["cancel", "clear"],
  agentFile: ["overwrite", "takeTheirs"],
  toolServers: ["refresh", "useTools", "clearPicks"],
  toolServer: ["cancelConnect", "copyAddress", "openAddress"],
  tool: ["togglePick", "openSchema"],
  graphs: [
    "start",
    "stop",
    "restart",
    "openLog",
    "openFile",
    "debug",
    "pauseOnExceptions",
    "doNotPauseOnExceptions",
    "deploy",
    "useRunning",
  ],
  graph: ["run", "debug", "open"],
  node: ["runTo", "debug"],
  log: ["show"],
  audit: ["open", "export"],
};

/** Waits for an end that nobody brings about here. */
const endless = "agentOperations.exportJob.watch";
/** They name nothing: one waits for a drawing, which no page makes here, and others leave rows out for good. */
const skipped = ["graphs.save", "connection.hide", "connection.showOnly", "connection.showAll"];
const mostQuestions = 6;

type Rows = ReadonlyMap<string, readonly TreeNode[]>;

// The questions before changes are walked by the test of protected connections, with such names, too.
describe("Names that deceive are shown as what they are", () => {
  let extension: Extension;
  let site: ChangedSite;

  before(async () => {
    extension = await theExtension();
    site = await ChangedSite.start(extension);
    await site.connect();
  });
  after(async () => {
    const { issueWebhooks } = extension;
    await issueWebhooks.remove(issueWebhooks.store.all);
    for (const { id } of issueWebhooks.subscriptions.list()) await issueWebhooks.subscriptions.remove(id);
    await issueWebhooks.stop();
    await extension.localPlatform.stop();
    // What the walk set stays behind otherwise.
    for (const name of ["threads.toggleGrouping", "agents.clearFilter"])
      await vscode.commands.executeCommand(`agentOperations.${name}`);
    await extension.inbox.arrange({});
    await site.remove();
  });

  it("in the questions, messages and progress of every command that changes nothing", async () => {
    await connectPlatform(extension, `Staging${deceiving}`, site.platform);
    await site.managedThread();
    await site.stoppedThread();
    await site.failedThreads();
    await site.revision();
    await site.stoppedChange();
    await site.toolServer();
    await site.export();
    await receiveIssue();
    const rows = await everyRow();
    const naming = new Set<string>();
    const deceptions: string[] = [];
    const walked = [...Object.keys(changingCommands), ...onLocalPlatform, ...skipped].map(
      (name) => `agentOperations.${name}`,
    );
    const commands = COMMANDS.filter((id) => !walked.includes(id));
    for (const command of commands) {
      for (const row of [undefined, ...rowsOf(command, rows)]) {
        using person = new Person().leavesFiles();
        person.browse = () => Promise.resolve(false);
        person.otherwise = ({ labels: [first] }) =>
          first === undefined || person.asked.length > mostQuestions ? "cancel" : { choose: first };
        const done = vscode.commands.executeCommand(command, ...(row === undefined ? [] : [row]));
        if (command === endless) await until("it names what it watches", () => person.seen.length > 0);
        else await done;
        if (person.seen.some(({ text }) => text?.includes("(bug)") === true)) naming.add(command);
        deceptions.push(...person.deceptions.map((text) => `${command}: ${text}`));
      }
    }
    const listed = Object.entries(nameless).flatMap(([noun, verbs]) =>
      verbs.map((verb) => `agentOperations.${noun}.${verb}`),
    );
    const unwalked = commands.filter((id) => !naming.has(id) && !listed.includes(id));
    const stale = listed.filter((id) => !(commands as readonly string[]).includes(id));
    deepEqual({ deceptions, unwalked, stale }, { deceptions: [], unwalked: [], stale: [] });
  });

  /** An issue with such a name, delivered for a subscription with such a name. */
  async function receiveIssue(): Promise<void> {
    const { issueWebhooks } = extension;
    await vscode.commands.executeCommand("agentOperations.issues.receive");
    const rule = { severity_threshold: 3, event_types: ["issue.created"] };
    const name = `Console${deceiving}`;
    const { id } = await issueWebhooks.subscriptions.add({ name, dialect: "standard", ...rule });
    const secret = "whsec_0123456789abcdef";
    await issueWebhooks.subscriptions.changeSecret(id, () => Promise.resolve(secret));
    const sample = sampleEvent("issue.created", 0);
    const event = { ...sample, data: { object: { ...sample.data.object, name: site.name("Leak") } } };
    const body = Buffer.from(JSON.stringify(event));
    const { state } = issueWebhooks;
    if (state.kind !== "receiving") throw new Error(`The receiver is ${state.kind}.`);
    const headers = { "x-service-signature": sign(secret, body) };
    await fetch(receiverUrl(state.port, id), { method: "POST", body, headers });
  }

  async function everyRow(): Promise<Rows> {
    const { deployments, agents, inbox, failures, destinations, issues, activity, toolServers } =
      extension.views;
    await extension.inbox.load(true);
    await vscode.commands.executeCommand("agentOperations.failures.focus");
    await vscode.commands.executeCommand("agentOperations.failures.refresh");
    issues.update();
    const trees = {
      deployments: deployments.platform.nodes,
      agents: agents.platform.nodes,
      toolServers: toolServers.platform.nodes,
      destinations: destinations.platform.nodes,
      inbox: inbox.polled.nodes,
      failures: failures.polled.nodes,
      issues: issues.nodes,
      activity: activity.nodes,
    } satisfies Record<keyof typeof VIEWS, NodeTree>;
    const views = Object.entries(trees).map(
      async ([name, tree]) => [VIEWS[name as keyof typeof VIEWS], await allRows(tree)] as const,
    );
    return new Map(await Promise.all(views));
  }
});

/** One row for each entry of the menus that has the command. */
function rowsOf(command: string, rows: Rows): readonly TreeNode[] {
  const { contributes } = extensionUnderTest().packageJSON as {
    readonly contributes: {
      readonly menus: Readonly<
        Record<string, readonly { readonly command: string; readonly when: string }[]>
      >;
    };
  };
  const entries = contributes.menus["view/item/context"] ?? [];
  const found = entries.flatMap(({ command: id, when }) => {
    const [, view] = /\bview == (\S+)/.exec(when) ?? [];
    const [, pattern] = /viewItem =~ \/(.*?)\/( |$)/.exec(when) ?? [];
    const [, exact = ""] = /viewItem == (\w+)/.exec(when) ?? [];
    const isMeant = (row: TreeNode): boolean => {
      const context = String(row.item().contextValue);
      return pattern === undefined ? context === exact : new RegExp(pattern).test(context);
    };
    if (id !== command) return [];
    const seen = [...rows].flatMap(([viewId, all]) => (view === undefined || view === viewId ? all : []));
    return seen.find(isMeant) ?? [];
  });
  return [...new Set(found)];
}

async function allRows(tree: NodeTree, above?: TreeNode): Promise<readonly TreeNode[]> {
  const rows: TreeNode[] = [];
  for (const row of await tree.getChildren(above)) rows.push(row, ...(await allRows(tree, row)));
  return rows;
}

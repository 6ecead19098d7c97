/** An agent beside one on another platform: compared, and given what a person chooses of it. */

import * as vscode from "vscode";
import type { ConnectionSetting } from "../../connections/connection.ts";
import { confirmAct } from "../../connections/guard.ts";
import type { AgentSnapshot } from "../../agents/files/agentStore.ts";
import { createOf, differences, type FileChange, updateOf } from "../../agents/files/agentTree.ts";
import { shownFolder } from "../../agents/files/agentUri.ts";
import {
  agentDifferences,
  copiedTree,
  promotedTree,
  settingsWords,
  toolServersOf,
  withChosen,
} from "../../agents/files/promotion.ts";
import type { NamedAgentRef } from "../../agents/listedAgent.ts";
import { askAbout } from "../../documents/lowerHalf.ts";
import { meant } from "../../kit/ask/meant.ts";
import { askChoice, askSeveral, type Choice } from "../../kit/ask/questions.ts";
import type { CommandsOf } from "../../kit/commands.ts";
import { showInformation } from "../../kit/notice.ts";
import { NotPossibleError } from "../../kit/remedies.ts";
import { counted, oneLine, withoutIcons } from "../../kit/words.ts";
import type { Services } from "../../services.ts";
import { chooseConnection } from "../connections/connectionChoice.ts";
import { chooseAgent } from "./agentChoice.ts";
import { warnLeftOut } from "./agentFolders.ts";

/** An agent as it was read for a comparison. */
interface Side extends AgentSnapshot {
  readonly ref: NamedAgentRef;
  /** "“Postman” on Staging". */
  readonly words: string;
  readonly folder: vscode.Uri;
}

const mostWords = 200;

/** The commands of two agents. */
export function agentPromotionCommands(services: Services) {
  return {
    "agentOperations.agent.compareWith": async (...args) => {
      const title = "Compare Agent with Another";
      const [first, second] = meant(args, "agentId") ?? [];
      const one = await chooseAgent(services, first ?? args[0], title);
      const other =
        second === undefined
          ? await chooseOther(services, one, title)
          : { ...second, name: second.name ?? second.agentId };
      await compare(services, one, other);
    },
    "agentOperations.agent.promote": async (node) => {
      const source = await chooseAgent(services, node, "Promote Agent");
      await promote(services, await sideOf(services, source));
    },
  } satisfies Partial<CommandsOf<"agent">>;
}

async function compare(services: Services, one: NamedAgentRef, other: NamedAgentRef): Promise<void> {
  const [left, right] = await Promise.all([sideOf(services, one), sideOf(services, other)]);
  const changes = agentDifferences(left.tree, right.tree);
  if (changes.length === 0)
    void showInformation(`${left.words} and ${right.words} have the same settings, files and tools.`);
  else await showSides(left, right, changes);
}

/** The target is shown beside what it gets; what it alone has stays unless it is ticked. */
async function promote(services: Services, source: Side): Promise<void> {
  const title = `Promote ${source.words}`;
  const connection = await chooseOtherPlatform(services, source.ref, title);
  const same = await chooseTarget(services, connection, source, title);
  warnLeftOut(source.leftOut);
  if (same === undefined) {
    await copyTo(services, connection, source);
    return;
  }
  const target = await sideOf(services, same);
  const promoted = promotedTree(source.tree, target.tree);
  const changes = differences(target.tree, promoted).filter(
    ({ path }) => !target.leftOut.some((file) => file.path === path),
  );
  if (changes.length === 0) {
    void showInformation(`${target.words} has all of ${source.words} already.`);
    return;
  }
  const choices = changes.map((value) => changeChoice(value, settingsWords(target.tree, promoted)));
  const placeholder = `What ${target.words} gets: ticked changes are written`;
  const chosen = await askAbout(
    sidesTitle(target, source),
    () => showSides(target, source, changes),
    () => askSeveral({ title }, choices, { placeholder }),
  );
  if (chosen.length === 0) throw new NotPossibleError("Nothing is ticked.", "Tick what is to be written.");
  const after = withChosen(target.tree, promoted, chosen);
  await confirmAct(connection, {
    name: target.agent.name,
    question: `Write ${counted(chosen.length, "change")} to ${target.words}?`,
    detail: [
      ...chosen.map(({ path, kind }) => `${path} (${kind})`),
      ...(await missingServers(services, connection, after)),
      `From ${source.words}. Its name and who may use it stay.`,
    ].join("\n"),
    verb: "Promote",
    always: true,
  });
  await services.agents.store.change(target.ref, (now) => {
    if (differences(target.tree, now.tree).length > 0) {
      throw new NotPossibleError(
        `${target.words} was changed while you looked at the changes. Nothing was written.`,
        "Promote again to see what changes now.",
      );
    }
    return updateOf(target.tree, after);
  });
  void showInformation(`${counted(chosen.length, "change")} of ${source.words} written to ${target.words}.`);
}

async function copyTo(services: Services, connection: ConnectionSetting, source: Side): Promise<void> {
  const { name } = source.agent;
  const tree = copiedTree(source.tree, name);
  await confirmAct(connection, {
    name,
    question: `Create the agent “${oneLine(name)}” on ${oneLine(connection.name)}?`,
    detail: [
      ...tree.keys(),
      ...(await missingServers(services, connection, tree)),
      `From ${source.words}. Who may use it starts fresh.`,
    ].join("\n"),
    verb: "Create",
    always: true,
  });
  const made = await services.agents.create(connection.id, createOf(tree));
  void showInformation(`“${made.name}” was created on ${connection.name}.`);
}

/** Tools that can't work there, since nobody registered their server. */
async function missingServers(
  { platforms }: Services,
  { id, name }: ConnectionSetting,
  tree: Side["tree"],
): Promise<readonly string[]> {
  const used = toolServersOf(tree);
  if (used.length === 0) return [];
  const { toolServers } = await platforms.managedAgents(id);
  const known = new Set((await toolServers.list()).map(({ url }) => url.replace(/\/+$/, "")));
  return used.flatMap((url) => (known.has(url) ? [] : [`${name} has no tool server at ${url}.`]));
}

function changeChoice(value: FileChange, settings: string): Choice<FileChange> {
  const icons = { added: "diff-added", changed: "diff-modified", deleted: "diff-removed" };
  const words = { added: "new there", changed: "differs", deleted: "only there: ticked, it is deleted" };
  const detail = settings.length > mostWords ? `${settings.slice(0, mostWords)}…` : settings;
  return {
    label: `$(${icons[value.kind]}) ${withoutIcons(value.path)}`,
    description: words[value.kind],
    ...(value.path === "agent.json" && detail !== "" && { detail: withoutIcons(detail) }),
    picked: value.kind !== "deleted",
    value,
  };
}

/** The editor's own view of several comparisons: the first agent on the left. */
async function showSides(left: Side, right: Side, changes: readonly FileChange[]): Promise<void> {
  const resources = changes.map(({ path }) => {
    const [before, after] = [left, right].map(({ folder, tree }) =>
      tree.has(path) ? vscode.Uri.joinPath(folder, path) : undefined,
    );
    return [after ?? before, before, after];
  });
  await vscode.commands.executeCommand("vscode.changes", sidesTitle(left, right), resources);
}

function sidesTitle(left: Side, right: Side): string {
  return `${left.words} ↔ ${right.words}`;
}

async function sideOf({ agents, connections, platforms }: Services, ref: NamedAgentRef): Promise<Side> {
  const snapshot = await agents.store.fetch(ref);
  const { name } = snapshot.agent;
  const connectionName = connections.get(ref.connectionId)?.name ?? ref.connectionId;
  const words = `“${oneLine(name)}” on ${oneLine(connectionName)}`;
  return { ...snapshot, ref, words, folder: shownFolder(platforms, { ...ref, name }) };
}

async function chooseOther(services: Services, one: NamedAgentRef, title: string): Promise<NamedAgentRef> {
  const { id: connectionId } = await chooseConnection(services, undefined, {
    title,
    placeholder: "On which platform is the other one?",
    accept: ({ id }) => services.platforms.list().some((platform) => platform.id === id),
  });
  const same = connectionId === one.connectionId ? [] : await namesakes(services, connectionId, one.name);
  return same.length === 1 && same[0] !== undefined
    ? same[0]
    : chooseAgent(services, { connectionId }, title);
}

async function chooseOtherPlatform(
  services: Services,
  { connectionId }: NamedAgentRef,
  title: string,
): Promise<ConnectionSetting> {
  const others = services.platforms.list().filter(({ id }) => id !== connectionId);
  return chooseConnection(services, undefined, {
    title,
    placeholder: "To which platform?",
    accept: (one) => others.some(({ id }) => id === one.id),
    none: "There is no other connection to a platform.",
    alwaysAsk: true,
  });
}

/** The agent there that is called the same, another one, or a new one (undefined). */
async function chooseTarget(
  services: Services,
  { id: connectionId, name: connectionName }: ConnectionSetting,
  { agent: { name } }: Side,
  title: string,
): Promise<NamedAgentRef | undefined> {
  const same = await namesakes(services, connectionId, name);
  const choices: readonly Choice<NamedAgentRef | "new" | "another">[] = [
    ...same.map((value) => ({
      label: withoutIcons(value.name),
      description: `is on ${withoutIcons(connectionName)}`,
      detail: value.agentId,
      value,
    })),
    { label: `$(add) A new agent on ${withoutIcons(connectionName)}`, value: "new" },
    { label: "$(search) Another agent…", value: "another" },
  ];
  const chosen = await askChoice({ title }, choices, { placeholder: "Which agent gets it?" });
  if (chosen === "new") return undefined;
  return chosen === "another" ? chooseAgent(services, { connectionId }, title) : chosen;
}

async function namesakes(
  { platforms }: Services,
  connectionId: string,
  name: string,
): Promise<readonly NamedAgentRef[]> {
  const { agents } = await platforms.managedAgents(connectionId);
  const { items } = await agents.page({ name, page_size: 50 });
  return items
    .filter((item) => item.name === name)
    .map((item) => ({ connectionId, agentId: item.id, name: item.name }));
}

/** Two runs or threads beside each other: another one is chosen, was selected before, or is made with the same input. */

import type { RunCreate } from "../../../api/agentServer/wire.ts";
import { newestRuns } from "../../../run/session/server.ts";
import type { Compared } from "../../comparisons/comparedSide.ts";
import type { Comparisons } from "../../comparisons/comparisons.ts";
import {
  type AgentServerRef,
  threadOf,
  type ThreadRef,
  type ThreadTarget,
} from "../../connections/connection.ts";
import { confirmOnEach } from "../../connections/guard.ts";
import { type ConnectedServer, isSameServer, isSameThread } from "../../connections/serverRef.ts";
import { rowsMeant } from "../../kit/ask/meant.ts";
import { askChoice, type Choice } from "../../kit/ask/questions.ts";
import type { CommandsOf } from "../../kit/commands.ts";
import { NotPossibleError } from "../../kit/remedies.ts";
import { localTime, oneLine, withoutIcons } from "../../kit/words.ts";
import type { RunPanel } from "../../runPanel/runPanel.ts";
import type { RunPanels } from "../../runPanel/runPanels.ts";
import type { Services } from "../../services.ts";
import { chooseAgent as chooseManagedAgent } from "../agents/agentChoice.ts";
import { inputAgain, newestInput, panelIn, runIdIn } from "./run.ts";
import { chooseRun, runChoices } from "./runChoice.ts";
import { chooseServer, chooseThread } from "./threadChoice.ts";

/** What the commands work with. */
interface ComparisonSurfaces {
  readonly comparisons: Comparisons;
  readonly panels: RunPanels;
}

const title = "Compare";
const sendTitle = "Send Same Input";
const longestShown = 300;

/** Started on a run of the transcript, or on rows of threads. */
export function commands(services: Services, surfaces: ComparisonSurfaces): CommandsOf<"comparison"> {
  const { comparisons, panels } = surfaces;
  return {
    "agentOperations.comparison.begin": async (...args) => {
      const [one, other, ...more] = await meantSides(panels, args);
      if (one === undefined) return;
      if (more.length > 0)
        throw new NotPossibleError("Two threads are compared at a time.", "Select two of them.");
      comparisons.open(one, other ?? (await chooseOther(services, surfaces, one)));
    },
    "agentOperations.comparison.select": async (...args) => {
      const [one] = await meantSides(panels, args);
      if (one !== undefined) comparisons.select(one);
    },
    "agentOperations.comparison.withSelected": async (...args) => {
      const [one] = await meantSides(panels, args);
      const { selected } = comparisons;
      if (selected === undefined)
        throw new NotPossibleError("Nothing is selected to be compared.", "Use Select for Compare first.");
      if (one !== undefined) comparisons.open(selected, one);
    },
    "agentOperations.comparison.sendInput": async (value) => {
      const front = panelIn(panels);
      await sendInput(services, comparisons, front, runIdIn(value) ?? newestInput(front));
    },
  };
}

/** The run that the page's menu names, the rows that are meant, or a run of the panel in front that is asked for. */
async function meantSides(panels: RunPanels, args: readonly unknown[]): Promise<readonly Compared[]> {
  const runId = runIdIn(args[0]);
  const rows = runId === undefined ? rowsMeant(args, threadOf, []) : undefined;
  if (rows !== undefined) return rows.map((target) => ({ target }));
  const front = panelIn(panels);
  return [{ target: threadIn(front), runId: runId ?? (await runOf(front)) }];
}

async function runOf(panel: RunPanel): Promise<string | undefined> {
  const entryId = await chooseRun(panel, title);
  return panel.session.entries.find(({ id }) => id === entryId)?.runId;
}

function threadIn({ thread }: RunPanel): ThreadRef {
  if (thread !== undefined) return thread;
  throw new NotPossibleError("This thread has no runs yet.", "Write a message and run it.");
}

type Other = "selected" | "thread" | { readonly entry: string };

/** A run of the same thread, the one that was selected before, or another thread, or a run of it. */
async function chooseOther(
  services: Services,
  { comparisons, panels }: ComparisonSurfaces,
  { target, runId }: Compared,
): Promise<Compared> {
  const { selected } = comparisons;
  const panel =
    runId === undefined ? undefined : panels.all.find(({ thread }) => thread && isSameThread(thread, target));
  const isOther = ({ value }: Choice<string>): boolean =>
    panel?.session.entries.find(({ id }) => id === value)?.runId !== runId;
  const isNew =
    selected !== undefined && !(isSameThread(selected.target, target) && selected.runId === runId);
  const runs = panel === undefined ? [] : runChoices(panel).filter(isOther);
  const choices: readonly Choice<Other>[] = [
    ...(isNew ? [{ label: `Selected: ${nameOf(services, selected)}`, value: "selected" as const }] : []),
    ...runs.map((choice) => ({ ...choice, value: { entry: choice.value } })),
    { label: "Another thread…", value: "thread" },
  ];
  const chosen: Other =
    choices.length === 1
      ? "thread"
      : await askChoice({ title }, choices, { placeholder: "With what is it compared?" });
  if (chosen === "selected" && selected !== undefined) return selected;
  if (typeof chosen === "object")
    return { target, runId: panel?.session.entries.find(({ id }) => id === chosen.entry)?.runId };
  const thread = await chooseThread(services, title);
  return { target: thread, runId: runId === undefined ? undefined : await chooseRunOf(services, thread) };
}

function nameOf({ threads }: Services, { target, runId }: Compared): string {
  const { threadId } = target;
  const name = threadId === undefined ? "new thread" : threads.titleOf({ ...target, threadId });
  return withoutIcons(runId === undefined ? name : `a run of ${name}`);
}

/** The only run of a thread, else one that a person chooses. */
async function chooseRunOf(services: Services, thread: ThreadRef): Promise<string> {
  const server = services.threadHosts.of(thread).runs;
  const { signal } = new AbortController();
  const { runs } = await newestRuns({ server, threadId: thread.threadId, signal });
  const [only, ...others] = runs;
  if (only === undefined)
    throw new NotPossibleError("That thread has no runs.", "Choose a thread in which something ran.");
  if (others.length === 0) return only.run_id;
  const choices = runs.map((run, at) => ({
    label: `${String(at + 1)}. ${localTime(run.created_at)}`,
    description: run.status,
    value: run.run_id,
  }));
  return askChoice({ title }, choices.reverse(), {
    placeholder: "A run of that thread, the newest first",
  });
}

/** Gives a run's input to another agent, and to the same one anew if wanted; both are compared as they go. */
async function sendInput(
  services: Services,
  comparisons: Comparisons,
  front: RunPanel,
  runId: string,
): Promise<void> {
  const body = await inputAgain(services, front, runId);
  const { server, assistantId, name } = await chooseWhere(services, front, body);
  const isBoth = await askChoice(
    { title: sendTitle },
    [
      { label: "There only", detail: "What comes of it is compared with this run.", value: false },
      { label: "There and here", detail: "Both run it in new threads, beside each other.", value: true },
    ],
    { placeholder: "Where is it run?" },
  );
  const { connections } = services;
  const targets = [server, ...(isBoth ? [front.target] : [])];
  await confirmOnEach(
    targets.map(({ connectionId }) => connections.resolve(connectionId)),
    {
      question: `Send this input to ${name}?`,
      detail: oneLine(JSON.stringify(body.input)).slice(0, longestShown),
      verb: "Send",
      always: false,
    },
  );
  const fresh = ({ connectionId, server: where }: ThreadTarget): Compared => ({
    target: { connectionId, server: where },
  });
  const panel = comparisons.open(
    isBoth ? fresh(front.target) : { target: threadIn(front), runId },
    fresh(server),
  );
  // What one agent was given beside its input is not sent to another.
  const isSame = assistantId === body.assistant_id;
  const there: RunCreate = isSame ? body : { assistant_id: assistantId, input: body.input ?? null };
  try {
    await Promise.all([...(isBoth ? [panel.start("left", body)] : []), panel.start("right", there)]);
  } catch (error) {
    if (!isBoth) panel.close();
    throw error;
  }
}

/** Who is to run it. */
interface ChosenAgent {
  readonly server: ConnectedServer;
  readonly assistantId: string;
  /** For a person. */
  readonly name: string;
}

/** An agent of an agent server, or a managed agent. */
async function chooseWhere(services: Services, front: RunPanel, body: RunCreate): Promise<ChosenAgent> {
  const managed = {
    ...{ label: "A managed agent…", value: "managed" as const },
    detail: "It takes messages; anything else of the input is the platform's to refuse.",
  };
  const others = services.platforms.list().length === 0 ? [] : [managed];
  const server = await chooseServer(services, sendTitle, others);
  if (server === "managed") {
    const { connectionId, agentId, name } = await chooseManagedAgent(services, undefined, sendTitle);
    const there = { connectionId, server: { kind: "managedAgent", agentId } } as const;
    return { server: there, assistantId: agentId, name: `“${name}”` };
  }
  const isHere = isSameServer(server, front.target);
  const assistantId = await chooseAgent(services, server, isHere ? body.assistant_id : undefined);
  return { server, assistantId, name: `“${assistantId}” of ${server.name}` };
}

/** An agent of the server; the same one is marked. */
async function chooseAgent(
  services: Services,
  server: AgentServerRef,
  same: string | undefined,
): Promise<string> {
  const { assistants } = await services.threadHosts.of(server).facts(undefined, {});
  const [only, ...others] = assistants;
  if (only === undefined)
    throw new NotPossibleError(`${server.name} has no agent.`, "Choose another server.");
  if (others.length === 0) return only.id;
  const choices = assistants.map(({ id, name }) => ({
    label: withoutIcons(name),
    description: id === same ? "ran it before" : "",
    value: id,
  }));
  return askChoice({ title: sendTitle }, choices, { placeholder: `Which agent of ${server.name}?` });
}

/** Writing a state that was edited: as which node's result, after saying what runs next, and what the graph made of it. */

import * as vscode from "vscode";
import type { ThreadState } from "../../../api/agentServer/wire.ts";
import { checkpointIn } from "../../../run/history/pages.ts";
import { nextNodes, nodesOf } from "../../../run/repair/graph.ts";
import { forkPlan } from "../../../run/repair/plan.ts";
import { readPosition, type ThreadPosition } from "../../../run/repair/threadPosition.ts";
import { keysThatDiffer, readEdit } from "../../../run/repair/stateEdit.ts";
import { problemLine } from "../../../run/schema/problems.ts";
import type { ThreadRef } from "../../connections/connection.ts";
import { askChoice } from "../../kit/ask/questions.ts";
import type { CommandId } from "../../kit/ids.ts";
import { showWarning } from "../../kit/notice.ts";
import { NotPossibleError } from "../../kit/remedies.ts";
import type { Services } from "../../services.ts";
import { changeCourse } from "../../threads/course/courseChange.ts";
import type { StateSchema } from "./stateSchema.ts";

/** A text that is to become the state after a checkpoint. */
export interface StateToWrite {
  readonly thread: ThreadRef;
  readonly checkpointId: string;
  /** As it was read. */
  readonly state: ThreadState;
  readonly schema: StateSchema;
  readonly text: string;
}

/** Forks the thread; throws CancellationError where a person leaves a question, and what keeps it from being done. */
export async function writeState(
  services: Services,
  { thread, checkpointId, state, schema, text }: StateToWrite,
): Promise<void> {
  const edit = readEdit(state.values, text);
  if ("problem" in edit)
    throw new NotPossibleError(edit.problem, "Nothing was written: correct it, and save again.");
  const refused = schema.problems(edit.whole);
  const [first] = typeof refused === "string" ? [] : refused;
  if (first !== undefined)
    throw new NotPossibleError(
      `The state's schema refuses this: ${problemLine(first, "the state")}.`,
      "Nothing was written: correct it, and save again.",
    );
  const server = services.threadHosts.of(thread).runs;
  const { signal } = new AbortController();
  const course = { server, threadId: thread.threadId, signal };
  const position = await readPosition(course, (one) => checkpointIn(one) === checkpointId);
  const changed = Object.keys(edit.values);
  const asNode = changed.length === 0 ? undefined : await askNode(position, checkpointId);
  const values = changed.length === 0 ? null : edit.values;
  const plan = forkPlan(position, state, { checkpointId, values, asNode });
  const lines = [
    changed.length === 0 ? "The state stays as it was." : `Changed: ${changed.join(", ")}.`,
    typeof refused === "string" ? `${refused} It was not checked.` : "",
  ];
  const name = "Write this state and go on from there";
  const change = { plan, name, verb: "Write and Run", note: lines.filter((line) => line !== "").join("\n") };
  await changeCourse(services, thread, change, (now) => isMeant(keysThatDiffer(edit.whole, now.values), now));
  const open: CommandId = "agentOperations.thread.open";
  await vscode.commands.executeCommand(open, thread);
}

/** Whose result it is to be decides what runs next. */
async function askNode(
  { checkpoints, graph }: ThreadPosition,
  checkpointId: string,
): Promise<string | undefined> {
  const before = checkpoints.get(checkpoints.get(checkpointId)?.parentId ?? "");
  const ran = before?.tasks.map(({ node }) => node) ?? [];
  const nodes = graph === undefined ? ran : [...ran, ...nodesOf(graph).filter((node) => !ran.includes(node))];
  const input = graph === undefined ? [] : ["__start__"];
  const ordered = before?.source === "input" ? [...input, ...nodes] : [...nodes, ...input];
  const choices = [...new Set(ordered)].map((node) => {
    const next = graph === undefined ? [] : nextNodes(graph, node);
    return {
      label: node === "__start__" ? "As a new input" : `As the result of “${node}”`,
      description: next.length === 0 ? "nothing runs then" : `then ${next.join(", ")}`,
      ...(ran.includes(node) && { detail: "It ran right before this state." }),
      value: node,
    };
  });
  if (choices.length === 0) return undefined;
  return askChoice({ title: "Write State" }, choices, { placeholder: "As whose result is it written?" });
}

/** A graph may merge what is written into what it has. */
async function isMeant(keys: readonly string[], { next }: ThreadState): Promise<boolean> {
  if (keys.length === 0) return true;
  const what = keys.map((key) => `“${key}”`).join(", ");
  const run = "Run All the Same";
  const detail = `The graph merges what is written there into what it has. The state is written, and is the thread's newest now: open it to see what it has become. Next would run ${next.join(", ")}.`;
  return (await showWarning(`${what} is not what you wrote.`, { modal: true, detail }, run)) === run;
}

/** Clones a thread to any server: which graph runs it there, what is left out, and what is made, before it is made. */

import { type ClonePlan, nodesWritten, planClone, writeClone } from "../../../run/repair/clone.ts";
import { nodesOf } from "../../../run/repair/graph.ts";
import type { RunServer } from "../../../run/session/server.ts";
import type { AgentServerRef, ThreadRef } from "../../connections/connection.ts";
import { confirmAct } from "../../connections/guard.ts";
import { askChoice, askText } from "../../kit/ask/questions.ts";
import { abortable, showWarning } from "../../kit/notice.ts";
import { NotPossibleError } from "../../kit/remedies.ts";
import { counted, withoutIcons } from "../../kit/words.ts";
import type { RunPanels } from "../../runPanel/runPanels.ts";
import type { Services } from "../../services.ts";
import { chooseAgentServer } from "./threadChoice.ts";

const title = "Clone Thread";
const reading = "Reading the thread's steps";

/** Asks where to, as which graph and without what; tells what that means, makes it and opens it. */
export async function cloneThread(services: Services, panels: RunPanels, thread: ThreadRef): Promise<void> {
  const { connections, threadHosts, threads } = services;
  const { threadId } = thread;
  const from = threadHosts.of(thread).runs;
  const read = (keys: readonly string[]): Promise<ClonePlan> =>
    abortable(reading, (signal) => planClone({ server: from, threadId, signal }, keys));
  const whole = await read([]);
  const target = await chooseAgentServer(services, title);
  const { runs: to } = threadHosts.of(target);
  const graphId = await chooseGraph(services, target, to, whole);
  const keys = await askKeys();
  const plan = keys.length === 0 ? whole : await read(keys);
  const name = threads.titleOf(thread);
  await confirmAct(connections.resolve(target.connectionId), {
    question: `Clone “${name}” to ${target.name}?`,
    detail: detailOf(plan, graphId),
    verb: "Clone",
    always: true,
  });
  const made = await abortable("Making the clone", (signal) =>
    writeClone({ server: to, signal }, plan, graphId),
  );
  const { connectionId, server } = target;
  const clone: ThreadRef = { connectionId, server, threadId: made.threadId };
  threads.setTitle(clone, name);
  threads.copied(thread, clone);
  panels.open(clone);
  const onlyNewest = `${target.name} takes no steps: the clone has the newest state alone.`;
  const differs = `${counted(made.different, "state")} of the clone ${made.different === 1 ? "is" : "are"} not as in the thread: the graph there merges what it is given in another way.`;
  const said = [made.onlyNewest ? onlyNewest : "", made.different > 0 ? differs : ""].filter(
    (text) => text !== "",
  );
  if (said.length > 0) await showWarning(said.join(" "));
}

/** A graph of the target that has the steps of the thread. */
async function chooseGraph(
  services: Services,
  target: AgentServerRef,
  to: RunServer,
  plan: ClonePlan,
): Promise<string> {
  if (to.threads.update === undefined || to.assistants === undefined)
    throw new NotPossibleError(
      `${target.name} takes no states: a thread can't be made there with a history.`,
      "Choose an agent server.",
    );
  const client = services.agentServers.client(target);
  const found = await client.assistants.search({});
  const graphs = [...new Set(found.map(({ graph_id: graph }) => graph))];
  const { graphId: same } = plan;
  const isThere = same !== undefined && graphs.includes(same);
  if (graphs.length === 0)
    throw new NotPossibleError(
      `${target.name} has no graph that could run the thread.`,
      "Choose another server.",
    );
  const choices = graphs
    .toSorted((one, other) => Number(other === same) - Number(one === same))
    .map((graph) => ({
      label: withoutIcons(graph),
      description: graph === same ? "the same name" : "",
      value: graph,
    }));
  const placeholder = isThere
    ? `Which graph of ${target.name} goes on with it?`
    : `${target.name} has no graph “${same ?? "?"}”: which one takes its place?`;
  const graph = await askChoice({ title }, choices, { placeholder });
  const nodes = nodesOf(await client.assistants.graph(graph));
  const missing = nodesWritten(plan).filter((node) => !nodes.includes(node));
  if (missing.length > 0)
    throw new NotPossibleError(
      `The graph “${graph}” of ${target.name} has no step ${missing.map((node) => `“${node}”`).join(", ")}, which the thread went through. Nothing was written.`,
      `Its steps are ${nodes.join(", ")}.`,
    );
  return graph;
}

async function askKeys(): Promise<readonly string[]> {
  const typed = await askText(
    { title },
    {
      prompt: "Keys whose values are not to leave, wherever they stand in the states. Nothing for none.",
      placeholder: "email, phone",
    },
  );
  return [...new Set(typed.split(/[\s,]+/).filter((key) => key !== ""))];
}

function detailOf({ supersteps, length, leftOut }: ClonePlan, graphId: string): string {
  const kilobytes = Math.max(1, Math.round(length / 1000));
  return [
    `It is made with ${counted(supersteps.length, "step")} of the graph “${graphId}”, ${String(kilobytes)} kB. No step is run.`,
    `Left out: ${leftOut.join(" ")}`,
  ].join("\n");
}

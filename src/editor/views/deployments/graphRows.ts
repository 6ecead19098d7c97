/** The graphs of an agent server, as its assistants: below its row, in its order; a click begins a thread with one. */

import { refusesKey } from "../../../api/advice.ts";
import type { AgentServer } from "../../../api/agentServer/index.ts";
import type { Assistant } from "../../../api/agentServer/wire.ts";
import type { ThreadTarget } from "../../connections/connection.ts";
import type { CommandId } from "../../kit/ids.ts";
import { BranchNode } from "../../kit/tree/branchNode.ts";
import type { NodeHost, TreeNode } from "../../kit/tree/node.ts";
import type { Row } from "../../kit/tree/rowItem.ts";
import { dotted } from "../../kit/words.ts";
import type { ThreadListing } from "../../threads/threadListing.ts";

/** An assistant of a server: what a new thread is begun with. */
type AssistantTarget = Pick<ThreadTarget, "connectionId" | "server" | "assistantId">;

/** More rows than that help nobody: the run panel finds an assistant by its name. */
const most = 1000;

/**
 * The row below which they hang; they are asked for when it is opened. None where the server refuses the key: its list of
 * threads says so, and no graph can be used before that is mended.
 */
export function graphRows(
  parent: TreeNode,
  { ref: { connectionId, server }, failure }: ThreadListing,
  { assistants }: AgentServer,
  host: NodeHost,
): readonly BranchNode<AssistantTarget>[] {
  if (failure !== undefined && refusesKey(failure.error)) return [];
  const ref = { connectionId, server };
  const load = async (branch: TreeNode, signal: AbortSignal): Promise<readonly TreeNode[]> => {
    const rows: TreeNode[] = [];
    for await (const assistant of assistants.list({}, { signal })) {
      const { assistant_id: assistantId } = assistant;
      const target: AssistantTarget = { ...ref, assistantId };
      const id = `${branch.id}/${assistantId}`;
      rows.push(
        new BranchNode({ id, parent: branch, ref: target, row: () => assistantRow(assistant, target) }, host),
      );
      if (rows.length === most) break;
    }
    return rows;
  };
  const row = (): Row => ({ label: "Graphs", icon: "type-hierarchy", contextValue: "assistants" });
  return [new BranchNode({ id: `assistants:${parent.id}`, parent, ref, row, load }, host)];
}

function assistantRow(
  { name, graph_id: graph, description, assistant_id: id, version }: Assistant,
  target: AssistantTarget,
): Row {
  const label = name ?? graph;
  const command: CommandId = "agentOperations.thread.new";
  const changed = version === undefined || version <= 1 ? "" : `version ${String(version)}`;
  return {
    label,
    description: dotted([label === graph ? "" : graph, changed, description ?? ""]),
    icon: "hubot",
    contextValue: "assistant",
    tooltip: [label, description ?? "", id].filter((line) => line !== "").join("\n"),
    command: { command, title: "New Thread", arguments: [target] },
    spoken: `Graph ${label}, starts a thread`,
  };
}

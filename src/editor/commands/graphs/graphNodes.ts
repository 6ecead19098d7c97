/** What is started from the source of a node: a run up to it, or the debugger in it. */

import * as vscode from "vscode";
import { isGone } from "../../../api/errors.ts";
import type { RunCreate } from "../../../api/agentServer/wire.ts";
import { isObject } from "../../../api/shape.ts";
import { bodyAgain } from "../../../run/session/runBody.ts";
import { threadOf, type ThreadRef } from "../../connections/connection.ts";
import { serverKey } from "../../connections/serverRef.ts";
import { hasTexts, textIn } from "../../kit/ask/meant.ts";
import type { CommandsOf } from "../../kit/commands.ts";
import type { CommandId } from "../../kit/ids.ts";
import { showInformation } from "../../kit/notice.ts";
import { NotPossibleError } from "../../kit/remedies.ts";
import { oneLine } from "../../kit/words.ts";
import type { RunPanels } from "../../runPanel/runPanels.ts";
import type { Services } from "../../services.ts";
import { newThreadOf, startProject } from "./graphs.ts";

/** A node as its lens names it. */
interface NodeRef {
  readonly connectionId: string;
  readonly graph: string;
  readonly node: string;
}

/** The commands are started by lenses alone. */
export function commands(services: Services, { panels }: { readonly panels: RunPanels }): CommandsOf<"node"> {
  const projectOf = ({ connectionId }: NodeRef) => {
    const project = services.workspaceGraphs.project(connectionId);
    if (project !== undefined) return project;
    throw new NotPossibleError("The workspace has no such langgraph.json any more.", "Open its folder.");
  };
  return {
    "agentOperations.node.runTo": async (value) => {
      const ref = nodeIn(value);
      const { connectionId, graph, node } = ref;
      await startProject(services, projectOf(ref));
      const thread = threadOf(isObject(value) ? value["thread"] : undefined);
      const body = thread && (await inputOf(services, thread, textIn(value, "runId")));
      if (body !== undefined) {
        const { assistant_id: assistantId } = body;
        const server = { kind: "workspaceGraphs" } as const;
        const panel = panels.openNew({ connectionId, server, assistantId }, vscode.ViewColumn.Beside);
        await panel.run({ ...body, interrupt_before: [node], interrupt_after: [] });
        return;
      }
      const target = await newThreadOf(services, connectionId, graph);
      services.agentOptions.change(`${serverKey(target)} ${target.assistantId}`, { interruptBefore: node });
      panels.openNew(target, vscode.ViewColumn.Beside);
      void showInformation(
        `Write an input and run it: it stops before “${oneLine(node)}”, which is set in the options as a breakpoint.`,
      );
    },
    "agentOperations.node.debug": async (value) => {
      const { connectionId, graph } = nodeIn(value);
      const at = isObject(value) ? value["at"] : undefined;
      if (!(at instanceof vscode.Location)) throw noNode();
      const line = at.range.start.line;
      const isSet = vscode.debug.breakpoints.some(
        (one) =>
          one instanceof vscode.SourceBreakpoint &&
          one.location.uri.toString() === at.uri.toString() &&
          one.location.range.start.line === line,
      );
      if (!isSet) vscode.debug.addBreakpoints([new vscode.SourceBreakpoint(at)]);
      const command: CommandId = "agentOperations.graph.debug";
      await vscode.commands.executeCommand(command, { connectionId, graph });
    },
  };
}

function nodeIn(value: unknown): NodeRef {
  if (hasTexts(value, "connectionId", "graph", "node")) return value;
  throw noNode();
}

function noNode(): NotPossibleError {
  return new NotPossibleError("No node of a graph was chosen.", "Use the line above a node in its source.");
}

/** What a run was given, to be run again; undefined where its server does not know it, or it answered a question. */
async function inputOf(
  { threadHosts }: Services,
  thread: ThreadRef,
  runId = "",
): Promise<RunCreate | undefined> {
  const { runs } = threadHosts.of(thread).runs;
  try {
    const body = bodyAgain(await runs.get(thread.threadId, runId, {}));
    return body?.command === undefined ? body : undefined;
  } catch (error) {
    if (isGone(error)) return undefined;
    throw error;
  }
}

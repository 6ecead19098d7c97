/** The addresses of documents that show a thread's state, and what their tabs are called. */

import * as vscode from "vscode";
import type { OutcomeField, StepCheckpoints, StepOutcome } from "../../run/panel/transcript.ts";
import type { ThreadRef } from "../connections/connection.ts";
import { serverFromText, serverText } from "../connections/serverRef.ts";
import { SCHEME } from "../kit/ids.ts";
import { titleOnTab } from "../threads/servers/threadTitle.ts";

/** The state that a document shows: the newest, or that of a checkpoint. */
export interface StateOfThread {
  readonly thread: ThreadRef;
  readonly checkpointId?: string | undefined;
  /** The namespace of the subgraph whose checkpoint it is. */
  readonly checkpointNs?: string | undefined;
  /** Of how its tasks ended only this; the whole state otherwise. */
  readonly outcome?: StepOutcome | undefined;
}

/** The addresses that `threadStateUri` makes. */
const statePaths = /^\/([^/]+)\/([^/]+)\/threads\/([^/]+)\/state(?:s\/([^/]+))?\/[^/]+\.json$/;

/**
 * `agent-operations:/<connection>/<server>/threads/<thread>/state/<name>.json`, or `…/states/<checkpoint>/<name>.json`;
 * ids are percent-encoded. The tab shows the name: which state of which thread. The query names the subgraph, and
 * which part of how its tasks ended is shown.
 */
export function threadStateUri(
  { thread, checkpointId, checkpointNs, outcome }: StateOfThread,
  name: string,
): vscode.Uri {
  const { connectionId, server, threadId } = thread;
  const ids = [connectionId, serverText(server), threadId].map(encodeURIComponent);
  const [connection = "", serverPart = "", threadPart = ""] = ids;
  const state = checkpointId === undefined ? "state" : `states/${encodeURIComponent(checkpointId)}`;
  const path = `/${connection}/${serverPart}/threads/${threadPart}/${state}/${fileName(name)}.json`;
  const query = new URLSearchParams({
    ...(checkpointNs !== undefined && checkpointNs !== "" && { ns: checkpointNs }),
    ...(outcome !== undefined && { task: outcome.taskId, fields: outcome.fields.join(" ") }),
  });
  return vscode.Uri.from({ scheme: SCHEME, path, query: query.toString() });
}

/** The states before and after a step, or what it left where it did not get through; and what a diff of them is called. */
export function stepStates(
  thread: ThreadRef,
  step: { readonly name: string; readonly lane: string; readonly checkpoints: StepCheckpoints },
): readonly [before: vscode.Uri, after: vscode.Uri, title: string] {
  const { name, lane, checkpoints } = step;
  const { before, after = before, outcome } = checkpoints;
  const state = (checkpointId: string, part: StepOutcome | undefined, title: string): vscode.Uri =>
    threadStateUri({ thread, checkpointId, checkpointNs: lane, outcome: part }, title);
  const none = outcome && { ...outcome, fields: [] };
  return outcome === undefined
    ? [state(before, none, `Before ${name}`), state(after, outcome, `After ${name}`), `What ${name} changed`]
    : [
        state(before, none, `Before ${name}`),
        state(before, outcome, `What ${name} left`),
        `What ${name} left`,
      ];
}

/** The name of a document: "State of Tides", "Step 5 of Tides". */
export function stateName(title: string, state = "State"): string {
  return `${state} of ${titleOnTab(title)}`;
}

/** The state that a document shows; undefined for another document. */
export function stateOfUri({ scheme, path, query }: vscode.Uri): StateOfThread | undefined {
  const [, connectionId, server, threadId, checkpointId] = statePaths.exec(path) ?? [];
  if (scheme !== SCHEME || connectionId === undefined || server === undefined || threadId === undefined)
    return undefined;
  const thread: ThreadRef = {
    connectionId: decodeURIComponent(connectionId),
    server: serverFromText(decodeURIComponent(server)),
    threadId: decodeURIComponent(threadId),
  };
  const asked = new URLSearchParams(query);
  const taskId = asked.get("task");
  const fields = (asked.get("fields") ?? "").split(" ").filter(isOutcomeField);
  return {
    thread,
    checkpointId: checkpointId === undefined ? undefined : decodeURIComponent(checkpointId),
    checkpointNs: asked.get("ns") ?? undefined,
    outcome: taskId === null ? undefined : { taskId, fields },
  };
}

function isOutcomeField(text: string): text is OutcomeField {
  return text === "result" || text === "error" || text === "interrupts";
}

/** What agents and people write must not end the path, and is to be read on every system. */
export function fileName(name: string): string {
  return name.replace(/[\p{Cc}\s/\\:*?"<>|]+/gu, " ").trim();
}

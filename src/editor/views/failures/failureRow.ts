/** A row of the Failures view: what is broken and where, why, and what a click does about it. */

import type * as vscode from "vscode";
import type { ConnectionSetting } from "../../connections/connection.ts";
import { isProtected } from "../../connections/mark.ts";
import type { FailureKind, ListedFailure } from "../../failures/listedFailure.ts";
import type { CommandId } from "../../kit/ids.ts";
import { adviceFor, clickFor } from "../../kit/remedies.ts";
import { factsTooltip } from "../../kit/tree/factsTooltip.ts";
import type { Row } from "../../kit/tree/rowItem.ts";
import { dotted, localTime } from "../../kit/words.ts";
import { ageOf } from "../../threads/threadFacts.ts";

/** What else a row says than the failure itself. */
export interface FailureRowFacts {
  /** Undefined where it was removed meanwhile. */
  readonly connection: Pick<ConnectionSetting, "name" | "protected"> | undefined;
  readonly unread: boolean;
  /** Epoch milliseconds. */
  readonly now: number;
}

/**
 * The row: the connection stands first, with a shield where it is protected. Menus ask its context for the kind, whether
 * it is unread, and whose ids it has.
 */
export function failureRow(failure: ListedFailure, { connection, unread, now }: FailureRowFacts): Row {
  const { kind, name, what, reason, at, ref } = failure;
  const where = connection === undefined || connection.name === name ? "" : connection.name;
  // Of threads the number is what matters, and would be cut after the name of their server.
  const isNumberFirst = kind === "threads" && where !== "";
  const label = dotted([where, isNumberFirst ? what : `${name}: ${what}`]);
  const age = ageOf(new Date(at).toISOString(), now);
  const description = dotted([isNumberFirst ? name : "", reason, age]);
  const isMarked = isProtected(connection);
  const click = commandFor(failure);
  const ids = "deploymentId" in ref ? " ofDeployment" : "";
  return {
    label,
    description,
    icon: [isMarked ? "shield" : icons[kind], unread ? "charts.red" : undefined],
    contextValue: `broken ${kind}${ids}${unread ? " unread" : ""}`,
    spoken: `${unread ? "New, " : ""}${isMarked ? "protected " : ""}${label}, ${description}`,
    command: click,
  };
}

/** All that is known of a failure. */
export function failureTooltip(
  { name, what, reason, at, error }: ListedFailure,
  connection: string,
): vscode.MarkdownString {
  return factsTooltip(`${name}: ${what}`, {
    Connection: connection,
    Reason: reason,
    Since: localTime(new Date(at).toISOString()),
    "What to do": error && adviceFor(error).remedy,
  });
}

const icons: Readonly<Record<FailureKind, string>> = {
  revision: "rocket",
  connection: "debug-disconnect",
  server: "server-process",
  agent: "hubot",
  export: "database",
  delivery: "mail",
  run: "watch",
  threads: "comment-discussion",
};

/** What mends it, else what leads to the log or the next step. */
function commandFor({ kind, ref, error }: ListedFailure): vscode.Command | undefined {
  const command = (id: CommandId | `agentOperations.${string}.focus`, title: string): vscode.Command => ({
    command: id,
    title,
    arguments: [ref],
  });
  if (error !== undefined) return clickFor(error, ref, "agentOperations.failures.refresh");
  const commands: Readonly<Record<typeof kind, vscode.Command>> = {
    revision: command("agentOperations.revision.openLog", "Open Revision Log"),
    agent: command("agentOperations.agent.checkHealth", "Check Agent Health"),
    export: command("agentOperations.destinations.focus", "Show Destinations"),
    delivery: command("agentOperations.issues.focus", "Show Issues"),
    run: command("agentOperations.thread.open", "Open Thread"),
    threads: command("agentOperations.bulk.repairThreads", "Repair Failed Threads"),
  };
  return commands[kind];
}

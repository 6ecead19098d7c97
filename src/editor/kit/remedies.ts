/**
 * What a person can do about a failure. Notifications, rows of failures, the run panel, documents and empty views all
 * ask here, so that one failure has one advice wherever it is seen.
 */

import { type Advice, type RemedyAction, wordsFor } from "../../api/advice.ts";
import type { Failure } from "../../run/panel/messages.ts";
import { type CommandId, SECTION, SETTINGS } from "./ids.ts";

/** An error that says itself what to do about it. */
export class RemediableError extends Error {
  override readonly name: string = "RemediableError";
  /** What to do, in words; may be empty where the message says it. */
  readonly remedy: string;
  /** The same as buttons, the most helpful first. */
  readonly actions: readonly RemedyAction[];
  /** What keeps everything of a connection from working. */
  readonly blockedBy: Advice["blockedBy"];

  constructor(
    message: string,
    {
      remedy,
      actions = [],
      blockedBy,
      cause,
    }: Partial<Advice> & { readonly remedy: string; cause?: unknown },
  ) {
    super(message, { cause });
    this.remedy = remedy;
    this.actions = actions;
    this.blockedBy = blockedBy;
  }
}

/** What can't be done, known without or beside a server's answer: the reason, and what to do instead. */
export class NotPossibleError extends RemediableError {
  override readonly name = "NotPossibleError";

  constructor(message: string, remedy: string, actions: readonly RemedyAction[] = []) {
    super(message, { remedy, actions });
  }
}

/** What to say about any failure, and what to offer. */
export function adviceFor(error: unknown): Advice {
  if (!hasRemedy(error)) return wordsFor(error);
  const { message, remedy, actions = [], blockedBy } = error;
  return { message, remedy, actions, ...(blockedBy !== undefined && { blockedBy }) };
}

/** Rooms that know no editor have errors of their own that say what to do. */
function hasRemedy(error: unknown): error is Error & Pick<Advice, "remedy"> & Partial<Advice> {
  return error instanceof Error && "remedy" in error && typeof error.remedy === "string";
}

/** What is said about a failure in one text: each part is a sentence with one full stop. */
export function adviceText({ message, remedy }: Pick<Advice, "message" | "remedy">): string {
  const sentences = [message, remedy].filter((part) => part !== "");
  return sentences.map((text) => (/[.!?]$/.test(text) ? text : `${text}.`)).join(" ");
}

/** Every action as a button's title, with the command that does it; asking again is done by the surface itself. */
const remedies: Readonly<
  Record<
    RemedyAction,
    {
      readonly title: string;
      readonly command?: CommandId | "workbench.action.openSettings" | "workbench.trust.manage";
    }
  >
> = {
  retry: { title: "Try Again" },
  setApiKey: { title: "Set API Key", command: "agentOperations.connection.setApiKey" },
  editConnection: { title: "Edit Connection", command: "agentOperations.connection.edit" },
  testConnection: { title: "Test Connection", command: "agentOperations.connection.test" },
  addConnection: { title: "Add Connection", command: "agentOperations.connection.add" },
  startLocalPlatform: { title: "Start Local Platform", command: "agentOperations.localPlatform.start" },
  startGraphs: { title: "Start Graphs", command: "agentOperations.graphs.start" },
  createDeployment: { title: "New Deployment", command: "agentOperations.deployment.create" },
  registerToolServer: { title: "Register Tool Server", command: "agentOperations.toolServer.register" },
  createDestination: { title: "Create Destination", command: "agentOperations.destination.create" },
  exportTraces: { title: "Export Traces", command: "agentOperations.exportJob.create" },
  addSubscription: { title: "Add Webhook Subscription", command: "agentOperations.webhook.add" },
  trustWorkspace: { title: "Manage Trust", command: "workbench.trust.manage" },
  openReceiverPort: { title: "Change Port", command: "workbench.action.openSettings" },
  showGraphLog: { title: "Show Server Log", command: "agentOperations.graphs.openLog" },
  showLog: { title: "Show Log", command: "agentOperations.log.show" },
};

/** Whether a value that came from elsewhere, as from a page, is an action. */
export function isRemedyAction(value: unknown): value is RemedyAction {
  return typeof value === "string" && Object.hasOwn(remedies, value);
}

/** A failure as a page tells it, with its buttons. */
export function describeFailure(error: unknown): Failure {
  const advice = adviceFor(error);
  return {
    message: adviceText(advice),
    actions: advice.actions.map((action) => ({ title: titleOf(action), action })),
  };
}

/** What a button for an action says. */
export function titleOf(action: RemedyAction): string {
  return remedies[action].title;
}

/** What a press does, as the editor's own commands are written. */
export interface Click {
  readonly title: string;
  readonly command: string;
  readonly arguments: unknown[];
}

/**
 * What a click does on a row that stands for a failure: the first action, else asking again. That is done by `refresh`,
 * for what the row is about; a view that asks nobody has none.
 */
export function clickFor(error: unknown, ref: object, refresh: CommandId | undefined): Click | undefined {
  const [action = "retry"] = adviceFor(error).actions;
  const connectionId =
    "connectionId" in ref && typeof ref.connectionId === "string" ? ref.connectionId : undefined;
  const again = refresh && { title: titleOf("retry"), command: refresh, arguments: [ref] };
  return commandOf(action, connectionId) ?? again;
}

/** The command that does an action, for the connection that failed if it was one; undefined for asking again. */
export function commandOf(action: RemedyAction, connectionId: string | undefined): Click | undefined {
  const { title, command } = remedies[action];
  if (command === undefined) return undefined;
  if (action === "openReceiverPort")
    return { title, command, arguments: [`${SECTION}.${SETTINGS.issuesPort}`] };
  return { title, command, arguments: connectionId === undefined ? [] : [{ connectionId }] };
}

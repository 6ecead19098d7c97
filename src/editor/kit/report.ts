/** The one place that turns a failure into words, and shows it once. */

import * as vscode from "vscode";
import { ApiError, wordsFor } from "../../api/errors.ts";
import type { Exchange } from "../../api/http.ts";
import { ConnectionError } from "../connections/connectionSettings.ts";
import type { CommandId } from "./ids.ts";
import { IssueReceiverError } from "../issues/issueReceiver.ts";
import { LocalPlatformError } from "../localPlatform/localPlatformProcess.ts";
import { showError } from "./notice.ts";
import { RefusalError, ThreadLostError } from "./refusal.ts";

/** What the failed work was about. */
export interface FailureContext {
  readonly connectionId?: string;
}

/** A failure as a person reads it. */
export interface FailureWords {
  /** What happened. */
  readonly message: string;
  /** What to do about it. */
  readonly remedy: string;
}

interface Button extends vscode.MessageItem {
  readonly command: CommandId;
}

/** Shows failures with what can be done about them, and logs the details without secrets. */
export class Report {
  readonly #log: vscode.LogOutputChannel;
  readonly #open = new Set<string>();

  constructor(log: vscode.LogOutputChannel) {
    this.#log = log;
  }

  words(error: unknown): FailureWords {
    if (isRemediable(error)) {
      return { message: error.message, remedy: error.remedy };
    }
    return wordsFor(error);
  }

  /** Logs a failure and shows it in one notification; the same words are not stacked while they stand there. */
  failure(doing: string, error: unknown, context: FailureContext = {}): void {
    if (isCancellation(error)) return;
    const { message, remedy } = this.words(error);
    this.#log.error(`${doing}: ${message}`, ...evidence(error));
    const text = `${doing}: ${[message, remedy]
      .filter((part) => part !== "")
      .map(sentence)
      .join(" ")}`;
    if (this.#open.has(text)) return;
    this.#open.add(text);
    void showError(text, ...buttons(error)).then((button) => {
      this.#open.delete(text);
      const target = context.connectionId === undefined ? undefined : { connectionId: context.connectionId };
      if (button !== undefined) void vscode.commands.executeCommand(button.command, target);
    });
  }

  /** One line at debug level; headers, bodies, query values and feedback tokens are not in it. */
  exchange({ method, url, status, ms, requestId, error }: Exchange): void {
    const id = requestId === undefined ? "" : ` request ${requestId}`;
    this.#log.debug(`${method} ${url} ${String(status ?? error ?? "")} ${String(ms)} ms${id}`);
  }
}

/** Whether a person ended it: nothing to report. */
export function isCancellation(error: unknown): boolean {
  if (error instanceof ApiError) return error.kind === "aborted";
  return error instanceof vscode.CancellationError || (error instanceof Error && error.name === "AbortError");
}

/** Errors of our own that say themselves what to do. */
function isRemediable(error: unknown): error is Error & { readonly remedy: string } {
  return (
    error instanceof ConnectionError ||
    error instanceof LocalPlatformError ||
    error instanceof IssueReceiverError ||
    error instanceof RefusalError ||
    error instanceof ThreadLostError
  );
}

function buttons(error: unknown): readonly Button[] {
  const setKey: Button = { title: "Set API Key", command: "agentOperations.connection.setApiKey" };
  const test: Button = { title: "Test Connection", command: "agentOperations.connection.test" };
  const edit: Button = { title: "Edit Connection", command: "agentOperations.connection.edit" };
  const start: Button = { title: "Start Local Platform", command: "agentOperations.localPlatform.start" };
  const log: Button = { title: "Show Log", command: "agentOperations.log.show" };
  if (error instanceof LocalPlatformError) return [start, log];
  if (error instanceof ConnectionError) {
    if (error.reason === "localPlatformStopped") return [start];
    return error.reason === "silent" ? [test, edit] : [edit];
  }
  if (!(error instanceof ApiError)) return [log];
  switch (error.kind) {
    case "unauthorized":
    case "forbidden":
      return [setKey, test, log];
    case "dns":
    case "refused":
    case "unreachable":
    case "tls":
    case "proxy":
    case "timeout":
    case "notJson":
    case "redirected":
      return [test, log];
    default:
      return [log];
  }
}

/** What the log keeps of an error beyond its words. */
function evidence(error: unknown): readonly string[] {
  if (error instanceof ApiError) return [error.message];
  return error instanceof Error && error.stack !== undefined ? [error.stack] : [];
}

function sentence(text: string): string {
  return /[.!?]$/.test(text) ? text : `${text}.`;
}

/** Failures as notifications and in the log, each once. */

import * as vscode from "vscode";
import type { RemedyAction } from "../../api/advice.ts";
import { ApiError, type ErrorKind } from "../../api/errors.ts";
import { showError } from "./notice.ts";
import { adviceFor, adviceText, commandOf, titleOf } from "./remedies.ts";

/** What the failed work was about. */
export interface FailureContext {
  readonly connectionId?: string;
  /** Does it once more; without it, there is no button for that. */
  readonly retry?: () => void;
}

interface Button extends vscode.MessageItem {
  readonly action: RemedyAction;
}

/** Shows failures with what can be done about them, and logs the details without secrets. */
export class Report {
  readonly #log: vscode.LogOutputChannel;
  readonly #open = new Set<string>();

  constructor(log: vscode.LogOutputChannel) {
    this.#log = log;
  }

  /** Logs a failure and shows it in one notification; the same words are not shown twice at a time. */
  failure(doing: string, error: unknown, context: FailureContext = {}): void {
    if (isCancellation(error)) return;
    const advice = adviceFor(error);
    this.#log.error(`${doing}: ${advice.message}`, ...evidence(error));
    const text = `${doing}: ${adviceText(advice)}`;
    if (this.#open.has(text)) return;
    this.#open.add(text);
    void showError(text, ...buttons(advice.actions, context)).then((button) => {
      this.#open.delete(text);
      if (button === undefined) return;
      const remedyCommand = commandOf(button.action, context.connectionId);
      if (remedyCommand === undefined) context.retry?.();
      else void vscode.commands.executeCommand(remedyCommand.command, ...remedyCommand.arguments);
    });
  }
}

/** Whether a person ended it: nothing to report. */
export function isCancellation(error: unknown): boolean {
  if (error instanceof ApiError) return error.kind === "aborted";
  return error instanceof vscode.CancellationError || (error instanceof Error && error.name === "AbortError");
}

/** The first two actions, and the log: it has the details of every failure. */
function buttons(actions: readonly RemedyAction[], { retry }: FailureContext): readonly Button[] {
  const offered = actions.filter(
    (action) => action !== "showLog" && (action !== "retry" || retry !== undefined),
  );
  return [...offered.slice(0, 2), "showLog" as const].map((action) => ({ title: titleOf(action), action }));
}

/** What is found out after a request went well; any other failure has a line of its own, as the request's. */
const afterwards: ReadonlySet<ErrorKind> = new Set<ErrorKind>([
  "answerTooLarge",
  "notJson",
  "malformed",
  "cut",
  "runFailed",
  "unsupported",
]);

/** What the log keeps of an error beyond its words. */
function evidence(error: unknown): readonly string[] {
  if (error instanceof ApiError) return afterwards.has(error.kind) ? [error.message] : [];
  return error instanceof Error && error.stack !== undefined ? [error.stack] : [];
}

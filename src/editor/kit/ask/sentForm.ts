/** Sends what a form was filled with until it is accepted or given up: nothing that was typed is lost by a refusal. */

import * as vscode from "vscode";
import { mayBeDone } from "../../../api/errors.ts";
import { showError } from "../notice.ts";
import { adviceFor, adviceText, commandOf } from "../remedies.ts";
import { isCancellation } from "../report.ts";
import { type Form, reviewForm } from "./form.ts";

/** What is sent where, and what a person is told where that failed. */
export interface Sending<Draft, Made> {
  readonly form: Form<Draft>;
  readonly connectionId: string;
  /** "The agent was not created." */
  readonly notDone: string;
  /** Said instead where it may have been done: "Whether the agent was created is not known: look in Agents first." */
  readonly notKnown: string;
  readonly log: Pick<vscode.LogOutputChannel, "error">;
  send(draft: Draft): Promise<Made>;
}

/** Answers what was made; throws CancellationError where a person gives it up. */
export async function sendForm<Draft, Made>(start: Draft, sending: Sending<Draft, Made>): Promise<Made> {
  for (let draft = start; ;) {
    try {
      return await sending.send(draft);
    } catch (error) {
      if (isCancellation(error)) throw error;
      await offerToEdit(error, sending);
      draft = await reviewForm(sending.form, draft);
    }
  }
}

/** Says what failed, and waits for a person who wants to change something; the first remedy is offered, too. */
async function offerToEdit<Draft, Made>(error: unknown, sending: Sending<Draft, Made>): Promise<void> {
  const { form, connectionId, notDone, notKnown, log } = sending;
  const advice = adviceFor(error);
  log.error(`${form.title}: ${advice.message}`);
  const text = mayBeDone(error) ? `${notKnown} ${advice.message}` : `${notDone} ${adviceText(advice)}`;
  const remedies = advice.actions.flatMap((action) => {
    const command = commandOf(action, connectionId);
    return command === undefined || action === "showLog" ? [] : [command];
  });
  const edit = { title: "Edit…" };
  const chosen = await showError(text, ...remedies.slice(0, 1), edit);
  if (chosen === undefined) throw new vscode.CancellationError();
  const remedy = remedies.find((one) => one === chosen);
  if (remedy !== undefined) await vscode.commands.executeCommand(remedy.command, ...remedy.arguments);
}

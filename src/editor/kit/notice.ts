/** The editor's notifications, modal questions and progress, in which all that is said is text and nothing a link. */

import * as vscode from "vscode";
import { inert, withoutIcons } from "./words.ts";

type Show = typeof vscode.window.showInformationMessage;
type ShowText = (text: string, ...rest: readonly unknown[]) => Thenable<unknown>;

/** Says what went well, or asks. */
export const showInformation = showing("showInformationMessage");

/** Says what a person should know, or asks before something that can't be undone. */
export const showWarning = showing("showWarningMessage");

/** Says what failed. */
export const showError = showing("showErrorMessage");

/** A way to agree that says more than the plain one. */
export interface Option {
  readonly label: string;
  readonly chosen: () => void;
}

/** Asks before something that can't be undone: throws CancellationError unless a button is pressed. */
export async function confirm(
  question: string,
  detail: string,
  button: string,
  ...options: readonly Option[]
): Promise<void> {
  const labels = options.map(({ label }) => label);
  const answer = await showWarning(question, { modal: true, detail: inert(detail) }, button, ...labels);
  if (answer === undefined) throw new vscode.CancellationError();
  options.find(({ label }) => label === answer)?.chosen();
}

function showing(kind: "showInformationMessage" | "showWarningMessage" | "showErrorMessage"): Show {
  const show: ShowText = (text, ...rest) => {
    const shown: ShowText = vscode.window[kind];
    return shown(inert(text), ...rest);
  };
  return show;
}

/** Says in the status bar for a while what went well; an icon of ours may stand before it. */
export function showStatus(text: string, ms: number, icon = ""): void {
  vscode.window.setStatusBarMessage(`${icon}${withoutIcons(text)}`, ms);
}

/** Shows that work goes on: in the status bar, or in the view with an id. */
export function working<T>(
  title: string,
  work: () => Thenable<T>,
  location: vscode.ProgressLocation | { readonly viewId: string } = vscode.ProgressLocation.Window,
): Thenable<T> {
  return vscode.window.withProgress({ location, title: withoutIcons(title) }, work);
}

/** Does long work under a notification whose Cancel aborts it. */
export async function abortable<T>(
  title: string,
  work: (signal: AbortSignal, report: (message: string) => void) => Promise<T>,
): Promise<T> {
  const options = {
    location: vscode.ProgressLocation.Notification,
    title: inert(title),
    cancellable: true,
  };
  return vscode.window.withProgress(options, async (progress, token) => {
    const abort = new AbortController();
    const listener = token.onCancellationRequested(() => abort.abort());
    try {
      return await work(abort.signal, (message) => progress.report({ message: inert(message) }));
    } finally {
      listener.dispose();
    }
  });
}

/** The editor's notifications and modal questions, in which all that is said is text and nothing a link. */

import * as vscode from "vscode";
import { inert } from "./words.ts";

type Show = typeof vscode.window.showInformationMessage;
type ShowText = (text: string, ...rest: readonly unknown[]) => Thenable<unknown>;

/** Says what went well, or asks. */
export const showInformation = showing("showInformationMessage");

/** Says what a person should know, or asks before something that can't be undone. */
export const showWarning = showing("showWarningMessage");

/** Says what failed. */
export const showError = showing("showErrorMessage");

function showing(kind: "showInformationMessage" | "showWarningMessage" | "showErrorMessage"): Show {
  const show: ShowText = (text, ...rest) => {
    const shown: ShowText = vscode.window[kind];
    return shown(inert(text), ...rest);
  };
  return show;
}

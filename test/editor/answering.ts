import * as vscode from "vscode";

type Question =
  "showInputBox" | "showQuickPick" | "showInformationMessage" | "showWarningMessage" | "showErrorMessage";

/** Plays the person: answers one kind of question while `work` runs; gives what was asked, with its details. */
export async function answering(
  question: Question,
  answer: unknown,
  work: () => PromiseLike<unknown>,
): Promise<string[]> {
  const asked: string[] = [];
  const ask = (...parts: readonly unknown[]): Promise<unknown> => {
    asked.push(parts.map((part) => (typeof part === "string" ? part : JSON.stringify(part))).join(" "));
    return Promise.resolve(
      typeof answer === "function" ? (answer as (first: unknown) => unknown)(parts[0]) : answer,
    );
  };
  const original = Object.getOwnPropertyDescriptor(vscode.window, question);
  Object.defineProperty(vscode.window, question, { ...original, value: ask });
  try {
    await work();
  } finally {
    if (original !== undefined) Object.defineProperty(vscode.window, question, original);
  }
  return asked;
}

/** Chooses the row of a list that is called so. */
export function row(label: string): (items: unknown) => unknown {
  return (items) => (items as readonly vscode.QuickPickItem[]).find((item) => item.label === label);
}

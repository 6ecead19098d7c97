/** Questions whose answer says whether it is one. */

import * as vscode from "vscode";
import * as questions from "./questions.ts";
import type { Choice, Place, TextQuestion } from "./questions.ts";

export type { Choice, Place, TextQuestion };

/** What a person did with a step. */
export type Answer<T> =
  { readonly kind: "next"; readonly value: T } | { readonly kind: "back" } | { readonly kind: "cancel" };

export function askText(...question: Parameters<typeof questions.askText>): Promise<Answer<string>> {
  return answered(questions.askText(...question));
}

export function askChoice<T>(
  place: Place,
  choices: readonly (Choice<T> | vscode.QuickPickItem)[],
  options: { readonly placeholder: string; readonly active?: T },
): Promise<Answer<T>> {
  return answered(questions.askChoice(place, choices, options));
}

export function askSeveral<T>(
  place: Place,
  choices: readonly Choice<T>[],
  options: { readonly placeholder: string },
): Promise<Answer<readonly T[]>> {
  return answered(questions.askSeveral(place, choices, options));
}

export async function answered<T>(asking: Promise<T>): Promise<Answer<T>> {
  try {
    return { kind: "next", value: await asking };
  } catch (error) {
    if (error instanceof questions.BackError) return { kind: "back" };
    if (error instanceof vscode.CancellationError) return { kind: "cancel" };
    throw error;
  }
}

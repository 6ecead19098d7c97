/**
 * Questions to a person: an input box or a list, with a Back button where a question came before. Each gives its
 * answer; one that is left by Escape throws CancellationError, which ends the command and is not reported, and one that
 * is left by Back throws BackError, which leads to the question before.
 */

import * as vscode from "vscode";
import type { Option } from "../notice.ts";
import { inert, visible } from "../words.ts";

/** A person wants the question before. */
export class BackError extends Error {
  override readonly name = "BackError";
}

/** What stands above a question: its title, and which of the steps it is. */
export interface Heading {
  readonly title: string;
  readonly step?: number;
  readonly totalSteps?: number;
  readonly canGoBack?: boolean;
}

/** What is asked for in an input box. */
export interface TextQuestion {
  readonly prompt: string;
  readonly value?: string;
  readonly placeholder?: string;
  /** Hidden as it is typed; a button shows it. */
  readonly secret?: boolean;
  /** What is wrong with the text, or undefined; asked as the person types. */
  readonly problem?: (text: string) => string | undefined;
  /** What turns out to be wrong with an accepted text, found out by asking somebody; what it throws ends the question. */
  readonly check?: (text: string, signal: AbortSignal) => Promise<string | undefined>;
  /** A button that says more than Enter does; pressed again, it says so no longer. */
  readonly option?: Option;
  /** What a person should know about the text although it is accepted. */
  readonly warning?: (text: string) => string | undefined;
}

/** A row that stands for a value. */
export interface Choice<T> extends vscode.QuickPickItem {
  readonly value: T;
}

/** What an input box and a list have in common. */
interface Input extends vscode.QuickInput {
  buttons: readonly vscode.QuickInputButton[];
  readonly onDidTriggerButton: vscode.Event<vscode.QuickInputButton>;
}

const showButton: vscode.QuickInputButton = {
  iconPath: new vscode.ThemeIcon("eye"),
  tooltip: "Show what you type",
};
const hideButton: vscode.QuickInputButton = {
  iconPath: new vscode.ThemeIcon("eye-closed"),
  tooltip: "Hide what you type",
};

/** Asks for a line of text; the answer is trimmed and without a problem. */
export async function askText(heading: Heading, question: TextQuestion): Promise<string> {
  const box = vscode.window.createInputBox();
  arrange(box, heading);
  box.prompt = inert(question.prompt);
  box.value = question.value ?? "";
  box.placeholder = question.placeholder && visible(question.placeholder);
  box.password = question.secret === true;
  const back = box.buttons;
  let isOptionChosen = false;
  const showButtons = (): void => {
    const eye = question.secret === true ? [box.password ? showButton : hideButton] : [];
    box.buttons = [...back, ...eye, ...optionButtons(question.option, isOptionChosen)];
  };
  showButtons();
  const check = (): boolean => {
    const problem = question.problem?.(box.value.trim());
    const warning = question.warning?.(box.value.trim());
    box.validationMessage =
      (problem && inert(problem)) ??
      (warning === undefined
        ? undefined
        : { message: inert(warning), severity: vscode.InputBoxValidationSeverity.Warning });
    return problem === undefined;
  };
  const accept = async (signal: AbortSignal): Promise<string | undefined> => {
    const value = box.value.trim();
    if (!check()) return undefined;
    box.busy = true;
    box.enabled = false;
    try {
      const problem = await question.check?.(value, signal);
      if (problem === undefined) return value;
      box.validationMessage = inert(problem);
      return undefined;
    } finally {
      box.busy = false;
      box.enabled = true;
    }
  };
  return answerOf(box, (settle, fail) => {
    const hidden = new AbortController();
    return [
      new vscode.Disposable(() => hidden.abort()),
      box.onDidChangeValue(check),
      box.onDidAccept(() => {
        accept(hidden.signal).then((value) => {
          if (value === undefined) return;
          if (isOptionChosen) question.option?.chosen();
          settle(value);
        }, fail);
      }),
      box.onDidTriggerButton((button) => {
        if (button === vscode.QuickInputButtons.Back) return;
        if (button === showButton || button === hideButton) box.password = !box.password;
        else isOptionChosen = !isOptionChosen;
        showButtons();
      }),
    ];
  });
}

/** Asks to choose one item of a list; Enter at once chooses the one with the value `active`, else the first. */
export async function askChoice<T>(
  heading: Heading,
  choices: readonly (Choice<T> | vscode.QuickPickItem)[],
  { placeholder, active }: { readonly placeholder: string; readonly active?: T | undefined },
): Promise<T> {
  const pick = vscode.window.createQuickPick<Choice<T> | vscode.QuickPickItem>();
  arrange(pick, heading);
  pick.placeholder = visible(placeholder);
  pick.matchOnDescription = true;
  pick.matchOnDetail = true;
  pick.items = choices.map(shown);
  const meant = pick.items.filter((choice) => isChoice(choice) && choice.value === active);
  // An empty list would take the first row's place, and Enter would do nothing.
  if (meant.length > 0) pick.activeItems = meant;
  return answerOf(pick, (settle) => [
    pick.onDidAccept(() => {
      const chosen = pick.selectedItems[0];
      if (chosen !== undefined && isChoice(chosen)) settle(chosen.value);
    }),
  ]);
}

/** Asks to tick any number of items; those with `picked` are ticked from the start. */
export async function askSeveral<T>(
  heading: Heading,
  choices: readonly Choice<T>[],
  { placeholder }: { readonly placeholder: string },
): Promise<readonly T[]> {
  const pick = vscode.window.createQuickPick<Choice<T>>();
  arrange(pick, heading);
  pick.placeholder = visible(placeholder);
  pick.canSelectMany = true;
  pick.matchOnDescription = true;
  pick.items = choices.map(shown);
  pick.selectedItems = pick.items.filter(({ picked }) => picked === true);
  return answerOf(pick, (settle) => [
    pick.onDidAccept(() => settle(pick.selectedItems.map(({ value }) => value))),
  ]);
}

/** Asks one question after another: Back in the second asks the first again. */
export async function askThen<First, Second>(
  first: () => Promise<First>,
  second: (answer: First) => Promise<Second>,
): Promise<Second> {
  for (;;) {
    const answer = await first();
    try {
      return await second(answer);
    } catch (error) {
      if (!(error instanceof BackError)) throw error;
    }
  }
}

function optionButtons(option: Option | undefined, isChosen: boolean): readonly vscode.QuickInputButton[] {
  if (option === undefined) return [];
  const icon = new vscode.ThemeIcon(isChosen ? "pass-filled" : "circle-large-outline");
  return [{ iconPath: icon, tooltip: `${option.label}: ${isChosen ? "yes" : "no"}` }];
}

function arrange(input: Input, heading: Heading): void {
  input.title = inert(heading.title);
  input.step = heading.step;
  input.totalSteps = heading.totalSteps;
  input.ignoreFocusOut = true;
  input.buttons = heading.canGoBack === true ? [vscode.QuickInputButtons.Back] : [];
}

function answerOf<T>(
  input: Input,
  listen: (settle: (answer: T) => void, fail: (error: unknown) => void) => readonly vscode.Disposable[],
): Promise<T> {
  return new Promise<T>((resolve, reject) => {
    const listeners = vscode.Disposable.from(
      ...listen(resolve, reject),
      input.onDidTriggerButton((button) => {
        if (button === vscode.QuickInputButtons.Back) reject(new BackError());
      }),
      input.onDidHide(() => {
        reject(new vscode.CancellationError());
        listeners.dispose();
        input.dispose();
      }),
    );
    input.show();
  }).finally(() => input.hide());
}

/** A row whose words can neither hide something nor turn the others around. */
export function shown<Item extends vscode.QuickPickItem>(item: Item): Item {
  const { label, description, detail } = item;
  return {
    ...item,
    label: visible(label),
    ...(description !== undefined && { description: visible(description) }),
    ...(detail !== undefined && { detail: visible(detail) }),
  };
}

function isChoice<T>(item: Choice<T> | vscode.QuickPickItem): item is Choice<T> {
  return "value" in item;
}

import { strict as assert } from "node:assert";
import * as vscode from "vscode";
import { until } from "../support/until.ts";

/** What the person does with a question: types, chooses a row, ticks rows, or leaves. */
export type Deed =
  | { readonly type: string }
  | { readonly choose: string | RegExp }
  | { readonly tick: readonly (string | RegExp)[] }
  /** Presses the first button that a row has. */
  | { readonly pressOn: string | RegExp }
  | "accept"
  | "back"
  | "cancel";

/** A question that was asked in a box. */
export interface Asked {
  readonly title: string;
  readonly prompt: string;
  /** The text that stands in it at first. */
  readonly start: string;
  /** Whether what is typed was hidden. */
  readonly hidden: boolean;
  readonly labels: readonly string[];
  /** "label | description" of each row. */
  readonly rows: readonly string[];
  /** The rows that were ticked from the start. */
  readonly ticked: readonly string[];
}

/** A text that a person sees, and what the editor makes of some letters there. */
export interface Seen {
  readonly text: string | undefined;
  readonly makes: "icons" | "links" | "nothing";
}

/** Who answers. */
export interface Answerer {
  /** What is done with a question; undefined when nobody expected it. */
  answer(asked: Asked): Deed;
  /** What is done after an answer that was refused; undefined leaves the question. */
  answerAgain(refusal: string): Deed | undefined;
  /** Told of all that a question shows, word by word. */
  see(...seen: readonly Seen[]): void;
}

/** A row as a box shows it. */
type Row = Pick<vscode.QuickPickItem, "label" | "description" | "detail" | "buttons">;

/** An input box or a list that is answered as soon as it is shown, and again when the answer is refused. */
export class QuestionBox<T extends Row> {
  title = "";
  prompt = "";
  placeholder = "";
  password = false;
  value = "";
  items: readonly T[] = [];
  selectedItems: readonly T[] = [];
  activeItems: readonly T[] = [];
  buttons: readonly unknown[] = [];
  readonly #answerer: Answerer;
  readonly #accepted = new vscode.EventEmitter<void>();
  readonly #hidden = new vscode.EventEmitter<void>();
  readonly #typed = new vscode.EventEmitter<string>();
  readonly #pressed = new vscode.EventEmitter<unknown>();
  readonly #itemPressed = new vscode.EventEmitter<{ readonly item: T; readonly button: unknown }>();
  readonly onDidAccept = this.#accepted.event;
  readonly onDidHide = this.#hidden.event;
  readonly onDidChangeValue = this.#typed.event;
  readonly onDidTriggerButton = this.#pressed.event;
  readonly onDidTriggerItemButton = this.#itemPressed.event;
  #isAccepting = false;
  #isBusy = false;
  #isShown = false;
  /** The rows that somebody was asked about. */
  #shownItems: readonly T[] | undefined;

  constructor(answerer: Answerer) {
    this.#answerer = answerer;
  }

  /** A text refuses what was accepted, at once or after a while; a mere warning is an object. */
  set validationMessage(message: unknown) {
    if (!this.#isAccepting || typeof message !== "string") return;
    this.#isAccepting = false;
    const deed = this.#answerer.answerAgain(message);
    // The box's owner has not yet heard that its answer was refused.
    queueMicrotask(() => (deed === undefined ? this.hide() : this.#do(deed)));
  }

  /** A list that is still read is answered when its rows are there, and again when more of them came. */
  set busy(busy: boolean) {
    const isRead = this.#isBusy && !busy;
    this.#isBusy = busy;
    if (isRead && this.#isShown && this.items !== this.#shownItems) this.#ask();
  }

  show(): void {
    this.#isShown = true;
    if (!this.#isBusy) this.#ask();
  }

  hide(): void {
    this.#hidden.fire();
  }

  dispose(): void {
    for (const emitter of [this.#accepted, this.#hidden, this.#typed, this.#pressed]) emitter.dispose();
  }

  #ask(): void {
    this.#shownItems = this.items;
    const { title, prompt, placeholder, password, items, selectedItems, value: start } = this;
    const labels = items.map(({ label }) => label);
    const rows = items.map(({ label, description = "" }) => `${label} | ${description}`);
    const ticked = selectedItems.map(({ label }) => label);
    this.#answerer.see(
      ...[title, prompt].map((text) => ({ text, makes: "links" }) as const),
      { text: placeholder, makes: "nothing" },
      ...items.flatMap(({ label, description = "", detail = "" }) =>
        [label, description, detail].map((text) => ({ text, makes: "icons" }) as const),
      ),
    );
    this.#do(
      this.#answerer.answer({
        ...{ title, prompt: prompt || placeholder, start, hidden: password },
        ...{ labels, rows, ticked },
      }),
    );
  }

  #do(deed: Deed): void {
    if (deed === "cancel") {
      this.hide();
      return;
    }
    if (deed === "back") {
      this.#pressed.fire(vscode.QuickInputButtons.Back);
      return;
    }
    if (typeof deed === "object" && "pressOn" in deed) {
      const [item] = find(this.items, [deed.pressOn]);
      if (item !== undefined) this.#itemPressed.fire({ item, button: item.buttons?.[0] });
      return;
    }
    if (typeof deed === "object") {
      if ("type" in deed) this.#typed.fire((this.value = deed.type));
      if ("choose" in deed) this.selectedItems = find(this.items, [deed.choose]);
      if ("tick" in deed) this.selectedItems = find(this.items, deed.tick);
    }
    this.#isAccepting = true;
    this.#accepted.fire();
  }
}

/** Asks as `vscode.window.showInputBox` does. */
export function askLine(box: QuestionBox<Row>, options: vscode.InputBoxOptions): Promise<string | undefined> {
  const { title = "", prompt = "", placeHolder = "", value = "", password = false } = options;
  Object.assign(box, { title, prompt, placeholder: placeHolder, value, password });
  return new Promise((resolve) => {
    box.onDidHide(() => resolve(undefined));
    box.onDidAccept(async () => {
      const problem = await options.validateInput?.(box.value);
      if (typeof problem === "string" && problem !== "") box.validationMessage = problem;
      else resolve(box.value);
    });
    box.show();
  });
}

/** Asks as `vscode.window.showQuickPick` does for rows. */
export async function askRow<T extends Row>(
  box: QuestionBox<T>,
  items: readonly T[] | Thenable<readonly T[]>,
  { title = "", placeHolder = "" }: vscode.QuickPickOptions = {},
): Promise<T | undefined> {
  Object.assign(box, { title, placeholder: placeHolder, items: await items });
  return new Promise((resolve) => {
    box.onDidHide(() => resolve(undefined));
    box.onDidAccept(() => resolve(box.selectedItems[0]));
    box.show();
  });
}

function find<T extends Row>(items: readonly T[], wanted: readonly (string | RegExp)[]): T[] {
  return wanted.map((label) => {
    const found = items.find((item) =>
      typeof label === "string" ? item.label === label : label.test(item.label),
    );
    assert(found, `There is no row ${String(label)} among ${items.map((item) => item.label).join(", ")}`);
    return found;
  });
}

/** The editor's own boxes, answered by its own commands: a command that comes before its box is shown does nothing. */
export class ShownQuestions implements Disposable {
  readonly #restore: (() => void)[] = [];
  #asked = 0;
  #accepted = 0;
  #closed = 0;

  constructor() {
    for (const name of ["createInputBox", "createQuickPick"] as const) {
      const create: () => vscode.InputBox | vscode.QuickPick<vscode.QuickPickItem> = vscode.window[name];
      Object.assign(vscode.window, { [name]: () => this.#watched(create()) });
      this.#restore.push(() => Object.assign(vscode.window, { [name]: create }));
    }
  }

  /** Takes what stands in the box of a step. */
  async accept(step: number): Promise<void> {
    const command = "workbench.action.acceptSelectedQuickOpenItem";
    await this.#until(step, command, () => this.#accepted >= step);
  }

  async close(step: number): Promise<void> {
    await this.#until(step, "workbench.action.closeQuickOpen", () => this.#closed >= step);
  }

  [Symbol.dispose](): void {
    for (const restore of this.#restore) restore();
  }

  async #until(step: number, command: string, holds: () => boolean): Promise<void> {
    await until(`question ${step} is asked`, () => this.#asked >= step);
    await until(`${command} reaches question ${step}`, async () => {
      await vscode.commands.executeCommand(command);
      return holds();
    });
  }

  #watched(box: vscode.InputBox | vscode.QuickPick<vscode.QuickPickItem>): typeof box {
    this.#asked += 1;
    box.onDidAccept(() => (this.#accepted += 1));
    box.onDidHide(() => (this.#closed += 1));
    return box;
  }
}

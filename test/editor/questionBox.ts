import { strict as assert } from "node:assert";
import * as vscode from "vscode";

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

import { strict as assert } from "node:assert";
import * as vscode from "vscode";

/** What the person does with the next question: types, chooses a row, ticks rows, or leaves. */
export type Deed =
  | { readonly type: string }
  | { readonly choose: string | RegExp }
  | { readonly tick: readonly (string | RegExp)[] }
  | "accept"
  | "back"
  | "cancel";

/** A question that was asked in a box. */
export interface Asked {
  readonly title: string;
  readonly prompt: string;
  /** Whether what is typed was hidden. */
  readonly hidden: boolean;
  readonly labels: readonly string[];
  /** The rows that were ticked from the start. */
  readonly ticked: readonly string[];
}

/** Answers questions in place of a person, and remembers them. */
export class Person implements Disposable {
  readonly asked: Asked[] = [];
  /** Texts of messages, dialogs and errors. */
  readonly told: string[] = [];
  /** Addresses that were to be opened in a browser. */
  readonly opened: string[] = [];
  /** The button for a message; none by default. */
  press: (text: string) => string | undefined = () => undefined;
  /** What a browser does with an address; gives whether it opened. */
  browse: (address: string) => Promise<boolean> = () => Promise.resolve(true);
  readonly #deeds: Deed[] = [];
  readonly #restore: (() => void)[] = [];

  constructor() {
    this.#replace(vscode.window, "createInputBox", () => this.#box([]));
    this.#replace(vscode.window, "createQuickPick", () => this.#box([]));
    for (const kind of ["showInformationMessage", "showWarningMessage", "showErrorMessage"] as const) {
      this.#replace(vscode.window, kind, (text: unknown, ...rest: readonly unknown[]) =>
        Promise.resolve(this.#tell(text, rest)),
      );
    }
    this.#replace(vscode.env, "openExternal", (address: unknown) => {
      this.opened.push(String(address));
      return this.browse(String(address));
    });
  }

  /** What will be done with the questions to come, in order. */
  will(...deeds: readonly Deed[]): this {
    this.#deeds.push(...deeds);
    return this;
  }

  /** Fails when a question was expected that never came. */
  done(): void {
    assert.deepEqual(this.#deeds, []);
  }

  [Symbol.dispose](): void {
    for (const restore of this.#restore) restore();
  }

  #tell(text: unknown, [options, ...rest]: readonly unknown[]): unknown {
    const detail =
      typeof options === "object" && options !== null && "detail" in options ? String(options.detail) : "";
    const whole = [String(text), detail].filter((part) => part !== "").join("\n");
    this.told.push(whole);
    const wanted = this.press(whole);
    return [options, ...rest].find((button) => {
      return wanted !== undefined && (button === wanted || (button as { title?: string }).title === wanted);
    });
  }

  /** A box that is answered as soon as it is shown. */
  #box(rows: readonly vscode.QuickPickItem[]): object {
    const [accepted, hidden] = [new vscode.EventEmitter<void>(), new vscode.EventEmitter<void>()];
    const [typed, pressed] = [new vscode.EventEmitter<string>(), new vscode.EventEmitter<unknown>()];
    const box = {
      title: "",
      prompt: "",
      placeholder: "",
      password: false,
      value: "",
      validationMessage: undefined as unknown,
      items: rows,
      selectedItems: rows,
      buttons: [],
      onDidAccept: accepted.event,
      onDidHide: hidden.event,
      onDidChangeValue: typed.event,
      onDidTriggerButton: pressed.event,
      hide: () => hidden.fire(),
      dispose: () => undefined,
      show: () => {
        const { title, prompt, placeholder, password, items, selectedItems } = box;
        const labels = items.map(({ label }) => label);
        const ticked = selectedItems.map(({ label }) => label);
        this.asked.push({ title, prompt: prompt || placeholder, hidden: password, labels, ticked });
        const deed = this.#deeds.shift();
        assert(deed !== undefined, `Nobody expected to be asked: ${title} ${prompt || placeholder}`);
        if (deed === "cancel") hidden.fire();
        else if (deed === "back") pressed.fire(vscode.QuickInputButtons.Back);
        else {
          if (typeof deed === "object" && "type" in deed) {
            box.value = deed.type;
            typed.fire(deed.type);
          }
          if (typeof deed === "object" && "choose" in deed) box.selectedItems = find(items, [deed.choose]);
          if (typeof deed === "object" && "tick" in deed) box.selectedItems = find(items, deed.tick);
          accepted.fire();
          if (typeof box.validationMessage === "string") {
            this.told.push(box.validationMessage);
            hidden.fire();
          }
        }
      },
    };
    return box;
  }

  #replace(owner: object, name: string, value: unknown): void {
    const original = Object.getOwnPropertyDescriptor(owner, name);
    assert(original, name);
    Object.defineProperty(owner, name, { get: () => value, configurable: true, enumerable: true });
    this.#restore.push(() => Object.defineProperty(owner, name, original));
  }
}

function find(
  items: readonly vscode.QuickPickItem[],
  wanted: readonly (string | RegExp)[],
): vscode.QuickPickItem[] {
  return wanted.map((label) => {
    const found = items.find((item) =>
      typeof label === "string" ? item.label === label : label.test(item.label),
    );
    assert(found, `There is no row ${String(label)} among ${items.map((item) => item.label).join(", ")}`);
    return found;
  });
}

import { strict as assert } from "node:assert";
import * as vscode from "vscode";
import type { Extension } from "./extensionUnderTest.ts";
import { askLine, askRow, QuestionBox } from "./questionBox.ts";
import type { Answerer, Asked, Deed } from "./questionBox.ts";

/** A message beside its text. */
interface Message {
  readonly isModal: boolean;
  /** The buttons' titles. */
  readonly buttons: readonly string[];
}

/** Answers questions in place of a person, and remembers them. */
export class Person implements Disposable, Answerer {
  readonly asked: Asked[] = [];
  /** Texts of messages, dialogs and errors, and what was said of answers that were refused. */
  readonly told: string[] = [];
  /** Addresses that were to be opened in a browser. */
  readonly opened: string[] = [];
  /** The button for a message, which may be a modal question; none by default. */
  press: (text: string, message: Message) => string | undefined = () => undefined;
  /** What a browser does with an address; gives whether it opened. */
  browse: (address: string) => Promise<boolean> = () => Promise.resolve(true);
  readonly #deeds: Deed[] = [];
  readonly #restore: (() => void)[] = [];

  constructor() {
    const { window, env } = vscode;
    const box = (): QuestionBox<vscode.QuickPickItem> => new QuestionBox(this);
    this.#replace(window, "createInputBox", box);
    this.#replace(window, "createQuickPick", box);
    this.#replace(window, "showInputBox", (options: vscode.InputBoxOptions) => askLine(box(), options));
    this.#replace(
      window,
      "showQuickPick",
      (items: readonly vscode.QuickPickItem[], options?: vscode.QuickPickOptions) =>
        askRow(box(), items, options),
    );
    for (const kind of ["showInformationMessage", "showWarningMessage", "showErrorMessage"] as const) {
      this.#replace(window, kind, (text: unknown, ...rest: readonly unknown[]) =>
        Promise.resolve(this.#tell(text, rest)),
      );
    }
    this.#replace(env, "openExternal", (address: unknown) => {
      this.opened.push(String(address));
      return this.browse(String(address));
    });
  }

  /** What will be done with the questions to come, in order; with an empty list a refused answer is given up. */
  will(...deeds: readonly Deed[]): this {
    this.#deeds.push(...deeds);
    return this;
  }

  /** Presses this button of every message that has it. */
  presses(button: string): this {
    this.press = () => button;
    return this;
  }

  /** Fails when a question was expected that never came. */
  done(): void {
    assert.deepEqual(this.#deeds, []);
  }

  answer(asked: Asked): Deed {
    this.asked.push(asked);
    const deed = this.#deeds.shift();
    assert(deed !== undefined, `Nobody expected to be asked: ${asked.title} ${asked.prompt}`);
    return deed;
  }

  answerAgain(refusal: string): Deed | undefined {
    this.told.push(refusal);
    return this.#deeds.shift();
  }

  [Symbol.dispose](): void {
    for (const restore of this.#restore) restore();
  }

  #tell(text: unknown, [options, ...rest]: readonly unknown[]): unknown {
    const detail =
      typeof options === "object" && options !== null && "detail" in options ? String(options.detail) : "";
    const whole = [String(text), detail].filter((part) => part !== "").join("\n");
    this.told.push(whole);
    const isModal = typeof options === "object" && options !== null && "modal" in options;
    const items = [options, ...rest];
    const titles = items.map((item) =>
      typeof item === "string" ? item : (item as { readonly title?: string } | undefined)?.title,
    );
    const buttons = titles.filter((title) => title !== undefined);
    const wanted = this.press(whole, { isModal, buttons });
    return wanted === undefined ? undefined : items[titles.indexOf(wanted)];
  }

  #replace(owner: object, name: string, value: unknown): void {
    const original = Object.getOwnPropertyDescriptor(owner, name);
    assert(original, name);
    Object.defineProperty(owner, name, { get: () => value, configurable: true, enumerable: true });
    this.#restore.push(() => Object.defineProperty(owner, name, original));
  }
}

/** What a notification says of a failure. */
export function wordsOf({ report }: Pick<Extension, "report">, error: unknown): string {
  using person = new Person();
  report.failure("Test", error);
  return person.told.join("\n");
}

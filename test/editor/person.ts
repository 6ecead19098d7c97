import { strict as assert } from "node:assert";
import * as vscode from "vscode";
import type { Extension } from "./extensionUnderTest.ts";
import { askLine, askRow, QuestionBox } from "./questionBox.ts";
import type { Answerer, Asked, Deed, Seen } from "./questionBox.ts";

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
  /** Everything that was shown in questions, messages, progress and the status bar. */
  readonly seen: Seen[] = [];
  /** Addresses that were to be opened in a browser. */
  readonly opened: string[] = [];
  /** The button for a message, which may be a modal question; none by default. */
  press: (text: string, message: Message) => string | undefined = () => undefined;
  /** What a browser does with an address; gives whether it opened. */
  browse: (address: string) => Promise<boolean> = () => Promise.resolve(true);
  /** What is done with a question that no deed was given for; it fails unless given. */
  otherwise: ((asked: Asked) => Deed) | undefined;
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
    const { withProgress, setStatusBarMessage } = window;
    this.#replace(window, "withProgress", ((options, task) => {
      const makes = options.location === vscode.ProgressLocation.Notification ? "links" : "icons";
      this.see({ text: options.title, makes });
      const reported = (progress: Parameters<typeof task>[0]): Parameters<typeof task>[0] => ({
        report: (value) => {
          this.see({ text: value.message, makes });
          progress.report(value);
        },
      });
      return withProgress(options, (progress, token) => task(reported(progress), token));
    }) satisfies typeof withProgress);
    this.#replace(window, "setStatusBarMessage", (text: string, ms: number) => {
      this.see({ text, makes: "icons" });
      return setStatusBarMessage(text, ms);
    });
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

  /** Leaves the editor's own dialogs of files, which wait for a person. */
  leavesFiles(): this {
    for (const dialog of ["showSaveDialog", "showOpenDialog"])
      this.#replace(vscode.window, dialog, () => Promise.resolve(undefined));
    return this;
  }

  /** Fails when a question was expected that never came. */
  done(): void {
    assert.deepEqual(this.#deeds, []);
  }

  answer(asked: Asked): Deed {
    this.asked.push(asked);
    const deed = this.#deeds.shift() ?? this.otherwise?.(asked);
    assert(deed !== undefined, `Nobody expected to be asked: ${asked.title} ${asked.prompt}`);
    return deed;
  }

  see(...seen: readonly Seen[]): void {
    this.seen.push(...seen);
  }

  /** What was shown that is not what it looks like: turned around, hidden, or a link or icon that somebody wrote. */
  get deceptions(): readonly string[] {
    const made = { icons: /\$\(bug\)/, links: /\]\(/, nothing: /^never$/ } as const;
    const hidden = /[\p{Bidi_Control}\p{Cc}]/u;
    return this.seen.flatMap(({ text = "", makes }) =>
      hidden.test(text.replaceAll("\n", "")) || made[makes].test(text) ? JSON.stringify(text) : [],
    );
  }

  answerAgain(refusal: string): Deed | undefined {
    this.see({ text: refusal, makes: "links" });
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
    this.see({ text: whole, makes: "links" });
    const isModal = typeof options === "object" && options !== null && "modal" in options;
    const items = [options, ...rest];
    const titles = items.map((item) =>
      typeof item === "string" ? item : (item as { readonly title?: string } | undefined)?.title,
    );
    const buttons = titles.filter((title) => title !== undefined);
    this.see(...buttons.map((title) => ({ text: title, makes: "links" }) as const));
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

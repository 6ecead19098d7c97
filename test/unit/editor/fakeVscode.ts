/**
 * As much of `vscode` as models, rows and notifications need, so that a test in plain Node can load their files: import this
 * file first, and what needs `vscode` afterwards, with `await import`.
 */

import { registerHooks } from "node:module";

/** A notification that was shown. */
export interface Shown {
  readonly text: string;
  readonly buttons: readonly { readonly title: string }[];
  /** Presses the button with this title. */
  readonly press: (title: string) => void;
}

/** What a person does with a question: types or chooses by a label, goes back, or leaves it. */
export type Reply = string | { readonly press: "Back" | "Escape" };

/** A question that was asked. */
export interface Asked {
  readonly title: string;
  readonly prompt: string;
  /** The text that stands in it at first, or the label of the row that Enter takes. */
  readonly start: string;
  readonly step: number | undefined;
  readonly totalSteps: number | undefined;
  /** The rows; none in an input box. */
  readonly labels: readonly string[];
  readonly canGoBack: boolean;
}

/** What went to the editor, the newest last, and what a person is going to reply to its questions. */
export const editor = {
  shown: [] as Shown[],
  commands: [] as (readonly unknown[])[],
  handlers: new Map<string, (...args: readonly unknown[]) => Promise<void>>(),
  replies: [] as Reply[],
  /** What modal questions said, and the button that is pressed in the next ones. */
  confirmations: [] as string[],
  pressed: [] as (string | undefined)[],
  asked: [] as Asked[],
  statusItems: [] as StatusItem[],
  /** The provider of marks on tabs and files that was registered last. */
  marks: undefined as FileMarks | undefined,
};

/** Marks of files, each made of what the editor's own is made of: badge, tooltip, color. */
export interface FileMarks {
  readonly onDidChangeFileDecorations: (listener: () => void) => unknown;
  readonly provideFileDecoration: (
    uri: unknown,
  ) => Promise<{ readonly parts: readonly unknown[] } | undefined>;
}

/** An item of the status bar, as it is now. */
export interface StatusItem {
  readonly id: string;
  shown: boolean;
  text?: string;
  tooltip?: { readonly value: string };
  command?: unknown;
}

class Item {
  readonly parts: readonly unknown[];

  constructor(...parts: readonly unknown[]) {
    this.parts = parts;
  }
}

/** Events as the editor has them. */
class EventEmitter {
  readonly #listeners = new Set<(event: unknown) => void>();

  readonly event = (listener: (event: unknown) => void): { dispose(): void } => {
    this.#listeners.add(listener);
    return { dispose: () => void this.#listeners.delete(listener) };
  };

  fire(event: unknown): void {
    for (const listener of this.#listeners) listener(event);
  }

  dispose(): void {
    this.#listeners.clear();
  }
}

class Disposed {
  readonly dispose: () => void;

  constructor(dispose: () => void) {
    this.dispose = dispose;
  }
}

interface Row {
  readonly label: string;
}

/** An input box and a list of choices in one; the next reply comes as soon as it is shown. */
class Question {
  title = "";
  prompt = "";
  step: number | undefined;
  totalSteps: number | undefined;
  value = "";
  validationMessage: unknown;
  buttons: readonly unknown[] = [];
  items: readonly Row[] = [];
  activeItems: readonly Row[] = [];
  selectedItems: readonly Row[] = [];
  readonly #accepted = new EventEmitter();
  readonly #hidden = new EventEmitter();
  readonly #pressed = new EventEmitter();
  readonly onDidAccept = this.#accepted.event;
  readonly onDidHide = this.#hidden.event;
  readonly onDidTriggerButton = this.#pressed.event;
  readonly onDidChangeValue = new EventEmitter().event;

  show(): void {
    const { title, prompt, step, totalSteps } = this;
    const start = this.items.length === 0 ? this.value : (this.activeItems[0]?.label ?? "");
    const labels = this.items.map(({ label }) => label);
    editor.asked.push({
      title,
      prompt,
      start,
      step,
      totalSteps,
      labels,
      canGoBack: this.buttons.includes(back),
    });
    const reply = editor.replies.shift() ?? { press: "Escape" };
    if (typeof reply === "string") {
      this.value = reply;
      this.selectedItems = this.items.filter(({ label }) => label === reply);
      this.#accepted.fire(undefined);
    } else if (reply.press === "Back") this.#pressed.fire(back);
    else this.hide();
  }

  hide(): void {
    this.#hidden.fire(undefined);
  }

  dispose(): void {
    this.#hidden.dispose();
  }
}

const back = { tooltip: "Back" };

const fake = {
  TreeItem: class {
    readonly label: string;
    readonly collapsibleState: number;

    constructor(label: string, collapsibleState: number) {
      this.label = label;
      this.collapsibleState = collapsibleState;
    }
  },
  ThemeIcon: Item,
  ThemeColor: Item,
  FileDecoration: Item,
  Uri: {
    joinPath: (base: string, ...path: readonly string[]) => [base, ...path].join("/"),
    from: (parts: object) => ({ ...parts }),
  },
  EventEmitter,
  QuickInputButtons: { Back: back },
  InputBoxValidationSeverity: {},
  Disposable: Object.assign(Disposed, {
    from: (...all: readonly { dispose(): void }[]) => ({
      dispose: () => {
        for (const one of all) one.dispose();
      },
    }),
  }),
  CancellationError: class extends Error {},
  TreeItemCheckboxState: { Unchecked: 0, Checked: 1 },
  TreeItemCollapsibleState: { None: 0, Collapsed: 1, Expanded: 2 },
  StatusBarAlignment: {},
  TabInputText: Item,
  TabInputTextDiff: Item,
  TabInputWebview: Item,
  MarkdownString: class {
    value = "";
    appendText(text: string): this {
      this.value += text;
      return this;
    }

    appendMarkdown(text: string): this {
      return this.appendText(text);
    }

    appendCodeblock(text: string): this {
      return this.appendText(`${text}\n`);
    }
  },
  window: {
    state: { focused: false, active: false },
    onDidChangeWindowState: new EventEmitter().event,
    createStatusBarItem: (id: string) => {
      const item: StatusItem & Record<"show" | "hide" | "dispose", () => void> = {
        id,
        shown: false,
        show: () => void (item.shown = true),
        hide: () => void (item.shown = false),
        dispose: () => void (item.shown = false),
      };
      editor.statusItems.push(item);
      return item;
    },
    tabGroups: {
      activeTabGroup: {},
      onDidChangeTabs: new EventEmitter().event,
      onDidChangeTabGroups: new EventEmitter().event,
    },
    registerFileDecorationProvider: (provider: FileMarks) => {
      editor.marks = provider;
      return { dispose: () => undefined };
    },
    createInputBox: () => new Question(),
    createQuickPick: () => new Question(),
    showErrorMessage: (text: string, ...buttons: Shown["buttons"]) =>
      new Promise((resolve) => {
        const press = (title: string): void => resolve(buttons.find((button) => button.title === title));
        editor.shown.push({ text, buttons, press });
      }),
    showWarningMessage: (text: string, { detail = "" }: { readonly detail?: string } = {}) => {
      editor.confirmations.push(`${text}\n${detail}`.trim());
      return Promise.resolve(editor.pressed.shift());
    },
    showInformationMessage: () => Promise.resolve(undefined),
  },
  /** Every setting has its default. */
  workspace: { getConfiguration: () => ({ get: (_name: string, fallback: unknown) => fallback }) },
  commands: {
    registerCommand: (id: string, handler: (...args: readonly unknown[]) => Promise<void>) => {
      editor.handlers.set(id, handler);
      return { dispose: () => void editor.handlers.delete(id) };
    },
    executeCommand: (...command: readonly unknown[]) => {
      editor.commands.push(command);
      return Promise.resolve();
    },
  },
};

Object.assign(globalThis, { fakeVscode: fake });
const names = Object.keys(fake).join(", ");
const source = `export const { ${names} } = globalThis.fakeVscode;`;
registerHooks({
  resolve: (specifier, context, next) =>
    specifier === "vscode"
      ? { url: `data:text/javascript,${encodeURIComponent(source)}`, shortCircuit: true }
      : next(specifier, context),
});

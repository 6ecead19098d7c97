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

/** What went to the editor, the newest last. */
export const editor = {
  shown: [] as Shown[],
  commands: [] as (readonly unknown[])[],
};

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

const fake = {
  TreeItem: Item,
  ThemeIcon: Item,
  ThemeColor: Item,
  EventEmitter,
  Disposable: {
    from: (...all: readonly { dispose(): void }[]) => ({
      dispose: () => {
        for (const one of all) one.dispose();
      },
    }),
  },
  CancellationError: class extends Error {},
  TreeItemCollapsibleState: {},
  window: {
    showErrorMessage: (text: string, ...buttons: Shown["buttons"]) =>
      new Promise((resolve) => {
        const press = (title: string): void => resolve(buttons.find((button) => button.title === title));
        editor.shown.push({ text, buttons, press });
      }),
    showWarningMessage: () => Promise.resolve(undefined),
    showInformationMessage: () => Promise.resolve(undefined),
  },
  commands: {
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

/** A choice among more than can be shown: what is typed is searched for where the things are. */

import * as vscode from "vscode";
import { inert, visible } from "../words.ts";
import { shown } from "./questions.ts";

/** What is asked, and where the answers come from. */
export interface TypedQuestion<Item extends vscode.QuickPickItem> {
  readonly title: string;
  readonly placeholder: string;
  /** The choices for a text, the empty one first; what it throws ends the question, unless somebody typed on. */
  find(text: string, signal: AbortSignal): Promise<readonly Item[]>;
  /** Tells what an item stands for, however often it is found. */
  id(item: Item): string;
}

/** How long somebody who types is left alone, in milliseconds. */
const typingMs = 250;

/** The chosen item; throws CancellationError when nobody chose. */
export async function chooseByTyping<Item extends vscode.QuickPickItem>(
  question: TypedQuestion<Item>,
): Promise<Item> {
  const pick = vscode.window.createQuickPick<Item>();
  pick.title = inert(question.title);
  pick.placeholder = visible(question.placeholder);
  // The first row is the one that Enter takes; a row that somebody went to stays that one when others are found.
  const show = (items: readonly Item[]): void => {
    const [active] = pick.activeItems;
    const goneTo = active === undefined || active === pick.items[0] ? undefined : question.id(active);
    const kept = items.find((item) => question.id(item) === goneTo);
    pick.items = items;
    if (kept !== undefined) pick.activeItems = [kept];
  };
  let asking = new AbortController();
  /** The text that the rows answer. */
  let answered = "";
  const load = async (text: string): Promise<void> => {
    asking.abort();
    const { signal } = (asking = new AbortController());
    pick.busy = true;
    try {
      const items = (await question.find(text, signal)).map(shown);
      // Somebody typed on: the answer is to another question.
      if (signal.aborted || pick.value !== text) return;
      show(items);
      answered = text;
      pick.busy = false;
    } catch (error) {
      if (!signal.aborted) throw error;
    }
  };
  let typing: NodeJS.Timeout | undefined;
  try {
    return await new Promise<Item>((resolve, reject) => {
      pick.onDidChangeValue((text) => {
        clearTimeout(typing);
        typing = setTimeout(() => void load(text).catch(reject), typingMs);
      });
      pick.onDidAccept(() => {
        const [item] = pick.selectedItems;
        if (pick.value === answered || item !== pick.items[0]) {
          if (item !== undefined) resolve(item);
          return;
        }
        // Right after typing the first row still answers another text: it is taken where it is the first of this one, too.
        clearTimeout(typing);
        const seen = item === undefined ? undefined : question.id(item);
        void load(pick.value).then(() => {
          const [first] = pick.items;
          if (first !== undefined && question.id(first) === seen && pick.value === answered) resolve(first);
        }, reject);
      });
      pick.onDidHide(() => reject(new vscode.CancellationError()));
      void load("").catch(reject);
      pick.show();
    });
  } finally {
    clearTimeout(typing);
    asking.abort();
    pick.dispose();
  }
}

/** A choice among what is read page by page: the last row reads on. */

import * as vscode from "vscode";
import { inert, visible } from "../words.ts";
import { shown } from "./questions.ts";

/** What is asked, and where the choices come from. */
export interface PagedQuestion<Item extends vscode.QuickPickItem> {
  readonly title: string;
  readonly placeholder: string;
  /** Read only as far as somebody goes on, and no further once the question is over; what it throws ends it. */
  items(signal: AbortSignal): AsyncIterable<Item>;
  /** The row that reads on. */
  readonly more: string;
}

/** What was chosen, by the item itself or by one of its buttons. */
export interface PagedChoice<Item> {
  readonly item: Item;
  readonly button: vscode.QuickInputButton | undefined;
}

const pageSize = 20;

/** Throws CancellationError when nobody chose. */
export async function chooseFromPages<Item extends vscode.QuickPickItem>(
  question: PagedQuestion<Item>,
): Promise<PagedChoice<Item>> {
  const pick = vscode.window.createQuickPick<Item | typeof more>();
  const more: vscode.QuickPickItem = { label: question.more, alwaysShow: true, iconPath: moreIcon };
  const over = new AbortController();
  const rest = question.items(over.signal)[Symbol.asyncIterator]();
  let items: readonly Item[] = [];
  const isItem = (row: Item | typeof more): row is Item => row !== more;
  const readOn = async (): Promise<void> => {
    pick.busy = true;
    const page = (await pageOf(rest)).map(shown);
    const [first] = page;
    items = [...items, ...page];
    pick.items = page.length < pageSize ? items : [...items, more];
    // The list stands where it was: at the first row that came.
    if (first !== undefined) pick.activeItems = [first];
    pick.busy = false;
  };
  pick.title = inert(question.title);
  pick.placeholder = visible(question.placeholder);
  pick.matchOnDescription = true;
  pick.matchOnDetail = true;
  pick.keepScrollPosition = true;
  try {
    return await new Promise((resolve, reject) => {
      pick.onDidAccept(() => {
        const [row] = pick.selectedItems;
        if (row === more && !pick.busy) void readOn().catch(reject);
        else if (row !== undefined && isItem(row)) resolve({ item: row, button: undefined });
      });
      pick.onDidTriggerItemButton(({ item, button }) => {
        if (isItem(item)) resolve({ item, button });
      });
      pick.onDidHide(() => reject(new vscode.CancellationError()));
      void readOn().catch(reject);
      pick.show();
    });
  } finally {
    pick.dispose();
    over.abort();
    // Nobody waits for a page any more, nor for how its reading ends.
    void rest.return?.().catch(() => undefined);
  }
}

const moreIcon = new vscode.ThemeIcon("fold-down");

async function pageOf<T>(rest: AsyncIterator<T>): Promise<readonly T[]> {
  const page: T[] = [];
  while (page.length < pageSize) {
    const next = await rest.next();
    if (next.done === true) break;
    page.push(next.value);
  }
  return page;
}

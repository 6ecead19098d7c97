/** What the commands of a noun are: one handler for each of its ids, none missing and none of another noun. */

import * as vscode from "vscode";
import { type CommandIdOf, type Noun, VIEWS } from "./ids.ts";

/** What a command does; menus give it the row and all selected ones, keys an array, the palette nothing. */
export type CommandHandler = (...args: readonly unknown[]) => Promise<void> | void;

/** A handler for every command of a noun. */
export type CommandsOf<N extends Noun> = {
  readonly [id in CommandIdOf<N>]: CommandHandler;
};

/** Puts the focus into a view: the button of an empty view goes away with what it was pressed for. */
export async function focusView(view: keyof typeof VIEWS): Promise<void> {
  await vscode.commands.executeCommand(`${VIEWS[view]}.focus`);
}

/** What the commands of a noun are: one handler for each of its ids, none missing and none of another noun. */

import * as vscode from "vscode";
import { type CommandId, VIEWS } from "./ids.ts";

/** What a command does; menus give it the row and all selected ones, keys an array, the palette nothing. */
export type CommandHandler = (...args: readonly unknown[]) => Promise<void> | void;

type NounIn<Id extends string> = Id extends `agentOperations.${infer Noun}.${string}` ? Noun : never;

/** What commands are about, the middle of their ids. */
export type Noun = NounIn<CommandId>;

/** A handler for every command of a noun. */
export type CommandsOf<N extends Noun> = {
  readonly [id in Extract<CommandId, `agentOperations.${N}.${string}`>]: CommandHandler;
};

/** Puts the focus into a view: the button of an empty view goes away with what it was pressed for. */
export async function focusView(view: keyof typeof VIEWS): Promise<void> {
  await vscode.commands.executeCommand(`${VIEWS[view]}.focus`);
}

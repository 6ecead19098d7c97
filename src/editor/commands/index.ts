/** All commands in one table: a command without a handler does not compile, and there is one catch. */

import * as vscode from "vscode";
import { COMMANDS, VIEWS } from "../ids.ts";
import type { CommandId } from "../ids.ts";
import type { Services } from "../services.ts";

export type CommandTable = {
  readonly [id in CommandId]: (...args: readonly unknown[]) => Promise<void> | void;
};

/** Registers every command; whatever a handler throws is reported here, once, under the command's title. */
export function registerCommands(table: CommandTable, { context, report }: Services): vscode.Disposable {
  const titles = titlesOf(context.extension.packageJSON);
  return vscode.Disposable.from(
    ...COMMANDS.map((id) =>
      vscode.commands.registerCommand(id, async (...args: readonly unknown[]) => {
        try {
          await table[id](...args);
        } catch (error) {
          report.failure(titles.get(id) ?? id, error, connectionOf(args[0]));
        }
      }),
    ),
  );
}

/** The connection that a tree node or another caller names; undefined from the palette. */
export function connectionOf(argument: unknown): { readonly connectionId: string } | undefined {
  if (typeof argument !== "object" || argument === null || !("connectionId" in argument)) return undefined;
  const { connectionId } = argument;
  return typeof connectionId === "string" ? { connectionId } : undefined;
}

/** Puts the focus into a view: the button of an empty view goes away with what it was pressed for. */
export async function focusView(view: keyof typeof VIEWS): Promise<void> {
  await vscode.commands.executeCommand(`${VIEWS[view]}.focus`);
}

function titlesOf(manifest: unknown): ReadonlyMap<string, string> {
  const { contributes } = manifest as { contributes: { commands: { command: string; title: string }[] } };
  return new Map(contributes.commands.map(({ command, title }) => [command, title.replace(/…$/, "")]));
}

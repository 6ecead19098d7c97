/** All commands in one table: a command without a handler does not compile, and there is one catch. */

import * as vscode from "vscode";
import { COMMANDS, VIEWS } from "../kit/ids.ts";
import type { CommandId } from "../kit/ids.ts";
import type { Services } from "../services.ts";

/** A handler for every command. */
export type CommandTable = {
  readonly [id in CommandId]: (...args: readonly unknown[]) => Promise<void> | void;
};

/** What of package.json is needed here. */
interface Manifest {
  readonly contributes: {
    readonly commands: readonly { readonly command: string; readonly title: string }[];
    readonly keybindings: readonly { readonly command: string }[];
  };
}

/** Registers every command; whatever a handler throws is reported here, once, under the command's title. */
export function registerCommands(table: CommandTable, { context, report }: Services): vscode.Disposable {
  const { contributes } = context.extension.packageJSON as Manifest;
  const titles = titlesOf(contributes);
  const registered = vscode.Disposable.from(
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
  readyKeys(contributes);
  return registered;
}

/** The connection that a row, a row under a key or another caller names; undefined from the palette. */
export function connectionOf(argument: unknown): { readonly connectionId: string } | undefined {
  if (Array.isArray(argument)) return connectionOf(argument[0]);
  if (typeof argument !== "object" || argument === null) return undefined;
  if (!("connectionId" in argument)) return "ref" in argument ? connectionOf(argument.ref) : undefined;
  const { connectionId } = argument;
  return typeof connectionId === "string" ? { connectionId } : undefined;
}

/** Puts the focus into a view: the button of an empty view goes away with what it was pressed for. */
export async function focusView(view: keyof typeof VIEWS): Promise<void> {
  await vscode.commands.executeCommand(`${VIEWS[view]}.focus`);
}

/**
 * The editor holds a command's first call back until the extension is known to be active, and looks up the row that
 * has the focus only then, when it may be another one. So the first call of each command with a key is made here, as
 * by a key on no row.
 */
function readyKeys({ keybindings }: Manifest["contributes"]): void {
  const keyed = [...new Set(keybindings.map(({ command }) => command))];
  const commands = keyed.map((command) => ({ command, args: [[]] }));
  void vscode.commands.executeCommand("runCommands", { commands });
}

function titlesOf({ commands }: Manifest["contributes"]): ReadonlyMap<string, string> {
  return new Map(commands.map(({ command, title }) => [command, title.replace(/…$/, "")]));
}

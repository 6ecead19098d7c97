/** What menus, keys and empty views ask for: the context keys of `package.json`. */

import * as vscode from "vscode";
import type { CONTEXTS } from "./ids.ts";

/** The name of one of them. */
export type ContextKey = (typeof CONTEXTS)[keyof typeof CONTEXTS];

/** As JSON, by key: what the editor was told last, which it keeps for as long as this process lives. */
const told = new Map<ContextKey, string | undefined>();

/** Tells the editor a value where it is another one: it looks through its menus and keys for each that it is told. */
export function setContext(key: ContextKey, value: unknown): void {
  const json = JSON.stringify(value);
  if (told.has(key) && told.get(key) === json) return;
  told.set(key, json);
  void vscode.commands.executeCommand("setContext", key, value);
}

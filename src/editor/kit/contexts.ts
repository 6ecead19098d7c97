/** What menus, keys and empty views ask for: the context keys of `package.json`. */

import * as vscode from "vscode";
import type { CONTEXTS } from "./ids.ts";

/** The name of one of them. */
export type ContextKey = (typeof CONTEXTS)[keyof typeof CONTEXTS];

/** The last value of each, as JSON: the editor keeps it for as long as this process lives. */
const lastValues = new Map<ContextKey, string | undefined>();

/** Sets a value where it is another one: for each that is set the editor looks through its menus and keys. */
export function setContext(key: ContextKey, value: unknown): void {
  const json = JSON.stringify(value);
  if (lastValues.has(key) && lastValues.get(key) === json) return;
  lastValues.set(key, json);
  void vscode.commands.executeCommand("setContext", key, value);
}

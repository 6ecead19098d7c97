import type { Page } from "playwright-core";

import { until } from "./waiting.ts";

/**
 * Waits until the window has written down an editor and the thread in it: a window in a browser saves every few
 * seconds, and a reload leaves it no time for a last word.
 */
export async function windowSaved(page: Page, title: string): Promise<void> {
  await until(`the window has saved the editor "${title}"`, async () => {
    const { editors, places } = await page.evaluate<Saved>(readSaved);
    return (
      editors.includes(title) && places.length > 0 && places.every(({ threadId }) => threadId !== undefined)
    );
  });
}

/** Waits until the window has written down that it waits for a tool server to be connected. */
export async function attemptSaved(page: Page, serverName: string): Promise<void> {
  await until(`the window has saved that "${serverName}" is being connected`, async () => {
    const { attempts } = await page.evaluate<Saved>(readSaved);
    return attempts.some((attempt) => attempt.serverName === serverName);
  });
}

interface Saved {
  /** The open editors, as the window keeps them. */
  readonly editors: string;
  /** Which thread each run panel shows. */
  readonly places: readonly { readonly threadId?: string }[];
  /** Attempts to connect to tool servers that are waited for. */
  readonly attempts: readonly { readonly serverName: string }[];
}

const readSaved = `(async () => {
  const asked = (request) => new Promise((settle, fail) => {
    request.onsuccess = () => settle(request.result);
    request.onerror = () => fail(request.error);
  });
  const saved = { editors: "", places: [], attempts: [] };
  for (const { name } of await indexedDB.databases()) {
    if (!name.startsWith("vscode-web-state-db-") || name.endsWith("global")) continue;
    const database = await asked(indexedDB.open(name));
    const items = database.transaction("ItemTable").objectStore("ItemTable");
    const editors = asked(items.get("memento/workbench.parts.editor"));
    const ours = asked(items.get("agent-operations.agent-operations"));
    saved.editors += (await editors) ?? "";
    const { "runPanel.places": places, "authAttempts.waiting": attempts } = JSON.parse((await ours) ?? "{}");
    saved.places.push(...(places ?? []).map(([, place]) => place));
    saved.attempts.push(...(attempts ?? []));
    database.close();
  }
  return saved;
})()`;

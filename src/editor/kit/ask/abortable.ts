import * as vscode from "vscode";
import { inert } from "../words.ts";

/** Does long work under a notification whose Cancel aborts it. */
export async function abortable<T>(
  title: string,
  work: (signal: AbortSignal, tell: (message: string) => void) => Promise<T>,
): Promise<T> {
  const options = {
    location: vscode.ProgressLocation.Notification,
    title: inert(title),
    cancellable: true,
  };
  return vscode.window.withProgress(options, async (progress, token) => {
    const abort = new AbortController();
    const listener = token.onCancellationRequested(() => abort.abort());
    try {
      return await work(abort.signal, (message) => progress.report({ message: inert(message) }));
    } finally {
      listener.dispose();
    }
  });
}

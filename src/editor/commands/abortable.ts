import * as vscode from "vscode";

/** Does long work under a notification whose Cancel aborts it. */
export async function abortable<T>(
  title: string,
  work: (signal: AbortSignal, tell: (message: string) => void) => Promise<T>,
): Promise<T> {
  const location = vscode.ProgressLocation.Notification;
  return vscode.window.withProgress({ location, title, cancellable: true }, async (progress, token) => {
    const abort = new AbortController();
    const listener = token.onCancellationRequested(() => abort.abort());
    try {
      return await work(abort.signal, (message) => progress.report({ message }));
    } finally {
      listener.dispose();
    }
  });
}

/** The one content provider of our scheme: each kind of virtual document has some of its paths. */

import * as vscode from "vscode";
import { SCHEME } from "../kit/ids.ts";
import type { Later, LaterPart } from "../kit/later.ts";

/** One kind of virtual documents. */
export interface DocumentKind extends LaterPart {
  /** The document's text as it is now; what it throws is shown by the editor in its place. */
  text(uri: vscode.Uri): Promise<string> | string;
  /** Documents that are to be read again. */
  readonly onDidChange: vscode.Event<vscode.Uri>;
}

/** Serves the documents of all kinds, by their paths; a path of no kind has no document. */
export function serveDocuments(
  kinds: readonly (readonly [paths: RegExp, kind: Later<DocumentKind>])[],
): vscode.Disposable {
  const changed = new vscode.EventEmitter<vscode.Uri>();
  for (const [, { made }] of kinds) void made.then((kind) => kind.onDidChange((uri) => changed.fire(uri)));
  const provider: vscode.TextDocumentContentProvider = {
    onDidChange: changed.event,
    provideTextDocumentContent: async (uri) => {
      const kind = kinds.find(([paths]) => paths.test(uri.path))?.[1];
      return (await kind?.get())?.text(uri);
    },
  };
  return vscode.Disposable.from(
    changed,
    vscode.workspace.registerTextDocumentContentProvider(SCHEME, provider),
  );
}

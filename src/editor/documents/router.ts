/** The one content provider of our scheme: each kind of virtual document owns some of its paths. */

import * as vscode from "vscode";
import { SCHEME } from "../kit/ids.ts";

/** One kind of virtual documents. */
export interface DocumentKind {
  /** Whether this kind of documents has such paths. */
  owns(path: string): boolean;
  /** The document's text as it is now; what it throws is shown by the editor in its place. */
  text(uri: vscode.Uri): Promise<string> | string;
  /** Documents that are to be read again. */
  readonly onDidChange: vscode.Event<vscode.Uri>;
}

/** Serves the documents of all kinds; a path of no kind has no document. */
export function serveDocuments(kinds: readonly DocumentKind[]): vscode.Disposable {
  const changed = new vscode.EventEmitter<vscode.Uri>();
  const provider: vscode.TextDocumentContentProvider = {
    onDidChange: changed.event,
    provideTextDocumentContent: (uri) => kinds.find((kind) => kind.owns(uri.path))?.text(uri),
  };
  return vscode.Disposable.from(
    changed,
    ...kinds.map((kind) => kind.onDidChange((uri) => changed.fire(uri))),
    vscode.workspace.registerTextDocumentContentProvider(SCHEME, provider),
  );
}

/** The audit log as a read-only document, one JSON object per line, which grows as something is changed. */

import * as vscode from "vscode";
import type { AuditLog } from "../audit/auditLog.ts";
import { SCHEME } from "../kit/ids.ts";
import type { DocumentKind } from "./router.ts";

const uri = vscode.Uri.from({ scheme: SCHEME, path: "/audit/Audit Log.jsonl" });

/** The one document of its kind. */
export class AuditDocument implements DocumentKind {
  readonly #audit: AuditLog;
  readonly #changed = new vscode.EventEmitter<vscode.Uri>();
  readonly onDidChange = this.#changed.event;
  readonly #subscription: vscode.Disposable;

  constructor({ audit }: { readonly audit: AuditLog }) {
    this.#audit = audit;
    this.#subscription = audit.onDidWrite(() => this.#changed.fire(uri));
  }

  text(): Promise<string> {
    return this.#audit.text();
  }

  /** Shows it from its end, where the newest line is. */
  async show(): Promise<void> {
    this.#changed.fire(uri);
    const document = await vscode.workspace.openTextDocument(uri);
    const end = document.lineAt(document.lineCount - 1).range.end;
    await vscode.window.showTextDocument(document, { selection: new vscode.Range(end, end) });
  }

  dispose(): void {
    this.#subscription.dispose();
    this.#changed.dispose();
  }
}

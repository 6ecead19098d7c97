/** What was changed on which connection, and who asked for it: a line in the log and in a file for each request. */

import * as vscode from "vscode";
import type { MadeChange } from "../connections/transport.ts";
import { adviceFor } from "../kit/remedies.ts";
import { AuditFile } from "./auditFile.ts";

/** One line of the file; holds no body, no header and no value of a query. */
export interface AuditEntry {
  /** When it was answered, or failed: a timestamp. */
  readonly at: string;
  /** The command, the document or the run panel that asked for it; "" for what the extension does by itself. */
  readonly by: string;
  /** What a person agreed to. */
  readonly agreed?: string;
  readonly connection: string;
  readonly connectionId: string;
  readonly protected?: string;
  readonly method: string;
  readonly url: string;
  /** The status, or the kind of the failure where there was no answer. */
  readonly result: number | string;
  /** Until the answer's head. */
  readonly ms: number;
  readonly requestId?: string;
}

interface AuditServices {
  readonly context: Pick<vscode.ExtensionContext, "globalStorageUri">;
  readonly log: Pick<vscode.LogOutputChannel, "info" | "error">;
  readonly transport: { readonly onDidMakeChange: vscode.Event<MadeChange> };
}

/** Writes the lines, as long as the extension runs. */
export class AuditLog implements vscode.Disposable {
  readonly #file: AuditFile;
  readonly #log: AuditServices["log"];
  readonly #written = new vscode.EventEmitter<AuditEntry>();
  /** A line more. */
  readonly onDidWrite = this.#written.event;
  readonly #subscription: vscode.Disposable;
  #hasFailed = false;

  constructor({ context, log, transport }: AuditServices) {
    this.#file = new AuditFile(vscode.Uri.joinPath(context.globalStorageUri, "audit").fsPath);
    this.#log = log;
    this.#subscription = transport.onDidMakeChange(
      (change) => void this.#write(auditEntry(change, new Date())),
    );
  }

  /** All lines that are kept, the oldest first. */
  text(): Promise<string> {
    return this.#file.text();
  }

  dispose(): void {
    this.#subscription.dispose();
    this.#written.dispose();
  }

  async #write(entry: AuditEntry): Promise<void> {
    this.#log.info(auditLine(entry));
    try {
      await this.#file.append(JSON.stringify(entry));
    } catch (error) {
      if (!this.#hasFailed) this.#log.error(`The audit log can't be written: ${adviceFor(error).message}`);
      this.#hasFailed = true;
    }
    this.#written.fire(entry);
  }
}

/** What is kept of a change. */
function auditEntry({ connection, exchange, by = "", agreed }: MadeChange, now: Date): AuditEntry {
  const { method, url, status, error, ms, requestId } = exchange;
  return {
    at: now.toISOString(),
    by,
    ...(agreed !== undefined && { agreed }),
    connection: connection.name,
    connectionId: connection.id,
    ...(connection.protected !== undefined && { protected: connection.protected }),
    method,
    url,
    result: status ?? error ?? "",
    ms: Math.round(ms),
    ...(requestId !== undefined && { requestId }),
  };
}

/** The entry as one line for a person. */
function auditLine(entry: AuditEntry): string {
  const { by, connection, method, url, result, ms, requestId } = entry;
  const shield = entry.protected === undefined ? "" : " (protected)";
  const id = requestId === undefined ? "" : `, request ${requestId}`;
  return `Change on “${connection}”${shield} by ${by || "the extension"}: ${method} ${url} ${String(result)}, ${String(ms)} ms${id}`;
}

/** Opens `*.parquet` as a table that can only be read. */

import * as vscode from "vscode";
import type { FromTable, TableFacts, ToTable } from "../../table/messages.ts";
import { ParquetError } from "../../table/parquetError.ts";
import { ApiError } from "../../api/errors.ts";
import { isCancellation } from "../kit/report.ts";
import { adviceFor, RemediableError } from "../kit/remedies.ts";
import { isExportedFile } from "./bucketFiles.ts";
import { pageHtml, pageRoots } from "../kit/webviewPage.ts";
import { type TableFile, TableReader } from "./tableReader.ts";
import { tableRequestOf } from "./tableRequest.ts";

/** A whole value is shown up to so many characters. */
const longestValue = 2_000_000;

/** Shows a file's table in an editor's tab. */
export function showTable(
  extensionUri: vscode.Uri,
  document: ParquetDocument,
  panel: vscode.WebviewPanel,
): void {
  const { webview } = panel;
  webview.options = { enableScripts: true, localResourceRoots: [...pageRoots(extensionUri)] };
  const send = (message: ToTable): void => {
    void webview.postMessage(message);
  };
  const listeners = vscode.Disposable.from(
    webview.onDidReceiveMessage((message: unknown) => void document.answer(message, send)),
    document.onDidChange(() => void document.answer({ type: "ready" }, send)),
  );
  panel.onDidDispose(() => {
    listeners.dispose();
  });
  webview.html = pageHtml(webview, extensionUri, {
    title: "Parquet table",
    styleSheet: "parquet.css",
    script: "parquet.js",
  });
}

interface Opened {
  readonly reader: TableReader;
  readonly facts: TableFacts;
}

/** One file; opened when its page first asks, and again when the file was replaced. */
export class ParquetDocument implements vscode.CustomDocument {
  readonly uri: vscode.Uri;
  readonly #watcher: vscode.FileSystemWatcher;
  readonly #changed = new vscode.EventEmitter<void>();
  /** The file was written anew. */
  readonly onDidChange = this.#changed.event;
  readonly #program: string;
  readonly #fileOf: (uri: vscode.Uri) => Promise<TableFile>;
  #opened: Promise<Opened> | undefined;

  /** `exported` finds a file that lies in a bucket. */
  constructor(uri: vscode.Uri, extensionUri: vscode.Uri, exported: (uri: vscode.Uri) => Promise<TableFile>) {
    this.uri = uri;
    this.#fileOf = isExportedFile(uri) ? exported : fileOf;
    this.#program = vscode.Uri.joinPath(extensionUri, "dist", "parquetReader.js").fsPath;
    const pattern = new vscode.RelativePattern(
      vscode.Uri.joinPath(uri, ".."),
      nameOf(uri).replace(/[[\]{}*?]/g, "?"),
    );
    this.#watcher = vscode.workspace.createFileSystemWatcher(pattern, false, false, true);
    this.#watcher.onDidChange(() => this.#renew());
    this.#watcher.onDidCreate(() => this.#renew());
  }

  /** Does what the page asks for; any other message is left alone. */
  async answer(message: unknown, send: (message: ToTable) => void): Promise<void> {
    try {
      const { reader, facts } = await this.#file();
      const request = tableRequestOf(message, facts);
      if (request !== undefined) await answerRequest(request, reader, send);
    } catch (error) {
      send({ type: "failed", ...problemOf(error) });
    }
  }

  dispose(): void {
    this.#watcher.dispose();
    this.#changed.dispose();
    this.#close();
  }

  /** A file that could not be opened is tried again when it is asked for again. */
  #file(): Promise<Opened> {
    const opening = (this.#opened ??= open(() => this.#fileOf(this.uri), this.#program));
    opening.catch(() => {
      if (this.#opened === opening) this.#opened = undefined;
    });
    return opening;
  }

  #renew(): void {
    this.#close();
    this.#changed.fire();
  }

  #close(): void {
    void this.#opened?.then(
      ({ reader }) => reader.close(),
      () => undefined,
    );
    this.#opened = undefined;
  }
}

async function answerRequest(
  request: FromTable,
  reader: TableReader,
  send: (message: ToTable) => void,
): Promise<void> {
  switch (request.type) {
    case "ready":
      send({ type: "table", facts: await reader.facts() });
      return;
    case "read": {
      const { rowStart, rowEnd, columns } = request;
      const range = { rowStart, rowEnd, columns };
      send({ type: "cells", range, columns: await reader.read(range) });
      return;
    }
    case "open":
    case "copy": {
      const { row, column } = request;
      try {
        const value = await reader.value(row, column, longestValue);
        if (request.type === "open") send({ type: "cell", row, column, ...value });
        else await vscode.env.clipboard.writeText(value.cell.text);
      } catch (error) {
        send({ type: "cellFailed", row, column, problem: problemOf(error).message });
      }
      return;
    }
    default:
      request satisfies never;
  }
}

async function open(find: () => Promise<TableFile>, program: string): Promise<Opened> {
  const reader = new TableReader(await find(), { program });
  return { reader, facts: await reader.facts() };
}

/** A file is read range by range; only where that can't be done, as a whole. Throws what the file system says. */
async function fileOf(uri: vscode.Uri): Promise<TableFile> {
  const name = nameOf(uri);
  if (uri.scheme === "file") return { name, path: uri.fsPath };
  return { name, bytes: await vscode.workspace.fs.readFile(uri) };
}

function nameOf(uri: vscode.Uri): string {
  return uri.path.split("/").at(-1) ?? "";
}

function problemOf(error: unknown): { readonly message: string; readonly remedy: string } {
  if (error instanceof ParquetError || error instanceof RemediableError) {
    return { message: error.message, remedy: error.remedy };
  }
  if (isCancellation(error))
    return { message: "You did not want this file to be read.", remedy: "Open it again to be asked anew." };
  if (error instanceof ApiError) return adviceFor(error);
  const message = error instanceof Error ? error.message : String(error);
  return { message, remedy: "Check that the file is still there and can be read." };
}

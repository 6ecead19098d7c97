/** Opens `*.parquet` as a table that can only be read. */

import * as vscode from "vscode";
import type { KeysRequest, TableFacts, ToTable } from "../../table/messages.ts";
import { ParquetError, parquetErrorOf } from "../../table/parquetError.ts";
import { isCancellation } from "../kit/report.ts";
import { adviceFor } from "../kit/remedies.ts";
import { isExportedFile } from "./bucketFiles.ts";
import { pageHtml, pageRoots } from "../kit/webviewPage.ts";
import { ShownTable, type TablePage } from "./shownTable.ts";
import { type TableFile, TableReader } from "./tableReader.ts";
import { tableRequestOf } from "./tableRequest.ts";

/** Shows a file's table in an editor's tab. */
export function showTable(
  extensionUri: vscode.Uri,
  document: ParquetDocument,
  panel: vscode.WebviewPanel,
): void {
  const { webview } = panel;
  webview.options = { enableScripts: true, localResourceRoots: [...pageRoots(extensionUri)] };
  const tab: TableTab = {
    send: (message) => void webview.postMessage(message),
    copy: async (text) => vscode.env.clipboard.writeText(text),
  };
  const listeners = vscode.Disposable.from(
    webview.onDidReceiveMessage((message: unknown) => void document.answer(message, tab)),
    document.onDidChange(() => void document.answer({ type: "ready" }, tab)),
    { dispose: () => tab.shown?.reset() },
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

/** A tab that shows the file, with what it shows of it. */
interface TableTab extends TablePage {
  shown?: ShownTable;
}

interface Opened {
  readonly reader: TableReader;
  readonly facts: TableFacts;
}

/** Finds a file that lies in a bucket; asks a person for other keys of the bucket where they are wanted. */
type ExportedFile = (uri: vscode.Uri, otherKeys: boolean) => Promise<TableFile>;

/** One file; opened when its page first asks, and again when the file was replaced. */
export class ParquetDocument implements vscode.CustomDocument {
  readonly uri: vscode.Uri;
  readonly #watcher: vscode.FileSystemWatcher;
  readonly #changed = new vscode.EventEmitter<void>();
  /** The file was written anew. */
  readonly onDidChange = this.#changed.event;
  readonly #program: string;
  readonly #fileOf: ExportedFile;
  #opened: Promise<Opened> | undefined;

  /** `exported` finds a file that lies in a bucket. */
  constructor(uri: vscode.Uri, extensionUri: vscode.Uri, exported: ExportedFile) {
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
  async answer(message: unknown, tab: TableTab): Promise<void> {
    try {
      if (isKeysRequest(message)) {
        await this.#openWithOtherKeys();
        return;
      }
      const { reader, facts } = await this.#file();
      if (tab.shown?.reader !== reader) {
        tab.shown?.reset();
        tab.shown = new ShownTable(reader, facts, tab);
      }
      const request = tableRequestOf(message, facts);
      if (request !== undefined) await tab.shown.answer(request);
    } catch (error) {
      tab.send({ type: "failed", ...problemOf(error) });
    }
  }

  dispose(): void {
    this.#watcher.dispose();
    this.#changed.dispose();
    this.#close();
  }

  /** A file that could not be opened is tried again when it is asked for again. */
  #file(): Promise<Opened> {
    const opening = (this.#opened ??= open(() => this.#fileOf(this.uri, false), this.#program));
    opening.catch(() => {
      if (this.#opened === opening) this.#opened = undefined;
    });
    return opening;
  }

  /** Without keys the page stays as it is. */
  async #openWithOtherKeys(): Promise<void> {
    try {
      await this.#fileOf(this.uri, true);
    } catch (error) {
      if (isCancellation(error)) return;
      throw error;
    }
    this.#renew();
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

async function open(find: () => Promise<TableFile>, program: string): Promise<Opened> {
  const reader = new TableReader(await find(), { program });
  return { reader, facts: await reader.facts() };
}

/** A file is read range by range; only where that can't be done, as a whole; throws ParquetError. */
async function fileOf(uri: vscode.Uri): Promise<TableFile> {
  const name = nameOf(uri);
  if (uri.scheme === "file") return { name, path: uri.fsPath };
  try {
    return { name, bytes: await vscode.workspace.fs.readFile(uri) };
  } catch (error) {
    throw parquetErrorOf(error);
  }
}

function nameOf(uri: vscode.Uri): string {
  return uri.path.split("/").at(-1) ?? "";
}

function isKeysRequest(message: unknown): message is KeysRequest {
  return typeof message === "object" && message !== null && "type" in message && message.type === "otherKeys";
}

function problemOf(error: unknown): Omit<Extract<ToTable, { type: "failed" }>, "type"> {
  const { message, remedy } = isCancellation(error)
    ? { message: "You did not want this file to be read.", remedy: "Open it again to be asked anew." }
    : adviceFor(error);
  return { message, remedy, refused: error instanceof ParquetError && error.reason === "refused" };
}

/** Opens `*.parquet` as a table that can only be read. */

import { type FileHandle, open as openHandle } from "node:fs/promises";
import * as vscode from "vscode";
import type { FromTable, ToTable } from "../../table/messages.ts";
import type { ByteSource, ParquetTable } from "../../table/parquetTable.ts";
import { pageHtml, pageRoots } from "../kit/webviewPage.ts";
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

/** A file's bytes, until they are closed. */
interface FileBytes extends ByteSource {
  close(): void;
}

interface Opened {
  readonly bytes: FileBytes;
  readonly table: ParquetTable;
}

/** One file; opened when its page first asks, and again when the file was replaced. */
export class ParquetDocument implements vscode.CustomDocument {
  readonly uri: vscode.Uri;
  readonly #watcher: vscode.FileSystemWatcher;
  readonly #changed = new vscode.EventEmitter<void>();
  /** The file was written anew. */
  readonly onDidChange = this.#changed.event;
  #opened: Promise<Opened> | undefined;

  constructor(uri: vscode.Uri) {
    this.uri = uri;
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
      const { table } = await this.#file();
      const request = tableRequestOf(message, table.facts);
      if (request !== undefined) await answerRequest(request, table, send);
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
    const opening = (this.#opened ??= open(this.uri));
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
      ({ bytes }) => bytes.close(),
      () => undefined,
    );
    this.#opened = undefined;
  }
}

async function answerRequest(
  request: FromTable,
  table: ParquetTable,
  send: (message: ToTable) => void,
): Promise<void> {
  switch (request.type) {
    case "ready":
      send({ type: "table", facts: table.facts });
      return;
    case "read": {
      const { rowStart, rowEnd, columns } = request;
      const range = { rowStart, rowEnd, columns };
      send({ type: "cells", range, columns: await table.read(range) });
      return;
    }
    case "open":
    case "copy": {
      const { row, column } = request;
      try {
        const value = await table.value(row, column, longestValue);
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

/** The reader is loaded with the first file. */
async function open(uri: vscode.Uri): Promise<Opened> {
  const [{ openParquet }, { DECOMPRESSORS }] = await Promise.all([
    import("../../table/parquetTable.ts"),
    import("./decompressors.ts"),
  ]);
  const bytes = await openFile(uri);
  try {
    return { bytes, table: await openParquet(nameOf(uri), bytes, DECOMPRESSORS) };
  } catch (error) {
    bytes.close();
    throw error;
  }
}

/** Opens a file to be read range by range; only where that can't be done, as a whole. Throws what the file system says. */
async function openFile(uri: vscode.Uri): Promise<FileBytes> {
  if (uri.scheme === "file") return handleBytes(await openHandle(uri.fsPath, "r"));
  const bytes = await vscode.workspace.fs.readFile(uri);
  return {
    byteLength: bytes.byteLength,
    slice: (start, end) => bytes.slice(start, end).buffer,
    close: () => undefined,
  };
}

async function handleBytes(handle: FileHandle): Promise<FileBytes> {
  const { size } = await handle.stat();
  return {
    byteLength: size,
    slice: async (start, end = size) => {
      const bytes = new Uint8Array(end - start);
      let filled = 0;
      while (filled < bytes.length) {
        const { bytesRead } = await handle.read(bytes, filled, bytes.length - filled, start + filled);
        if (bytesRead === 0) throw new Error("the file ends too early");
        filled += bytesRead;
      }
      return bytes.buffer;
    },
    close: () => void handle.close(),
  };
}

function nameOf(uri: vscode.Uri): string {
  return uri.path.split("/").at(-1) ?? "";
}

function problemOf(error: unknown): { readonly message: string; readonly remedy: string } {
  if (error instanceof Error && "remedy" in error && typeof error.remedy === "string") {
    return { message: error.message, remedy: error.remedy };
  }
  const message = error instanceof Error ? error.message : String(error);
  return { message, remedy: "Check that the file is still there and can be read." };
}

/** The bytes of a file, read range by range; only where that can't be done, as a whole. */

import { open } from "node:fs/promises";
import type { FileHandle } from "node:fs/promises";
import * as vscode from "vscode";
import type { ByteSource } from "../../table/parquetTable.ts";

/** A file's bytes, until they are closed. */
export interface FileBytes extends ByteSource {
  close(): void;
}

/** Opens a file for reading; throws what the file system says. */
export async function openFile(uri: vscode.Uri): Promise<FileBytes> {
  if (uri.scheme === "file") return handleBytes(await open(uri.fsPath, "r"));
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

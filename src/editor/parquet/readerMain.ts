/**
 * The process that reads one Parquet file, `dist/parquetReader.js`: decoding has no end that can be known beforehand,
 * so it never happens in the extension host. What is asked and answered is in `readerMessages.ts`.
 */

import { type FileHandle, open } from "node:fs/promises";
import { Worker } from "node:worker_threads";
import { Arranging } from "../../table/arrange/arranging.ts";
import { Finding } from "../../table/arrange/finding.ts";
import type { ByteSource } from "../../table/bounds.ts";
import { ParquetError, parquetErrorOf } from "../../table/parquetError.ts";
import { openParquet, type ParquetTable } from "../../table/parquetTable.ts";
import type { BucketAnswer, BucketRequest } from "./bucketRequests.ts";
import { DECOMPRESSORS } from "./decompressors.ts";
import {
  type FromReader,
  mostBytes,
  type OpenedFile,
  type ReaderRequest,
  type ReaderResults,
  type ToReader,
} from "./readerMessages.ts";

/** Ends this process when one request takes longer, though the one that started it is no longer there to do it. */
const [, , longestMs = "30000"] = process.argv;
const guard = new Worker(
  `const { parentPort } = require("node:worker_threads");
  let timer;
  parentPort.on("message", (milliseconds) => {
    clearTimeout(timer);
    if (milliseconds > 0) timer = setTimeout(() => process.kill(process.pid, "SIGKILL"), milliseconds);
  });`,
  { eval: true },
);
guard.unref();

let table: ParquetTable | undefined;
let arranging: Arranging | undefined;
let finding: Finding | undefined;
const takeAnswer = new Map<number, (answer: BucketAnswer) => void>();
let requests = 0;
let takeBytes: ((bytes: Uint8Array) => void) | undefined;

process.on("disconnect", () => process.exit());
process.on("message", (message: ToReader) => {
  if (message.type === "bytes") takeBytes?.(message.bytes);
  else if (message.type === "answer") takeAnswer.get(message.id)?.(message.answer);
  else void answer(message);
});

async function answer(request: ReaderRequest): Promise<void> {
  guard.postMessage(Number(longestMs));
  try {
    send({ type: "done", result: await resultOf(request) });
  } catch (error) {
    const { message, remedy, reason } = parquetErrorOf(error);
    send({ type: "failed", message, remedy, reason });
  } finally {
    guard.postMessage(0);
  }
}

async function resultOf(request: ReaderRequest): Promise<ReaderResults[keyof ReaderResults]> {
  if (request.type === "open") {
    const source = await sourceOf(request.file);
    table = await openParquet(request.file.name, source, DECOMPRESSORS);
    return table.facts;
  }
  if (table === undefined) throw new Error("no file is open");
  switch (request.type) {
    case "column":
      return table.column(request.column, request);
    case "value":
      return table.value(request.row, request.column, request.limit);
    case "copy":
      return table.copied(request.columns, request, request.indexes, request.form);
    case "arrange":
      arranging = new Arranging(table, request.how);
      return { read: 0, full: false };
    case "arrangeOn":
      return begun(arranging).step(request.end);
    case "arranged": {
      const rows = begun(arranging).rows();
      arranging = undefined;
      return rows;
    }
    case "find":
      finding = new Finding(table, request.sought, request.shown);
      return finding.step(0);
    case "findOn":
      return begun(finding).step(request.end);
    default:
      return request satisfies never;
  }
}

function begun<Work>(work: Work | undefined): Work {
  if (work !== undefined) return work;
  throw new ParquetError("The process that went through the rows has ended.", "Try it again.");
}

async function sourceOf(file: OpenedFile): Promise<ByteSource> {
  if ("path" in file) return handleBytes(await open(file.path, "r"));
  if ("object" in file) return (await import("./bucketBytes.ts")).bucketBytes(file.object, sentByHost);
  return askedBytes(file.byteLength);
}

async function sentByHost(request: BucketRequest): Promise<BucketAnswer> {
  const id = ++requests;
  const answer = await new Promise<BucketAnswer>((take) => {
    takeAnswer.set(id, take);
    send({ type: "request", id, request });
  });
  takeAnswer.delete(id);
  return answer;
}

async function handleBytes(handle: FileHandle): Promise<ByteSource> {
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
  };
}

/** The host has the bytes, of a file that is on no disk of this machine. */
function askedBytes(byteLength: number): ByteSource {
  return {
    byteLength,
    slice: async (start, end = byteLength) => {
      const bytes = new Uint8Array(end - start);
      for (let at = start; at < end; at += mostBytes) {
        const given = new Promise<Uint8Array>((take) => (takeBytes = take));
        send({ type: "bytes", start: at, end: Math.min(end, at + mostBytes) });
        bytes.set(await given, at - start);
      }
      return bytes.buffer;
    },
  };
}

function send(message: FromReader): void {
  process.send?.(message);
}

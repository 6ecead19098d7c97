/**
 * The file that holds what was received, line by line, shared by the windows of one editor. A line is on disk
 * before its promise resolves; lines that are written together are flushed together.
 */

import { type FileHandle, mkdir, open, rename, stat, writeFile } from "node:fs/promises";
import { dirname } from "node:path";
import type { Envelope } from "../../api/issueWebhooks/event.ts";
import { watchFile } from "../kit/sharedRecord.ts";

/** One line of the file. */
export type JournalEntry =
  | {
      readonly kind: "event";
      /** When it arrived, ISO. */
      readonly at: string;
      readonly subscription: string;
      readonly event: Envelope;
    }
  /** Rows that a person has read. */
  | { readonly kind: "read"; readonly at: string; readonly rows: readonly string[] }
  /** Rows that a person took out. */
  | { readonly kind: "removed"; readonly at: string; readonly rows: readonly string[] }
  /** While it was wanted that some window listens, none did; ISO. */
  | { readonly kind: "gap"; readonly from: string; readonly to: string }
  /** Ids of events that were forgotten, and are still not to be taken twice. */
  | { readonly kind: "seen"; readonly ids: readonly string[] };

/** What was read since the last time; `anew` when the file was replaced, so that everything before is void. */
export interface Reading {
  readonly anew: boolean;
  readonly entries: readonly JournalEntry[];
}

/** Appends entries, and reads those that any window has appended. */
export class IssueJournal {
  readonly #path: string;
  #file: { readonly inode: number; offset: number } | undefined;
  /** Lines for the next write, and when that is done. */
  #waiting = "";
  #next: Promise<void> | undefined;
  #written: Promise<void> = Promise.resolve();
  #reading: Promise<unknown> = Promise.resolve();

  constructor(path: string) {
    this.#path = path;
  }

  /** Resolves when the entry is on disk. */
  append(entry: JournalEntry): Promise<void> {
    this.#waiting += `${JSON.stringify(entry)}\n`;
    this.#next ??= this.#written.catch(() => undefined).then(() => this.#write());
    return this.#next;
  }

  /** What any window has written since the last reading; nothing when there is no file. */
  read(): Promise<Reading> {
    const reading = this.#reading.catch(() => undefined).then(() => this.#readOn());
    this.#reading = reading;
    return reading;
  }

  /** Puts these entries in the place of the whole file, in one step. */
  async replace(entries: readonly JournalEntry[]): Promise<void> {
    await mkdir(dirname(this.#path), { recursive: true });
    const text = entries.map((entry) => `${JSON.stringify(entry)}\n`).join("");
    await writeFile(`${this.#path}.new`, text, { mode: 0o600, flush: true });
    await rename(`${this.#path}.new`, this.#path);
  }

  /** Calls back when the file may have changed, by whichever window; the answer ends it. */
  async watch(changed: () => void): Promise<() => void> {
    await mkdir(dirname(this.#path), { recursive: true });
    return watchFile(this.#path, changed);
  }

  async #write(): Promise<void> {
    const lines = this.#waiting;
    this.#waiting = "";
    if (this.#next !== undefined) this.#written = this.#next;
    this.#next = undefined;
    await mkdir(dirname(this.#path), { recursive: true });
    const file = await open(this.#path, "a+", 0o600);
    try {
      await file.appendFile(((await endsTorn(file)) ? "\n" : "") + lines);
      await file.datasync();
    } finally {
      await file.close();
    }
  }

  async #readOn(): Promise<Reading> {
    const file = await openIfThere(this.#path);
    if (file === undefined) {
      const anew = this.#file !== undefined;
      this.#file = undefined;
      return { anew, entries: [] };
    }
    try {
      const { ino, size } = await file.stat();
      const anew = this.#file !== undefined && (this.#file.inode !== ino || this.#file.offset > size);
      if (this.#file === undefined || anew) this.#file = { inode: ino, offset: 0 };
      const buffer = Buffer.alloc(size - this.#file.offset);
      const { bytesRead } = await file.read(buffer, 0, buffer.length, this.#file.offset);
      // What comes after the last line break is still being written.
      const complete = buffer.subarray(0, buffer.subarray(0, bytesRead).lastIndexOf(0x0a) + 1);
      this.#file.offset += complete.length;
      return { anew, entries: complete.toString().split("\n").flatMap(readLine) };
    } finally {
      await file.close();
    }
  }
}

/** A process that was killed while it wrote leaves a line without its end. */
async function endsTorn(file: FileHandle): Promise<boolean> {
  const { size } = await file.stat();
  if (size === 0) return false;
  const last = Buffer.alloc(1);
  await file.read(last, 0, 1, size - 1);
  return last[0] !== 0x0a;
}

async function openIfThere(path: string): Promise<FileHandle | undefined> {
  if ((await stat(path).catch(() => undefined)) === undefined) return undefined;
  return open(path, "r");
}

/** A torn line is no entry: its event was never acknowledged. */
function readLine(line: string): readonly JournalEntry[] {
  if (line === "") return [];
  try {
    return [JSON.parse(line) as JournalEntry];
  } catch {
    return [];
  }
}

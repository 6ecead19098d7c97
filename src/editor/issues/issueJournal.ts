/**
 * The file that holds what was received, line by line, shared by the windows of one editor. A line is on disk
 * before its promise resolves; lines that are written together are flushed together.
 */

import { type FileHandle, open, rename, stat } from "node:fs/promises";
import { dirname } from "node:path";
import { privateFolder } from "../kit/privateFolder.ts";
import { watchFile } from "../kit/sharedRecord.ts";
import { fileLines } from "./fileLines.ts";
import { entryOf, type JournalEntry, lineOf } from "./journalEntry.ts";

/** Who is told what the file holds. */
export interface JournalReader {
  /** The file was replaced: everything before is void. */
  anew(): void;
  /** One line, and how long it is on disk. */
  take(entry: JournalEntry, bytes: number): void;
}

/** What stays of a journal that is made smaller. */
export interface Compaction {
  /** Whether an entry stays; told of every one, in their order. */
  readonly keeps: (entry: JournalEntry) => boolean;
  /** What stands in the place of the others, after all were told. */
  readonly rest: () => readonly JournalEntry[];
}

/** An event has at most 1 MB; the same numbers may be written four times as long. */
const longestLine = 8 * 1024 * 1024;

/** Appends entries, and reads those that any window has appended. */
export class IssueJournal {
  readonly #path: string;
  #file: { readonly inode: number; offset: number } | undefined;
  /** Lines for the next write, and when that is done. */
  #waiting: string[] = [];
  #next: Promise<void> | undefined;
  #written: Promise<void> = Promise.resolve();
  #reading: Promise<unknown> = Promise.resolve();

  constructor(path: string) {
    this.#path = path;
  }

  /** Resolves when the entry is on disk. */
  async append(entry: JournalEntry): Promise<void> {
    this.#waiting.push(lineOf(entry));
    this.#next ??= this.#inTurn(() => this.#write());
    await this.#next;
  }

  /** Tells what any window has written since the last reading; nothing when there is no file. */
  read(reader: JournalReader): Promise<void> {
    const reading = this.#reading.catch(() => undefined).then(() => this.#readOn(reader));
    this.#reading = reading;
    return reading;
  }

  /** How many bytes it has. */
  async size(): Promise<number> {
    return (await stat(this.#path).catch(() => undefined))?.size ?? 0;
  }

  /** Makes it smaller in one step, and keeps what another window appends meanwhile; the next reading tells all anew. */
  compact(compaction: Compaction): Promise<void> {
    return this.#inTurn(() => this.#compact(compaction));
  }

  /** Calls back when the file may have changed, by whichever window; the answer ends it. */
  async watch(changed: () => void): Promise<() => void> {
    await privateFolder(dirname(this.#path));
    return watchFile(this.#path, changed);
  }

  /** One writer of this window at a time. */
  #inTurn(work: () => Promise<void>): Promise<void> {
    const done = this.#written.catch(() => undefined).then(work);
    this.#written = done;
    return done;
  }

  async #write(): Promise<void> {
    const lines = this.#waiting;
    this.#waiting = [];
    this.#next = undefined;
    await this.#appended(async (file) => {
      for (const line of lines) await file.appendFile(line);
    });
  }

  async #appended(write: (file: FileHandle) => Promise<void>): Promise<void> {
    await privateFolder(dirname(this.#path));
    const file = await open(this.#path, "a+", 0o600);
    try {
      if (await endsTorn(file)) await file.appendFile("\n");
      await write(file);
      await file.datasync();
    } finally {
      await file.close();
    }
  }

  async #readOn(reader: JournalReader): Promise<void> {
    const file = await openIfThere(this.#path);
    if (file === undefined) {
      if (this.#file !== undefined) reader.anew();
      this.#file = undefined;
      return;
    }
    try {
      const { ino, size } = await file.stat();
      const isAnother = this.#file !== undefined && (this.#file.inode !== ino || this.#file.offset > size);
      if (isAnother) reader.anew();
      const position = this.#file === undefined || isAnother ? { inode: ino, offset: 0 } : this.#file;
      this.#file = position;
      for await (const { entries, end } of entriesFrom(file, position.offset)) {
        for (const { entry, bytes } of entries) reader.take(entry, bytes);
        position.offset = end;
      }
    } finally {
      await file.close();
    }
  }

  async #compact({ keeps, rest }: Compaction): Promise<void> {
    const before = await openIfThere(this.#path);
    if (before === undefined) return;
    try {
      const fresh = `${this.#path}.new`;
      const file = await open(fresh, "w", 0o600);
      let read = 0;
      try {
        for await (const { entries, end } of entriesFrom(before, 0)) {
          for (const { entry } of entries) if (keeps(entry)) await file.appendFile(lineOf(entry));
          read = end;
        }
        for (const entry of rest()) await file.appendFile(lineOf(entry));
        await file.datasync();
      } finally {
        await file.close();
      }
      await rename(fresh, this.#path);
      // Another window may have appended to the file of before until just now.
      await this.#appended(async (after) => {
        for await (const { entries } of entriesFrom(before, read))
          for (const { entry } of entries) await after.appendFile(lineOf(entry));
      });
    } finally {
      await before.close();
    }
  }
}

interface Entries {
  readonly entries: readonly { readonly entry: JournalEntry; readonly bytes: number }[];
  /** Where the next ones begin. */
  readonly end: number;
}

/** What stands in the file from a position on; lines that are no entries are passed over, each by itself. */
async function* entriesFrom(file: FileHandle, from: number): AsyncGenerator<Entries> {
  let end = from;
  for await (const lines of fileLines(file, from, longestLine)) {
    for (const { bytes } of lines) end += bytes;
    const entries = lines.flatMap(({ text, bytes }) => {
      const entry = text === undefined ? undefined : entryOf(text);
      return entry === undefined ? [] : [{ entry, bytes }];
    });
    yield { entries, end };
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

/**
 * Work on many things as files that the windows of one editor share: what was agreed to, and beside it a journal, a line
 * for each step of a thing. A line is written whole or not at all, so that a window may be killed at any moment.
 */

import { appendFile, readdir, readFile, rm } from "node:fs/promises";
import { join } from "node:path";
import { exclusively } from "../kit/directoryLock.ts";
import { SharedRecord } from "../kit/sharedRecord.ts";
import { type BulkItem, type BulkJob, parseJob } from "./bulkJob.ts";

const mostKept = 30;

/** One record for each job, the newest kept. */
export class BulkRecords {
  readonly #folder: string;

  constructor(folder: string) {
    this.#folder = folder;
  }

  /** As far as it was written down; undefined for one that was forgotten. */
  async read(id: string): Promise<BulkJob | undefined> {
    const job = await this.#record(id).read();
    if (job === undefined) return undefined;
    const lines = (await readFile(this.#journal(id), "utf8").catch(() => "")).split("\n");
    const items = [...job.items];
    for (const [index, item] of lines.flatMap(parseLine)) if (items[index] !== undefined) items[index] = item;
    return { ...job, items };
  }

  /** Writes the whole down anew. */
  async write(job: BulkJob): Promise<void> {
    await this.#record(job.id).write(job);
    await rm(this.#journal(job.id), { force: true });
  }

  /** Writes down how far one thing of it is. */
  async note(id: string, index: number, item: BulkItem): Promise<void> {
    // The line break comes first, so that a line that a crash cut short does not spoil the next one.
    await appendFile(this.#journal(id), `\n${JSON.stringify([index, item])}`, { mode: 0o600 });
  }

  /** Writes a new one down, and forgets those that are too many. */
  async add(job: BulkJob): Promise<void> {
    for (const { id } of (await this.all()).slice(mostKept - 1)) {
      await this.#record(id).remove();
      await rm(this.#journal(id), { force: true });
    }
    await this.write(job);
  }

  /** Those of all windows, the newest first. */
  async all(): Promise<readonly BulkJob[]> {
    const names = await readdir(this.#folder).catch(() => []);
    const ids = names.flatMap((name) => /^([0-9a-f-]{36})\.json$/.exec(name)?.[1] ?? []);
    const jobs = await Promise.all(ids.map((id) => this.read(id)));
    return jobs.flatMap((job) => job ?? []).toSorted((one, other) => other.startedAt - one.startedAt);
  }

  /** Works while no other window does; nothing is done any more once the signal aborts. */
  async alone(signal: AbortSignal, work: () => Promise<void>): Promise<void> {
    let isDone: true | undefined;
    while (isDone === undefined && !signal.aborted) {
      isDone = await exclusively(this.#folder, signal, async () => {
        await work();
        return true as const;
      }).catch((error: unknown) => {
        if (!signal.aborted) throw error;
        return undefined;
      });
    }
  }

  #record(id: string): SharedRecord<BulkJob> {
    return new SharedRecord(join(this.#folder, `${id}.json`), parseJob);
  }

  #journal(id: string): string {
    return join(this.#folder, `${id}.journal`);
  }
}

function parseLine(line: string): readonly (readonly [number, BulkItem])[] {
  try {
    return line === "" ? [] : [JSON.parse(line) as readonly [number, BulkItem]];
  } catch {
    return [];
  }
}

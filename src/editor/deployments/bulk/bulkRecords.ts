/** The changes of many deployments as files that the windows of one editor share. */

import { readdir } from "node:fs/promises";
import { join } from "node:path";
import { exclusively } from "../../kit/directoryLock.ts";
import { SharedRecord } from "../../kit/sharedRecord.ts";
import { type BulkJob, parseJob } from "./bulkJob.ts";

const mostKept = 30;

/** One file for each job, the newest kept. */
export class BulkRecords {
  readonly #folder: string;

  constructor(folder: string) {
    this.#folder = folder;
  }

  /** Undefined for one that was forgotten. */
  read(id: string): Promise<BulkJob | undefined> {
    return this.#record(id).read();
  }

  write(job: BulkJob): Promise<void> {
    return this.#record(job.id).write(job);
  }

  /** Writes a new one down, and forgets those that are too many. */
  async add(job: BulkJob): Promise<void> {
    for (const old of (await this.all()).slice(mostKept - 1)) await this.#record(old.id).remove();
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
}

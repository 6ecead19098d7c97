/** The lines of the audit log, in two files that take turns: when one is full, the older one goes. */

import { appendFile, readFile, rename, stat } from "node:fs/promises";
import { join } from "node:path";
import { exclusively } from "../kit/directoryLock.ts";
import { privateFolder } from "../kit/privateFolder.ts";

const longestWaitMs = 10_000;

/** A bounded file of lines that the windows of one editor write together, readable by this user alone. */
export class AuditFile {
  readonly #folder: string;
  readonly #mostBytes: number;
  #turns: Promise<void> = Promise.resolve();

  /** `mostBytes` is what each of the two files may hold. */
  constructor(folder: string, mostBytes = 2 * 1024 * 1024) {
    this.#folder = folder;
    this.#mostBytes = mostBytes;
  }

  /** Adds a line after those that were added before; rejects when it can't be written. */
  append(line: string): Promise<void> {
    const turn = this.#turns.then(() => this.#append(line));
    // A line that can't be written keeps no later one from it.
    this.#turns = turn.catch(() => undefined);
    return turn;
  }

  /** All lines, the oldest first, each with its break. */
  async text(): Promise<string> {
    await this.#turns;
    const parts = await Promise.all([this.#older, this.#newer].map((path) => read(path)));
    return parts.join("");
  }

  get #newer(): string {
    return join(this.#folder, "changes.jsonl");
  }

  get #older(): string {
    return join(this.#folder, "earlier.jsonl");
  }

  async #append(line: string): Promise<void> {
    await privateFolder(this.#folder);
    await appendFile(this.#newer, `${line}\n`, { mode: 0o600 });
    if ((await sizeOf(this.#newer)) < this.#mostBytes) return;
    await exclusively(this.#folder, AbortSignal.timeout(longestWaitMs), async () => {
      // Another window may have done so while this one waited.
      if ((await sizeOf(this.#newer)) >= this.#mostBytes) await rename(this.#newer, this.#older);
    });
  }
}

async function read(path: string): Promise<string> {
  return readFile(path, "utf8").catch((error: unknown) => {
    if (isMissing(error)) return "";
    throw error;
  });
}

async function sizeOf(path: string): Promise<number> {
  return stat(path).then(
    ({ size }) => size,
    () => 0,
  );
}

function isMissing(error: unknown): boolean {
  return error instanceof Error && "code" in error && error.code === "ENOENT";
}

/** A JSON file that the windows of one editor share: each may write it, and all hear of that. */

import { randomUUID } from "node:crypto";
import { watch } from "node:fs";
import { readFile, rename, rm, writeFile } from "node:fs/promises";
import { basename, dirname } from "node:path";
import { privateFolder } from "./privateFolder.ts";

/** A record with one shape. */
export class SharedRecord<T> {
  readonly #path: string;
  readonly #parse: (value: unknown) => T | undefined;

  /** `parse` gives undefined for a value that is no such record: another version, or another program, wrote it. */
  constructor(path: string, parse: (value: unknown) => T | undefined) {
    this.#path = path;
    this.#parse = parse;
  }

  /** Undefined when there is none, or none that can be read. */
  async read(): Promise<T | undefined> {
    try {
      return this.#parse(JSON.parse(await readFile(this.#path, "utf8")));
    } catch {
      return undefined;
    }
  }

  /** Replaces it in one step, readable by this user alone. */
  async write(record: T): Promise<void> {
    const fresh = `${this.#path}.${randomUUID()}`;
    await privateFolder(dirname(this.#path));
    await writeFile(fresh, JSON.stringify(record), { mode: 0o600 });
    await rename(fresh, this.#path);
  }

  async remove(): Promise<void> {
    await rm(this.#path, { force: true });
  }

  /** Calls back whenever it may have changed; the answer ends that. */
  async watch(changed: () => void): Promise<() => void> {
    await privateFolder(dirname(this.#path));
    return watchFile(this.#path, changed);
  }
}

/** Calls back whenever the file may have changed, come or gone; its folder must be there. The answer ends it. */
export function watchFile(path: string, changed: () => void): () => void {
  const watcher = watch(dirname(path), { persistent: false }, (_, name) => {
    if (name === null || name === basename(path)) changed();
  });
  watcher.on("error", changed);
  return () => watcher.close();
}

import { join } from "node:path";
import { DatabaseSync, type SQLInputValue, type SQLOutputValue, type StatementSync } from "node:sqlite";
import { contains } from "../kit/json.ts";
import { migrations } from "./migrations.ts";
import { chmodSync, closeSync, existsSync, mkdirSync, openSync, readdirSync, statSync } from "node:fs";

/** One row as SQLite returns it. */
export type Row = Record<string, SQLOutputValue>;

/** Gives undefined where there is no row. */
type RowReader<T> = <R extends Row | undefined>(row: R) => T | (R extends undefined ? undefined : never);

/**
 * Reads rows as objects with the members of their columns, without the `hidden` ones and those that hold bytes,
 * such as sealed secrets. The columns of `json` hold JSON. The tables are STRICT, so types hold.
 */
export function reader<T>(json: readonly (keyof T & string)[], hidden: readonly string[] = []): RowReader<T> {
  const names: readonly string[] = json;
  const read = (row: Row | undefined) => {
    if (row === undefined) return undefined;
    const shown = Object.entries(row).filter(
      ([name, value]) => !hidden.includes(name) && !(value instanceof Uint8Array),
    );
    return Object.fromEntries(
      shown.map(([name, value]) => [
        name,
        names.includes(name) && value !== null ? JSON.parse(String(value)) : value,
      ]),
    );
  };
  return read as RowReader<T>;
}

/** Terms that all must hold, with their parameters. Those without a value are left out. */
export function allOf(...terms: readonly (readonly [sql: string, value: SQLInputValue | undefined])[]): {
  readonly where: string;
  readonly parameters: SQLInputValue[];
} {
  const given = terms.filter((term): term is [string, SQLInputValue] => term[1] !== undefined);
  return {
    where: given.map(([sql]) => sql).join(" AND ") || "TRUE",
    parameters: given.map(([, value]) => value),
  };
}

/** Another process has the data directory open. */
export class DirectoryInUseError extends Error {
  override readonly name = "DirectoryInUseError";

  constructor(directory: string) {
    super(`Another Local Platform is using ${directory}. Stop it, or choose another directory with --data.`);
  }
}

/**
 * The durable state: one SQLite file in write-ahead mode with full synchronisation. Writes of one turn of the
 * event loop share a transaction; a write may be acknowledged once `flushed()` has resolved.
 */
export class Store {
  readonly #db: DatabaseSync;
  readonly #statements = new Map<string, StatementSync>();
  #commit: Promise<void> | undefined;

  constructor(directory: string) {
    openDataDirectory(directory);
    this.#db = new DatabaseSync(join(directory, DATABASE));
    try {
      this.#lock();
      this.#migrate();
    } catch (error) {
      this.#db.close();
      const busy = error instanceof Error && error.message.includes("locked");
      throw busy ? new DirectoryInUseError(directory) : error;
    }
    this.#db.function("json_holds", { deterministic: true }, (text, part) => {
      return contains(JSON.parse(String(text)), JSON.parse(String(part))) ? 1 : 0;
    });
  }

  get isOpen(): boolean {
    return this.#db.isOpen;
  }

  /** All rows of a query. */
  all(sql: string, ...parameters: SQLInputValue[]): Row[] {
    return this.#statement(sql).all(...parameters);
  }

  /** The first row of a query. */
  get(sql: string, ...parameters: SQLInputValue[]): Row | undefined {
    return this.#statement(sql).get(...parameters);
  }

  /** Changes data as part of the current turn's transaction; answers how many rows changed. */
  run(sql: string, ...parameters: SQLInputValue[]): number {
    this.#begin();
    return Number(this.#statement(sql).run(...parameters).changes);
  }

  /** Adds a row; what is an object or a list is kept as JSON, and a column that is not given is NULL. */
  insert(table: string, row: object): void {
    const columns = Object.keys(row).map((name) => `"${name}"`);
    const sql = `INSERT INTO ${table} (${columns.join(", ")}) VALUES (${columns.map(() => "?").join(", ")})`;
    this.run(sql, ...Object.values(row).map(toColumn));
  }

  /** Changes columns of the rows with this key, stored like those of `insert`; answers how many rows changed. */
  update(table: string, key: Readonly<Record<string, string>>, change: object): number {
    const set = Object.keys(change).map((name) => `"${name}" = ?`);
    const where = Object.keys(key).map((name) => `${name} = ?`);
    const sql = `UPDATE ${table} SET ${set.join(", ")} WHERE ${where.join(" AND ")}`;
    return this.run(sql, ...Object.values(change).map(toColumn), ...Object.values(key));
  }

  /** Runs several changes so that either all or, when the function throws, none of them is kept. */
  atomically<Result>(change: () => Result): Result {
    this.#begin();
    this.#db.exec("SAVEPOINT change");
    try {
      const result = change();
      this.#db.exec("RELEASE change");
      return result;
    } catch (error) {
      this.#db.exec("ROLLBACK TO change; RELEASE change");
      throw error;
    }
  }

  /** Resolves when everything written so far is on disk. */
  async flushed(): Promise<void> {
    await this.#commit;
  }

  /** Takes everything that was deleted off the disk, too, which takes as long as copying the file. */
  scrub(): void {
    if (this.#db.isTransaction) this.#db.exec("COMMIT");
    this.#db.exec("VACUUM; PRAGMA wal_checkpoint(TRUNCATE)");
  }

  /** Writes what is pending and closes the file. */
  close(): void {
    if (this.#db.isTransaction) this.#db.exec("COMMIT");
    this.#statements.clear();
    this.#db.close();
  }

  #begin(): void {
    if (this.#commit !== undefined) return;
    this.#db.exec("BEGIN IMMEDIATE");
    this.#commit = new Promise<void>((resolve, reject) => {
      setImmediate(() => {
        this.#commit = undefined;
        try {
          if (this.#db.isOpen && this.#db.isTransaction) this.#db.exec("COMMIT");
          resolve();
        } catch (error) {
          if (this.#db.isTransaction) this.#db.exec("ROLLBACK");
          reject(error instanceof Error ? error : new Error(String(error)));
        }
      });
    });
    // Code that acknowledges a write awaits `flushed()` and sees the failure there.
    this.#commit.catch((error: unknown) => {
      console.error("The store could not be written:", error);
    });
  }

  #statement(sql: string): StatementSync {
    let statement = this.#statements.get(sql);
    if (statement === undefined) {
      statement = this.#db.prepare(sql);
      this.#statements.set(sql, statement);
    }
    return statement;
  }

  /** Two processes on one directory would run each other's runs: the second one is refused. */
  #lock(): void {
    this.#db.exec("PRAGMA busy_timeout = 1000; PRAGMA locking_mode = EXCLUSIVE");
    this.#db.exec("PRAGMA journal_mode = WAL; PRAGMA synchronous = FULL; BEGIN IMMEDIATE; COMMIT");
  }

  #migrate(): void {
    const version = Number(this.#db.prepare("PRAGMA user_version").get()?.user_version);
    if (version > migrations.length) {
      throw new Error(`The data directory was written by a newer version (schema ${version}).`);
    }
    for (const [index, sql] of migrations.entries()) {
      if (index < version) continue;
      this.#db.exec(`BEGIN; ${sql}; PRAGMA user_version = ${index + 1}; COMMIT`);
    }
  }
}

function toColumn(value: unknown): SQLInputValue {
  if (value === undefined || value === null) return null;
  if (typeof value === "string" || typeof value === "number" || value instanceof Uint8Array) return value;
  return typeof value === "boolean" ? Number(value) : JSON.stringify(value);
}

/** The database's name in the data directory. */
const DATABASE = "platform.db";

/** What SQLite and the vault keep beside each other. */
const files = [DATABASE, `${DATABASE}-wal`, `${DATABASE}-shm`, `${DATABASE}-journal`, "vault.key"];

/**
 * Makes the data directory, readable by this user alone, whoever made it before. A directory with other things in it and
 * no database is somebody else's: of that one only our own files are made private.
 */
function openDataDirectory(directory: string): void {
  mkdirSync(directory, { recursive: true, mode: 0o700 });
  const path = (name: string): string => join(directory, name);
  const isOurs = existsSync(path(DATABASE)) || readdirSync(directory).length === 0;
  if (isOurs) makePrivate(directory, 0o700);
  // SQLite gives the files beside the database the mode that the database has.
  closeSync(openSync(path(DATABASE), "a", 0o600));
  for (const name of files) if (existsSync(path(name))) makePrivate(path(name), 0o600);
}

/** Not every file system has modes, and one that has none can't be made to. */
function makePrivate(path: string, mode: number): void {
  if ((statSync(path).mode & 0o077) === 0) return;
  try {
    chmodSync(path, mode);
  } catch (error) {
    console.error(`${path} can be read by other users of this machine:`, error);
  }
}

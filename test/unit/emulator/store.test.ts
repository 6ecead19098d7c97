import assert from "node:assert/strict";
import { cpSync } from "node:fs";
import { rm } from "node:fs/promises";
import { join } from "node:path";
import { DatabaseSync } from "node:sqlite";
import { DirectoryInUseError, Store } from "../../../src/emulator/store/store.ts";
import { temporaryDirectory } from "../../support/localPlatform.ts";

describe("the Local Platform's store", () => {
  let directory: string;
  let store: Store;
  let copies = 0;

  beforeEach(async () => {
    directory = await temporaryDirectory();
    store = new Store(join(directory, "data"));
  });
  afterEach(async () => {
    store.close();
    await rm(directory, { recursive: true, force: true });
  });

  const put = (name: string): number => store.run("INSERT INTO settings VALUES (?, '')", name);
  /** What a process would find if this one ended now. */
  const onDisk = (): unknown[] => {
    const copy = join(directory, `copy-${copies++}`);
    cpSync(join(directory, "data"), copy, { recursive: true });
    const db = new DatabaseSync(join(copy, "platform.db"));
    const rows = db.prepare("SELECT name FROM settings ORDER BY name").all();
    db.close();
    return rows.map(({ name }) => name);
  };

  it("has what was written on disk once flushed, and not before", async () => {
    put("a");
    put("b");
    assert.deepEqual(onDisk(), []);
    await store.flushed();
    assert.deepEqual(onDisk(), ["a", "b"]);
    await store.flushed();
    put("c");
    const flushed = store.flushed();
    assert.deepEqual(onDisk(), ["a", "b"]);
    await flushed;
    assert.deepEqual(onDisk(), ["a", "b", "c"]);
  });

  it("keeps none of the changes of a step that fails, and all others of the same turn", async () => {
    put("before");
    assert.throws(() =>
      store.atomically(() => {
        put("inside");
        put("before");
      }),
    );
    put("after");
    await store.flushed();
    assert.deepEqual(onDisk(), ["after", "before"]);
  });

  it("writes what is pending when it is closed", () => {
    put("last");
    store.close();
    assert.deepEqual(onDisk(), ["last"]);
    store = new Store(join(directory, "data"));
  });

  it("is opened by one at a time", () => {
    assert.throws(() => new Store(join(directory, "data")), DirectoryInUseError);
  });

  it("refuses a file of a later version", () => {
    store.close();
    const db = new DatabaseSync(join(directory, "data", "platform.db"));
    const version = Number(db.prepare("PRAGMA user_version").get()?.user_version);
    db.exec("PRAGMA user_version = 999");
    db.close();
    assert.throws(() => new Store(join(directory, "data")), /newer version/);
    const reset = new DatabaseSync(join(directory, "data", "platform.db"));
    reset.exec(`PRAGMA user_version = ${version}`);
    reset.close();
    store = new Store(join(directory, "data"));
  });
});

import assert from "node:assert/strict";
import { chmod, mkdir, rm, stat, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { DatabaseSync } from "node:sqlite";
import { LocalPlatform, temporaryDirectory } from "../../../support/localPlatform.ts";
import { filesWith, openToOthers } from "../../../support/privateFiles.ts";
import { PlatformProcesses } from "../../../support/platformProcesses.ts";

const key = "local_key-of-an-earlier-version";

describe("the Local Platform's data directory", () => {
  let directory: string;

  beforeEach(async () => (directory = join(await temporaryDirectory(), "data")));
  afterEach(() => rm(join(directory, ".."), { recursive: true, force: true }));

  it("is readable by this user alone, and has the key in no file as it is", async () => {
    await mkdir(directory, { mode: 0o755 });
    const platform = await LocalPlatform.start(directory);
    assert.deepEqual(await openToOthers(directory), []);
    assert.deepEqual(await filesWith(directory, platform.ready.apiKey), []);
    await platform.stop();
    assert.deepEqual(await filesWith(directory, platform.ready.apiKey), []);
  });

  it("of an earlier version is closed to others, and its key is sealed and goes on being good", async () => {
    await (await LocalPlatform.start(directory)).stop();
    const db = new DatabaseSync(join(directory, "platform.db"));
    db.exec(`DELETE FROM settings WHERE name = 'sealed_api_key';
      INSERT INTO settings VALUES ('api_key', '${key}'), ('kept', '${key}-once'); DELETE FROM settings WHERE name = 'kept'`);
    db.close();
    await chmod(directory, 0o755);
    await chmod(join(directory, "platform.db"), 0o644);
    assert.notDeepEqual(await filesWith(directory, key), []);
    const processes = await PlatformProcesses.prepare();
    try {
      const { platform } = await processes.launch("--data", directory);
      assert.equal(platform.ready.apiKey, key);
      assert.equal((await platform.send("GET", "/info")).status, 200);
      assert.deepEqual(await openToOthers(directory), []);
      assert.deepEqual(await filesWith(directory, key), []);
    } finally {
      await processes.remove();
    }
  });

  it("in which other things are is left as it is, but for the files of the platform", async () => {
    await mkdir(directory, { mode: 0o755 });
    await writeFile(join(directory, "notes.txt"), "", { mode: 0o644 });
    await (await LocalPlatform.start(directory)).stop();
    assert.deepEqual(await openToOthers(directory), ["", "notes.txt"]);
    assert.equal((await stat(directory)).mode & 0o777, 0o755);
  });

  it("without its vault's key starts all the same, with a new API key", async () => {
    const processes = await PlatformProcesses.prepare();
    try {
      const first = await processes.launch();
      await processes.kill();
      await rm(join(processes.directory, "vault.key"));
      const second = await processes.launch();
      assert.notEqual(second.platform.ready.apiKey, first.platform.ready.apiKey);
      assert.equal((await second.platform.send("GET", "/info")).status, 200);
    } finally {
      await processes.remove();
    }
  });
});

import { strict as assert } from "node:assert";
import { mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { exclusively } from "../../../../src/editor/kit/directoryLock.ts";

/** A process that runs, and took no lock. */
const stranger = String(process.ppid);

let directory: string;

beforeEach(async () => {
  directory = await mkdtemp(join(tmpdir(), "directory-lock-"));
});
afterEach(() => rm(directory, { recursive: true, force: true }));

async function startWithin(ms: number): Promise<string | undefined> {
  return exclusively(directory, AbortSignal.timeout(ms), () => Promise.resolve("started"));
}

describe("A lock that a killed window left behind", () => {
  it("holds nobody up where another program has its process id by now", async () => {
    await writeFile(join(directory, "starting.lock"), `${stranger} its-mark before-the-stranger`);
    assert.equal(await startWithin(10_000), "started");
  });

  it("is waited for while that process runs, where an earlier version noted no start of it", async () => {
    await writeFile(join(directory, "starting.lock"), `${stranger} its-mark`);
    await assert.rejects(startWithin(300), { name: "AbortError" });
  });
});

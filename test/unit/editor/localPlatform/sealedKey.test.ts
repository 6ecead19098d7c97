import { deepEqual, equal, notEqual } from "node:assert/strict";
import { mkdtemp, readdir, readFile, rm, stat } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { opened, sealed } from "../../../../src/editor/localPlatform/sealedKey.ts";

describe("A key that is sealed", () => {
  let directories: string[];

  beforeEach(async () => {
    const made = [1, 2].map(() => mkdtemp(join(tmpdir(), "sealed-key-")));
    directories = await Promise.all(made);
  });
  afterEach(() => Promise.all(directories.map((directory) => rm(directory, { recursive: true }))));

  it("is opened in its directory, and in no other", async () => {
    const [here = "", elsewhere = ""] = directories;
    const text = await sealed(here, "lsv2_schlüssel");
    equal(await opened(here, text), "lsv2_schlüssel");
    equal(await opened(elsewhere, text), undefined);
  });

  it("is another text each time, and shows nothing of the key", async () => {
    const [here = ""] = directories;
    const texts = [await sealed(here, "secret"), await sealed(here, "secret")];
    notEqual(texts[0], texts[1]);
    for (const text of texts) equal(Buffer.from(text, "base64url").includes("secret"), false);
  });

  it("is nothing when a byte of it was changed, or when it is no sealed one", async () => {
    const [here = ""] = directories;
    const bytes = Buffer.from(await sealed(here, "secret"), "base64url");
    for (const at of bytes.keys()) {
      const changed = Buffer.from(bytes);
      changed.writeUInt8(bytes.readUInt8(at) ^ 1, at);
      equal(await opened(here, changed.toString("base64url")), undefined, `byte ${at}`);
    }
    for (const text of ["", "secret", "lsv2_pt_0123456789abcdef0123456789abcdef"])
      equal(await opened(here, text), undefined);
  });

  it("is opened by each window, also when several seal the first one at once", async () => {
    const [here = ""] = directories;
    const keys = ["a", "b", "c", "d"];
    const texts = await Promise.all(keys.map((key) => sealed(here, key)));
    deepEqual(await Promise.all(texts.map((text) => opened(here, text))), keys);
    deepEqual(await readdir(here), ["running.key"]);
  });

  it("has the one that seals it in a file for this user alone", async () => {
    const [here = ""] = directories;
    await sealed(here, "secret");
    const path = join(here, "running.key");
    equal((await readFile(path)).length, 32);
    if (process.platform !== "win32") equal((await stat(path)).mode & 0o777, 0o600);
  });
});

import { deepEqual, equal, ok, rejects } from "node:assert/strict";
import { mkdtemp, rm, stat, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { AuditFile } from "../../../../src/editor/audit/auditFile.ts";
import { openToOthers } from "../../../support/privateFiles.ts";

describe("The file of the audit log", () => {
  let folder: string;

  beforeEach(async () => {
    folder = await mkdtemp(join(tmpdir(), "audit-"));
  });
  afterEach(() => rm(folder, { recursive: true, force: true }));

  const linesOf = async (file: AuditFile): Promise<readonly string[]> =>
    (await file.text()).split("\n").slice(0, -1);

  it("has nothing before something was changed", async () => {
    equal(await new AuditFile(join(folder, "audit")).text(), "");
  });

  it("keeps the lines in order, whoever waits for them, and over a reload", async () => {
    const file = new AuditFile(join(folder, "audit"));
    const wanted = Array.from({ length: 50 }, (_, index) => `line ${String(index)}`);
    await Promise.all(wanted.map((line) => file.append(line)));
    deepEqual(await linesOf(file), wanted);
    deepEqual(await linesOf(new AuditFile(join(folder, "audit"))), wanted);
  });

  it("stays within its bounds, and lets the oldest lines go", async () => {
    const file = new AuditFile(join(folder, "audit"), 1000);
    for (let index = 0; index < 200; index += 1) await file.append(`line ${String(index).padStart(15, ".")}`);
    const lines = await linesOf(file);
    equal(lines.at(-1), "line ............199");
    ok(lines.length > 40 && lines.length < 100, String(lines.length));
    const sizes = await Promise.all(
      ["changes.jsonl", "earlier.jsonl"].map(async (name) => (await stat(join(folder, "audit", name))).size),
    );
    ok(
      sizes.every((size) => size <= 1021),
      sizes.join(),
    );
  });

  it("has each line of two windows once, also while the file is changed for a new one", async () => {
    const path = join(folder, "audit");
    const windows = [new AuditFile(path, 100_000), new AuditFile(path, 100_000)];
    const wanted = Array.from({ length: 2500 }, (_, index) => `line ${String(index).padStart(40, ".")}`);
    await Promise.all(wanted.map(async (line, index) => windows[index % 2]?.append(line)));
    // Both files together hold 200 kB, and all lines are 115 kB.
    deepEqual((await linesOf(new AuditFile(path))).toSorted(), wanted.toSorted());
  });

  it("is this user's alone", async () => {
    await new AuditFile(join(folder, "audit")).append("line");
    deepEqual(await openToOthers(join(folder, "audit")), []);
  });

  it("says so where it can't be written, and goes on with the next line", async () => {
    const path = join(folder, "audit");
    await writeFile(path, "no folder");
    const file = new AuditFile(path);
    await rejects(file.append("lost"));
    await rm(path);
    await file.append("kept");
    deepEqual(await linesOf(file), ["kept"]);
  });
});

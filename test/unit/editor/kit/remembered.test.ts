import { equal } from "node:assert/strict";
import { mkdir, mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { issuesFolder, RECEIVER, WATCHED, wasWatching } from "../../../../src/editor/kit/remembered.ts";
import { TestMemento } from "../../../support/testMemento.ts";

describe("What is remembered of the window before", () => {
  let storage: string;
  let workspaceState: TestMemento;

  beforeEach(async () => {
    storage = await mkdtemp(join(tmpdir(), "remembered-"));
    workspaceState = new TestMemento();
  });
  afterEach(() => rm(storage, { recursive: true }));

  const context = () => ({
    workspaceState,
    globalStorageUri: { fsPath: storage } as Parameters<typeof wasWatching>[0]["globalStorageUri"],
  });

  it("is nothing to go on with where nothing was ever begun", () => {
    equal(wasWatching(context()), false);
  });

  it("is to go on with where anything was watched", async () => {
    for (const name of Object.values(WATCHED)) {
      await workspaceState.update(name, [{}]);
      equal(wasWatching(context()), true, name);
      await workspaceState.update(name, undefined);
    }
  });

  it("is to go on with where issues were ever received on this machine", async () => {
    await mkdir(issuesFolder(context()), { recursive: true });
    await writeFile(join(issuesFolder(context()), RECEIVER), "{}");
    equal(wasWatching(context()), true);
  });
});

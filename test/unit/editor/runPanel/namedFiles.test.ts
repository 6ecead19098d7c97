import { deepEqual } from "node:assert/strict";
import { mkdirSync, mkdtempSync, realpathSync, rmSync, symlinkSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { pathToFileURL } from "node:url";

import { filesNamed } from "../../../../src/editor/runPanel/namedFiles.ts";

describe("Files that a text names", () => {
  let root = "";
  let folders: readonly string[] = [];
  const at = (...parts: string[]) => join(root, ...parts);
  beforeEach(() => {
    root = realpathSync(mkdtempSync(join(tmpdir(), "named-")));
    for (const folder of ["one/src", "two/src", "elsewhere"]) mkdirSync(at(folder), { recursive: true });
    for (const file of [
      "one/src/graph.mts",
      "one/src/my graph.mts",
      "two/src/other.mts",
      "elsewhere/key.pem",
    ])
      writeFileSync(at(file), "");
    symlinkSync(at("elsewhere"), at("one/away"));
    symlinkSync(at("one"), at("link"));
    folders = [at("one"), at("two")];
  });
  afterEach(() => rmSync(root, { recursive: true }));

  it("are found by whole paths, addresses, and from each folder", async () => {
    const graph = [at("one/src/graph.mts")];
    deepEqual(await filesNamed(at("one/src/graph.mts"), folders), graph);
    deepEqual(await filesNamed(pathToFileURL(at("one/src/graph.mts")).href, folders), graph);
    deepEqual(await filesNamed("src/graph.mts", folders), graph);
    deepEqual(await filesNamed("./src/../src/graph.mts", folders), graph);
    deepEqual(await filesNamed(pathToFileURL(at("one/src/my graph.mts")).href, folders), [
      at("one/src/my graph.mts"),
    ]);
    deepEqual(await filesNamed("src/other.mts", folders), [at("two/src/other.mts")]);
  });

  it("may be several, each once", async () => {
    writeFileSync(at("two/src/graph.mts"), "");
    const both = [at("one/src/graph.mts"), at("two/src/graph.mts")];
    deepEqual(await filesNamed("src/graph.mts", [...folders, at("link")]), both);
  });

  it("are found in a folder that is open by a link, by its real path, too", async () => {
    const graph = [at("one/src/graph.mts")];
    deepEqual(await filesNamed(at("link/src/graph.mts"), [at("link")]), graph);
    deepEqual(await filesNamed(at("one/src/graph.mts"), [at("link")]), graph);
  });

  it("are not found outside of the folders, in no way of writing them", async () => {
    for (const text of [
      at("elsewhere/key.pem"),
      pathToFileURL(at("elsewhere/key.pem")).href,
      "../elsewhere/key.pem",
      "src/../../elsewhere/key.pem",
      "away/key.pem",
      at("one/away/key.pem"),
      "/etc/passwd",
      "file:///etc/passwd",
      "file://server/share/graph.mts",
      "file:///one%2Fgraph.mts",
      "src",
      "",
      ".",
      "src/graph.mts\0",
      "command:workbench.action.files.newUntitledFile",
      `${"a/".repeat(600)}graph.mts`,
    ])
      deepEqual(await filesNamed(text, folders), [], text);
    deepEqual(await filesNamed("src/graph.mts", []), []);
  });
});

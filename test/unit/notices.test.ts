import assert from "node:assert/strict";
import { mkdir, mkdtemp, readFile, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { noticesOf } from "../../esbuild.notices.mjs";

const root = join(import.meta.dirname, "../..");
const shared = "https://example.com/shared.git";

describe("The notices of what is bundled", () => {
  let folder: string;

  beforeEach(async () => {
    folder = await mkdtemp(join(tmpdir(), "notices-"));
    await install(
      "@vscode/codicons",
      { license: "CC-BY-4.0" },
      { LICENSE: "Attribution", "LICENSE-CODE": "Code" },
    );
  });
  afterEach(() => rm(folder, { recursive: true }));

  const install = async (
    name: string,
    manifest: Readonly<Record<string, string>>,
    texts: Readonly<Record<string, string>> = {},
  ): Promise<void> => {
    const place = join(folder, "node_modules", name);
    await mkdir(place, { recursive: true });
    await writeFile(join(place, "package.json"), JSON.stringify({ name, version: "1.0.0", ...manifest }));
    for (const [file, text] of Object.entries(texts)) await writeFile(join(place, file), text);
  };
  const notices = async (...paths: string[]): Promise<string> => {
    const inputs = Object.fromEntries(
      paths.map((path) => [path, { bytesInOutput: path.includes("unused") ? 0 : 5 }]),
    );
    return noticesOf([{ outputs: { "dist/a.js": { inputs } } }], folder);
  };

  it("have the texts of every package that is in it, and of the font", async () => {
    await install("plain", { license: "MIT" }, { "license.md": "Plain's text", NOTICE: "Plain's notice" });
    await install("@scope/inner", { license: "ISC" }, { COPYING: "Inner's text" });
    const text = await notices(
      "src/main.ts",
      "node_modules/plain/a/b.js",
      "node_modules/@scope/inner/index.js",
    );
    for (const part of ["plain 1.0.0 (MIT)", "Plain's text", "Plain's notice", "@scope/inner 1.0.0 (ISC)"])
      assert.ok(text.includes(part), part);
    for (const part of ["Inner's text", "@vscode/codicons 1.0.0 (CC-BY-4.0)", "Attribution", "Code"])
      assert.ok(text.includes(part), part);
  });

  it("are refused where a text is missing or empty, but not of a package of which nothing is in it", async () => {
    await install("bare", { license: "MIT" });
    await install("empty", { license: "MIT" }, { LICENSE: " \n" });
    await install("unused", { license: "MIT" });
    await notices("node_modules/unused/index.js");
    await assert.rejects(
      notices("node_modules/bare/index.js", "node_modules/empty/index.js"),
      /without a licence text: bare 1\.0\.0 \(MIT\), empty 1\.0\.0 \(MIT\)/,
    );
  });

  it("share the text of one repository, where the licence is the same", async () => {
    await install("one", { license: "Apache-2.0", repository: shared }, { LICENSE: "Shared text" });
    await install("two", { license: "Apache-2.0", repository: shared });
    await install("three", { license: "MIT", repository: shared });
    const text = await notices("node_modules/one/a.js", "node_modules/two/a.js");
    assert.equal(text.split("Shared text").length, 2);
    await assert.rejects(notices("node_modules/one/a.js", "node_modules/three/a.js"), /three 1\.0\.0/);
  });

  it("are in the package", async () => {
    assert.match(await readFile(join(root, ".vscodeignore"), "utf8"), /^!THIRD_PARTY_NOTICES\.md$/m);
  });
});

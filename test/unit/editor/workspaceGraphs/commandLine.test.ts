import { strict as assert } from "node:assert";
import { mkdir, mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { findCommandLine, versionWarning } from "../../../../src/editor/workspaceGraphs/commandLine.ts";

describe("The command line of a project's graphs", () => {
  let folder: string;

  beforeEach(async () => {
    folder = await mkdtemp(join(tmpdir(), "command-line-"));
  });
  afterEach(() => rm(folder, { recursive: true, force: true, maxRetries: 5 }));

  it("that is missing is named with what installs it", async () => {
    const remedy = async () =>
      findCommandLine(folder, "node").then(
        () => assert.fail("it was found"),
        (error: unknown) => (error as { remedy: string }).remedy,
      );
    assert.match(await remedy(), /“npm install --save-dev @langchain\/langgraph-cli”/);
    await writeFile(join(folder, "pnpm-lock.yaml"), "");
    assert.match(await remedy(), /“pnpm add --save-dev @langchain\/langgraph-cli”/);
    await assert.rejects(
      findCommandLine(folder, "python", join(folder, "bin/python")),
      /not installed beside/,
    );
  });

  it("of a version that nobody tried is said to be one, with what works", async () => {
    const home = join(folder, "node_modules/@langchain/langgraph-cli");
    await mkdir(home, { recursive: true });
    const warningOf = async (version: string): Promise<string | undefined> => {
      const manifest = { version, bin: { langgraphjs: "cli.mjs" } };
      await writeFile(join(home, "package.json"), JSON.stringify(manifest));
      return versionWarning(await findCommandLine(folder, "node"));
    };
    assert.equal(await warningOf("1.5.1"), undefined);
    assert.match((await warningOf("2.0.0")) ?? "", /version 2\.0\.0; .* run once their server answers/);
  });
});

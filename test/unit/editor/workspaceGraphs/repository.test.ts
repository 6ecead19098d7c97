import { strict as assert } from "node:assert";
import { execFileSync } from "node:child_process";
import { mkdir, mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { readRepository, webAddress } from "../../../../src/editor/workspaceGraphs/repository.ts";

describe("The repository of a folder with graphs", () => {
  let root: string;
  const git = (...args: readonly string[]): void => {
    const who = ["-c", "user.name=A", "-c", "user.email=a@test", "-c", "commit.gpgsign=false"];
    execFileSync("git", [...who, ...args], { cwd: root, stdio: "ignore" });
  };

  beforeEach(async () => {
    root = await mkdtemp(join(tmpdir(), "repository-"));
  });
  afterEach(() => rm(root, { recursive: true, force: true }));

  it("is told with its branch, the path in it, and what was not pushed", async () => {
    assert.equal(await readRepository(root), undefined);
    const remote = join(root, "remote.git");
    const folder = join(root, "agents/planner");
    await mkdir(folder, { recursive: true });
    git("init", "--initial-branch", "trunk", ".");
    git("init", "--bare", remote);
    await writeFile(join(root, ".gitignore"), "remote.git\n");
    await writeFile(join(folder, "langgraph.json"), "{}");
    git("add", "-A");
    git("commit", "-m", "First");
    assert.deepEqual(await readRepository(folder), {
      url: "",
      branch: "trunk",
      prefix: "agents/planner/",
      unpushed: "the branch trunk was not pushed",
    });
    git("remote", "add", "origin", remote);
    git("push", "-u", "origin", "trunk");
    git("remote", "set-url", "origin", "git@example.test:owner/agents.git");
    const pushed = await readRepository(folder);
    assert.deepEqual([pushed?.url, pushed?.unpushed], ["https://example.test/owner/agents", undefined]);
    await writeFile(join(folder, "langgraph.json"), '{"graphs":{}}');
    git("commit", "-am", "Second");
    await writeFile(join(folder, "agent.ts"), "");
    assert.equal(
      (await readRepository(folder))?.unpushed,
      "commits are not pushed: 1, and files were changed since the last commit",
    );
  });

  it("is named by an address for browsers, without what is secret in it", () => {
    const addresses: Readonly<Record<string, string>> = {
      "https://github.com/owner/agents.git": "https://github.com/owner/agents",
      "https://someone:token@github.com/owner/agents": "https://github.com/owner/agents",
      "git@github.com:owner/agents.git": "https://github.com/owner/agents",
      "ssh://git@example.test:2222/owner/agents.git": "https://example.test/owner/agents",
      "http://127.0.0.1:3000/owner/agents/": "http://127.0.0.1:3000/owner/agents",
      "/srv/git/agents.git": "",
      "file:///srv/git/agents.git": "",
      "": "",
    };
    assert.deepEqual(
      Object.fromEntries(Object.keys(addresses).map((address) => [address, webAddress(address)])),
      addresses,
    );
  });
});

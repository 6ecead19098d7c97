import { deepEqual, equal, ok } from "node:assert/strict";
import { mkdir, mkdtemp, readdir, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import type { Agent, AgentFile } from "../../src/api/managedAgents/wire.ts";
import { layoutOf } from "../../src/editor/agents/files/agentTree.ts";
import { clashAmong, pathProblem } from "../../src/editor/agents/files/fileNames.ts";
import { hostileNames, twins, usualNames } from "../support/hostileNames.ts";
import { Random } from "../support/random.ts";

const agentOf = (files: unknown): Agent => ({ id: "a", name: "Helper", revision: "1", files }) as Agent;
const filesOf = (names: readonly string[]): Record<string, AgentFile> =>
  Object.fromEntries(names.map((name) => [name, { type: "file", content: "x" }]));

describe("Names of an agent's files that mean harm", () => {
  let folder: string;

  beforeEach(async () => (folder = await mkdtemp(join(tmpdir(), "names-"))));
  afterEach(() => rm(folder, { recursive: true }));

  /** Writes what can be files; gives the files that are there then. */
  const written = async (names: readonly string[]): Promise<string[]> => {
    const { tree, leftOut } = layoutOf(agentOf(filesOf(names)));
    equal(
      tree.size + leftOut.length,
      new Set(["agent.json", ...names]).size + (names.includes("agent.json") ? 1 : 0),
    );
    for (const [path, text] of tree) {
      await mkdir(dirname(join(folder, path)), { recursive: true });
      await writeFile(join(folder, path), text);
    }
    const entries = await readdir(folder, { recursive: true, withFileTypes: true });
    const there = entries
      .filter((entry) => entry.isFile())
      .map(({ parentPath, name }) => join(parentPath, name));
    deepEqual(there.map((path) => path.slice(folder.length + 1)).sort(), [...tree.keys()].sort());
    return [...tree.keys()];
  };

  it("are all left out, each with its reason", async () => {
    const { leftOut } = layoutOf(agentOf(filesOf(hostileNames)));
    deepEqual(leftOut.map(({ path }) => path).sort(), [...hostileNames].sort());
    ok(leftOut.every(({ why }) => why !== ""));
    ok(hostileNames.length >= 69, String(hostileNames.length));
    deepEqual(await written(hostileNames), ["agent.json"]);
  });

  it("do not keep good ones out", async () => {
    deepEqual((await written([...hostileNames, ...usualNames])).sort(), ["agent.json", ...usualNames].sort());
  });

  for (const group of twins) {
    it(`are one file on some disks: ${JSON.stringify(group)}`, async () => {
      for (const names of [group, [...group].reverse()]) {
        const { tree } = layoutOf(agentOf(filesOf(names)));
        equal([...tree.keys()].filter((path) => group.includes(path)).length, 1, [...tree.keys()].join());
        for (const path of tree.keys()) equal(pathProblem(path), undefined);
      }
      ok(clashAmong(group));
      await written(group);
    });
  }

  it("never take the place of what every agent has", () => {
    const { tree } = layoutOf(
      agentOf(filesOf(["AGENTS.MD", "AGENTS.md", "SKILLS/x", "skills/y", "TOOLS.json", "tools.json"])),
    );
    deepEqual([...tree.keys()].sort(), ["AGENTS.md", "agent.json", "skills/y", "tools.json"]);
  });

  it("or files that are none are left out, and lists that are none are empty", () => {
    const odd = {
      a: null,
      b: 1,
      c: "text",
      d: [],
      e: { type: "file", content: 5 },
      f: { content: null },
      g: undefined,
    };
    const { tree, leftOut } = layoutOf(agentOf({ ...odd, ok: { content: "" } }));
    deepEqual([...tree.keys()], ["agent.json", "ok"]);
    deepEqual(
      leftOut.map(({ path }) => path),
      Object.keys(odd),
    );
    for (const value of [null, "x", 5, {}, [null, 1, "x", []]]) {
      const fields = { ...agentOf(null), subagents: value, skills: value } as Agent;
      ok(layoutOf(fields).tree.has("AGENTS.md"), JSON.stringify(value));
    }
  });

  it("in any mixture of parts give files that can all be there", async () => {
    const random = new Random(20_261_122);
    const parts = [
      ...new Set([...hostileNames, ...usualNames, ...twins.flat()].flatMap((name) => name.split("/"))),
    ];
    for (let round = 0; round < 100; round += 1) {
      const names = Array.from({ length: 30 }, () =>
        Array.from({ length: 1 + random.below(3) }, () => random.pick(parts)).join("/"),
      );
      const { tree } = layoutOf(agentOf(filesOf(names)));
      equal(clashAmong(tree.keys()), undefined);
      await rm(folder, { recursive: true });
      await mkdir(folder);
      await written([...new Set(names)]);
    }
  });
});

import assert from "node:assert/strict";
import type { Agent, AgentFile } from "../../../../src/api/managedAgents/wire.ts";
import {
  folderName,
  isOfLayout,
  createOf,
  differences,
  layoutOf,
  updateOf,
} from "../../../../src/editor/agents/files/agentTree.ts";
import { pathProblem } from "../../../../src/editor/agents/files/fileNames.ts";

const file = (content: string): AgentFile => ({ type: "file", content });
const link = { type: "skill", repo_handle: "me/shared", commit_id: "abc" } as const;
const agent: Agent = {
  id: "a1",
  name: "Helper",
  description: "Helps.",
  revision: "r1",
  runtime: { model: { model_id: "sample:echo" } },
  backend: { type: "state" },
  permissions: { identity: "personal" },
  extras: { team: "blue" },
  configurable: {},
  files: {
    "AGENTS.md": file("Be brief.\r\n"),
    "tools.json": file('{"tools": [ ] }'),
    "skills/report/SKILL.md": file("---\nname: report\n---\nDo it."),
    "skills/shared": link,
    "docs/a.md": file(""),
  },
};

describe("An agent as files", () => {
  it("has its settings in agent.json and every text as it is, in the same layout", () => {
    const { tree, leftOut } = layoutOf(agent);
    assert.deepEqual(leftOut, []);
    assert.deepEqual(Object.fromEntries(tree), {
      "agent.json": `${JSON.stringify(
        {
          agent_id: "a1",
          name: "Helper",
          description: "Helps.",
          model: "sample:echo",
          backend: { type: "state" },
          permissions: { identity: "personal" },
          extras: { team: "blue" },
        },
        null,
        2,
      )}\n`,
      "AGENTS.md": "Be brief.\r\n",
      "docs/a.md": "",
      "skills/report/SKILL.md": "---\nname: report\n---\nDo it.",
      "skills/shared": `${JSON.stringify(link, null, 2)}\n`,
      "tools.json": '{"tools": [ ] }',
    });
  });

  it("is sent as nothing when nothing changed, and as just what changed otherwise", () => {
    const { tree } = layoutOf(agent);
    assert.deepEqual(updateOf(tree, new Map(tree)), {});
    const after = new Map(tree).set("AGENTS.md", "Be kind.").set("docs/b.md", "B");
    after.delete("docs/a.md");
    after.set(
      "agent.json",
      '{"agent_id":"a1","name":"Helper","model":"sample:slow","extras":{"team":"blue"}}',
    );
    assert.deepEqual(updateOf(tree, after), {
      description: "",
      runtime: { model: { model_id: "sample:slow" } },
      files: { "AGENTS.md": file("Be kind."), "docs/b.md": file("B") },
      deleted_paths: ["docs/a.md"],
    });
  });

  it("keeps a link to a skill a link, and takes a text that only looks like one for a text", () => {
    const { tree } = layoutOf(agent);
    const after = new Map(tree)
      .set("skills/shared", '{"type":"skill","repo_handle":"me/other"}')
      .set("skills/plain", '{"type":"text"}')
      .set("docs/a.md", '{"type":"skill","repo_handle":"me/other"}');
    assert.deepEqual(updateOf(tree, after).files, {
      "skills/shared": { type: "skill", repo_handle: "me/other" },
      "skills/plain": file('{"type":"text"}'),
      "docs/a.md": file('{"type":"skill","repo_handle":"me/other"}'),
    });
  });

  it("is made anew from the same files, in which what is left out is the default", () => {
    assert.deepEqual(createOf(layoutOf(agent).tree), {
      name: "Helper",
      description: "Helps.",
      runtime: agent.runtime,
      permissions: agent.permissions,
      extras: agent.extras,
      files: agent.files,
    });
  });

  it("is read from its fields when a server lists no files", () => {
    const tools = { tools: [{ name: "find", mcp_server_url: "https://t.example.com" }] };
    const { tree } = layoutOf({
      ...agent,
      files: null,
      system_prompt: "Prompt",
      tools,
      subagents: [{ name: "critic", description: "Finds faults", instructions: "Be stern.", tools }],
      skills: [{ name: "report", description: 'A "d"', instructions: "Do it.", files: { "a/b.md": "B" } }],
    });
    assert.deepEqual([...tree.keys()].sort(), [
      "AGENTS.md",
      "agent.json",
      "skills/report/SKILL.md",
      "skills/report/a/b.md",
      "subagents/critic/AGENTS.md",
      "subagents/critic/agent.json",
      "subagents/critic/tools.json",
      "tools.json",
    ]);
    assert.equal(
      tree.get("skills/report/SKILL.md"),
      '---\nname: "report"\ndescription: "A \\"d\\""\n---\n\nDo it.',
    );
    assert.deepEqual(JSON.parse(tree.get("subagents/critic/agent.json") ?? ""), {
      description: "Finds faults",
    });
  });

  it("says which files differ and how", () => {
    const before = new Map([
      ["a", "1"],
      ["b", "2"],
      ["c", "3"],
    ]);
    const after = new Map([
      ["b", "2"],
      ["c", "4"],
      ["d", ""],
    ]);
    assert.deepEqual(differences(before, after), [
      { path: "a", kind: "deleted" },
      { path: "c", kind: "changed" },
      { path: "d", kind: "added" },
    ]);
  });

  it("leaves out what can't be a file of the folder, and says why", () => {
    const names = [
      "../escaped",
      "a/../../b",
      "/etc/passwd",
      "a//b",
      "a/./b",
      "",
      "C:/x",
      "C:\\x",
      "a\\..\\b",
      "a\0b",
      "a\nb",
      ".vscode/tasks.json",
      ".git/hooks/pre-commit",
      "skills/.hidden",
      "con",
      "docs/NUL.txt",
      "dot.",
      "space ",
      "what?.md",
      "x".repeat(513),
    ];
    const files = Object.fromEntries(
      [...names, "Agents.md", "AGENTS.md", "ok.md"].map((name) => [name, file("x")]),
    );
    const { tree, leftOut } = layoutOf({ ...agent, files });
    assert.deepEqual([...tree.keys()], ["agent.json", "AGENTS.md", "ok.md"]);
    assert.deepEqual(leftOut.map(({ path }) => path).sort(), [...names, "Agents.md"].sort());
    assert.equal(pathProblem("../escaped"), "it leads out of the agent's folder");
    assert.equal(pathProblem(".vscode/tasks.json"), "it is hidden");
    assert.equal(
      leftOut.find(({ path }) => path === "Agents.md")?.why,
      "its name is too much like AGENTS.md",
    );
  });

  it("is never taken for a file called agent.json that the server has beside the settings", () => {
    const { tree, leftOut } = layoutOf({ ...agent, files: { "agent.json": file("{}") } });
    assert.match(tree.get("agent.json") ?? "", /"agent_id": "a1"/);
    assert.deepEqual(
      leftOut.map(({ path }) => path),
      ["agent.json"],
    );
  });

  it("names its folder safely whatever it is called", () => {
    const names = ["My Agent!", "../../etc", "CON", "", "Über 9000", "日本"];
    assert.deepEqual(names.map(folderName), ["my-agent", "etc", "agent-con", "agent", "u-ber-9000", "agent"]);
  });

  it("has a layout to which other files of a folder do not belong", () => {
    const paths = ["agent.json", "AGENTS.md", "tools.json", "skills/a/SKILL.md", "subagents/x/agent.json"];
    assert.ok(paths.every(isOfLayout));
    assert.ok(![".env", "src/index.ts", "skills", "notes.md"].some(isOfLayout));
  });
});

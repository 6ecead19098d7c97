import { deepEqual, equal } from "node:assert/strict";
import { updateOf } from "../../../../src/editor/agents/files/agentTree.ts";
import {
  agentDifferences,
  copiedTree,
  promotedTree,
  settingsWords,
  toolServersOf,
  withChosen,
} from "../../../../src/editor/agents/files/promotion.ts";

const tree = (settings: object, files: Record<string, string> = {}): ReadonlyMap<string, string> =>
  new Map([["agent.json", JSON.stringify(settings)], ...Object.entries(files)]);
const source = tree(
  { agent_id: "s", name: "Draft", model: "openai:gpt-6", permissions: { visibility: "all" } },
  { "AGENTS.md": "New", "skills/report/SKILL.md": "Same" },
);
const target = tree(
  { agent_id: "t", name: "Live", runtime: { model: { model_id: "openai:gpt-5" } }, extras: { cost: "7" } },
  { "AGENTS.md": "Old", "skills/report/SKILL.md": "Same", "docs/rules.md": "Kept" },
);

describe("What an agent gets of another one", () => {
  it("is settings and files, and never its name, its id and who may use it", () => {
    const settings = JSON.parse(promotedTree(source, target).get("agent.json") ?? "") as unknown;
    deepEqual(settings, { agent_id: "t", name: "Live", extras: { cost: "7" }, model: "openai:gpt-6" });
  });

  it("names what differs, what the target alone has included", () => {
    deepEqual(agentDifferences(target, source), [
      { path: "AGENTS.md", kind: "changed" },
      { path: "agent.json", kind: "changed" },
      { path: "docs/rules.md", kind: "deleted" },
    ]);
    const promoted = promotedTree(source, target);
    equal(settingsWords(target, promoted), 'runtime: {"model":{"model_id":"openai:gpt-6"}}');
  });

  it("is nothing where both have the same, however it is written", () => {
    const same = tree(
      { name: "Other", runtime: { model: { model_id: "openai:gpt-6" } } },
      { "AGENTS.md": "New" },
    );
    const other = tree({ name: "Draft", model: "openai:gpt-6" }, { "AGENTS.md": "New" });
    deepEqual(agentDifferences(same, other), []);
  });

  it("is what was chosen of it: what is only there stays unless it was", () => {
    const changes = agentDifferences(target, source);
    const promoted = promotedTree(source, target);
    const chosen = changes.filter(({ kind }) => kind !== "deleted");
    deepEqual(updateOf(target, withChosen(target, promoted, chosen)), {
      runtime: { model: { model_id: "openai:gpt-6" } },
      files: { "AGENTS.md": { type: "file", content: "New" } },
    });
    deepEqual(updateOf(target, withChosen(target, promoted, changes)).deleted_paths, ["docs/rules.md"]);
    deepEqual(updateOf(target, withChosen(target, promoted, [])), {});
  });

  it("is all of it for a new one, but for who may use it", () => {
    const settings = JSON.parse(copiedTree(source, "Draft").get("agent.json") ?? "") as unknown;
    deepEqual(settings, { name: "Draft", model: "openai:gpt-6" });
  });

  it("knows which tool servers it uses, subagents included", () => {
    const tools = (...urls: string[]): string =>
      JSON.stringify({ tools: urls.map((mcp_server_url) => ({ name: "t", mcp_server_url })) });
    const using = tree(
      {},
      {
        "tools.json": tools("https://a.test/mcp/", "https://b.test"),
        "subagents/critic/tools.json": tools("https://b.test", "https://c.test"),
        "docs/notes.json": tools("https://no.test"),
      },
    );
    deepEqual(toolServersOf(using), ["https://a.test/mcp", "https://b.test", "https://c.test"]);
    deepEqual(toolServersOf(tree({}, { "tools.json": "{" })), []);
  });
});

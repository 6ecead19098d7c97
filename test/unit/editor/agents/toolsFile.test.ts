import assert from "node:assert/strict";
import { toolsProblems, withTools } from "../../../../src/editor/agents/files/toolsFile.ts";
import type { PickedTool } from "../../../../src/editor/agents/files/toolsFile.ts";

const url = "https://t.example.com/mcp";
const pick = (name: string, asks: boolean, serverUrl = url): PickedTool => {
  return { name, serverUrl, serverName: "tools", asks };
};

describe("tools.json", () => {
  it("is made of picked tools when there is none yet", () => {
    assert.deepEqual(JSON.parse(withTools("", [pick("find", false), pick("erase", true, `${url}/`)])), {
      tools: [
        { name: "find", mcp_server_url: url, mcp_server_name: "tools" },
        { name: "erase", mcp_server_url: `${url}/`, mcp_server_name: "tools" },
      ],
      interrupt_config: { [`${url}::find`]: false, [`${url}::erase`]: true },
    });
  });

  it("keeps what stands in it, and how it is indented", () => {
    const before = {
      version: 7,
      tools: [{ name: "old", mcp_server_url: "https://o.example.com", display_name: "Old" }],
      interrupt_config: { old: true },
    };
    const text = withTools(JSON.stringify(before, null, "\t"), [pick("find", true)]);
    assert.match(text, /^\{\n\t"version": 7/);
    const after = JSON.parse(text) as typeof before;
    assert.deepEqual(after.tools[0], before.tools[0]);
    assert.deepEqual(after.interrupt_config, { old: true, [`${url}::find`]: true });
  });

  it("lists no tool twice, however its server's URL is spelled", () => {
    const before = JSON.stringify({
      tools: [{ name: "find", mcp_server_url: "HTTPS://T.example.com/mcp/", display_name: "Mine" }],
      interrupt_config: { "https://T.example.com/mcp/::find::more": false },
    });
    assert.deepEqual(JSON.parse(withTools(before, [pick("find", true)])), {
      tools: [{ name: "find", mcp_server_url: "HTTPS://T.example.com/mcp/", display_name: "Mine" }],
      interrupt_config: { "https://T.example.com/mcp/::find::more": true },
    });
  });

  it("distinguishes tools of one name on two servers", () => {
    const text = withTools("", [pick("find", true), pick("find", false, "https://other.example.com")]);
    const { tools, interrupt_config } = JSON.parse(text) as { tools: unknown[]; interrupt_config: object };
    assert.equal(tools.length, 2);
    assert.deepEqual(Object.values(interrupt_config), [true, false]);
  });

  const cases: [name: string, text: string, mark: string, message: RegExp][] = [
    ["no list of tools", '{"interrupt_config":{}}', "{", /"tools" is a list/],
    ["a tool that is a text", '{"tools":["find"]}', '"find"', /is an object/],
    ["a tool without a name", '{"tools":[{"mcp_server_url":"https://a.example"}]}', "{", /needs a name/],
    ["a tool without a server", '{"tools":[{"name":"find"}]}', "{", /http/],
    ["a tool on a disk", '{"tools":[{"name":"f","mcp_server_url":"file:///x"}]}', '"file:///x"', /http/],
    ["an answer that is neither yes nor no", '{"tools":[],"interrupt_config":{"f":"yes"}}', '"yes"', /true/],
    ["a broken text", '{"tools":[', "", /./],
  ];
  for (const [name, text, mark, message] of cases) {
    it(`is refused for ${name}, at its place`, () => {
      const [problem] = toolsProblems(text);
      assert.ok(problem);
      assert.equal(text.slice(problem.start, problem.end), mark);
      assert.match(problem.message, message);
    });
  }
});

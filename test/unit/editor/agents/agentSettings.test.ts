import assert from "node:assert/strict";
import { settingsProblems } from "../../../../src/editor/agents/files/agentSettings.ts";
import { problemsOfFile } from "../../../../src/editor/agents/files/agentTree.ts";

const backend = (value: unknown): string => JSON.stringify({ name: "x", backend: value }, null, 2);
const sandbox = (config: unknown): string => backend({ type: "sandbox", sandbox_config: config });

/** The marked text of each problem. */
function marked(text: string): string[] {
  return settingsProblems(text).map(({ start, end }) => text.slice(start, end));
}

describe("agent.json", () => {
  it("is accepted with every setting that an agent has", () => {
    const whole = {
      $schema: "x",
      agent_id: "a1",
      name: "x",
      description: "",
      model: "provider:model",
      backend: {
        type: "sandbox",
        sandbox_config: {
          scope: "agent",
          snapshot_id: "s",
          policy_ids: ["p"],
          idle_ttl_seconds: 900,
          delete_after_stop_seconds: 0,
          later: "a member that nobody knows yet",
        },
      },
      permissions: {},
      extras: {},
      configurable: {},
    };
    assert.deepEqual(settingsProblems(JSON.stringify(whole)), []);
  });

  const cases: [name: string, text: string, marks: string[], message: RegExp][] = [
    ["no name", '{ "description": "x" }', ["{"], /needs a name/],
    ["a blank name", '{ "name": "  " }', ['"  "'], /needs a name/],
    [
      "a sandbox_config without a sandbox",
      backend({ type: "state", sandbox_config: {} }),
      ["{}"],
      /type "sandbox"/,
    ],
    [
      "an unknown type",
      backend({ type: "thread_scoped_sandbox" }),
      ['"thread_scoped_sandbox"'],
      /"state" or/,
    ],
    ["no type", backend({}), ["{"], /"state" or/],
    ["an unknown scope", sandbox({ scope: "world" }), ['"world"'], /"thread"/],
    ["seconds that are a fraction", sandbox({ idle_ttl_seconds: 1.5 }), ["1.5"], /whole number/],
    ["seconds that are a text", sandbox({ delete_after_stop_seconds: "9" }), ['"9"'], /whole number/],
    ["seconds below zero", sandbox({ idle_ttl_seconds: -1 }), ["-1"], /whole number/],
    ["policies that are numbers", sandbox({ policy_ids: [1] }), ["[\n        1\n      ]"], /list of texts/],
    ["a model and a runtime", '{"name":"x","model":"m","runtime":{}}', ['"m"'], /not both/],
    ["a misspelt setting", '{"name":"x","descripton":"y"}', ['"y"'], /no setting "descripton"/],
    ["extras that are a list", '{"name":"x","extras":[]}', ["[]"], /"extras" is an object/],
    ["a list", "[]", ["[]"], /must be a JSON object/],
  ];
  for (const [name, text, marks, message] of cases) {
    it(`is refused for ${name}, at its place`, () => {
      assert.deepEqual(marked(text), marks);
      assert.match(settingsProblems(text)[0]?.message ?? "", message);
    });
  }

  it("says where it stops being JSON", () => {
    const [problem, ...others] = settingsProblems('{"name": "x",}');
    assert.deepEqual(others, []);
    assert.equal(problem?.start, 13);
    assert.match(problem.message, /./);
  });

  it("is found at fault in the midst of strings that look like JSON", () => {
    const text = '{"name":"a \\" } ] : , {","extras":{"k":["[",{"l":null}]},"backend":{"type":"no"}}';
    assert.deepEqual(marked(text), ['"no"']);
  });

  it("of a subagent must be a JSON object, and other files may be anything", () => {
    assert.equal(problemsOfFile("subagents/x/agent.json", "[]").length, 1);
    assert.deepEqual(problemsOfFile("subagents/x/agent.json", "{}"), []);
    assert.deepEqual(problemsOfFile("AGENTS.md", "{"), []);
  });
});

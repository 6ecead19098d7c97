import assert from "node:assert/strict";
import { FilterSyntaxError } from "../../../../src/emulator/bulkExports/filterSyntax.ts";
import { parseFilter } from "../../../../src/emulator/bulkExports/traceFilter.ts";
import type { TraceRow } from "../../../../src/emulator/bulkExports/traceRow.ts";

const row: TraceRow = {
  id: "3f0c2f6e-0000-4000-8000-000000000001",
  tenant_id: "t",
  session_id: "s",
  trace_id: "3f0c2f6e-0000-4000-8000-000000000001",
  parent_run_id: null,
  parent_run_ids: [],
  reference_example_id: null,
  name: "researcher",
  run_type: "llm",
  start_time: new Date("2026-03-01T10:00:00.000Z"),
  end_time: new Date("2026-03-01T10:00:07.500Z"),
  status: "success",
  is_root: true,
  dotted_order: "x",
  trace_tier: "longlived",
  inputs: { messages: [{ content: "How do Agents remember?" }] },
  outputs: { text: "In files." },
  error: null,
  extra: { metadata: { team: "blue", stage: "test", attempt: 2 } },
  events: [],
  tags: ["nightly"],
  feedback_stats: { liked: { n: 2, avg: 0.5, values: {} } },
  total_tokens: 120,
  prompt_tokens: 100,
  completion_tokens: 20,
  total_cost: null,
  prompt_cost: null,
  completion_cost: null,
  first_token_time: null,
};

describe("a filter of traces", () => {
  const passing = [
    'eq(run_type, "llm")',
    "eq(is_root, true)",
    "eq(error, null)",
    'neq(name, "echo")',
    'and(eq(run_type,"llm"),gt(latency,"5s"))',
    'lt(latency, "1m")',
    "gte(latency, 7.5)",
    'lte(latency, "7500ms")',
    'gt(start_time, "2026-03-01T09:59:59Z")',
    'lte(start_time, "2026-03-01T11:00:00+01:00")',
    "gt(total_tokens, 100)",
    'in(name, ["echo", "researcher"])',
    'has(tags, "nightly")',
    `has(metadata, '{"team": "blue"}')`,
    'and(eq(metadata_key, "team"), eq(metadata_value, "blue"))',
    'and(eq(metadata_key, "attempt"), gt(metadata_value, 1))',
    'and(eq(feedback_key, "liked"), gte(feedback_score, 0.5))',
    'search("agents REMEMBER")',
    'search(outputs, "files")',
    'or(eq(name, "x"), not(eq(status, "error")))',
    ' or ( eq( name , "x" ) , eq ( name , "researcher" ) ) ',
    "and()",
  ];
  for (const filter of passing)
    it(`passes a row by ${filter}`, () => assert.equal(parseFilter(filter)(row), true));

  const stopping = [
    'eq(run_type, "tool")',
    "eq(name, 7)",
    "neq(error, null)",
    'gt(latency, "8s")',
    "gt(name, 3)",
    'and(eq(metadata_key, "team"), eq(metadata_value, "test"))',
    'and(eq(feedback_key, "liked"), gt(feedback_score, 0.5))',
    'has(tags, "night")',
    `has(metadata, '{"team": "red"}')`,
    "in(name, [])",
    'search(outputs, "agents")',
    "or()",
  ];
  for (const filter of stopping)
    it(`stops a row by ${filter}`, () => assert.equal(parseFilter(filter)(row), false));

  const broken = [
    "",
    "eq",
    "eq(run_type",
    'eq(run_type, "llm"',
    'eq(run_type, "llm"))',
    'eq(run_type, "llm)',
    "eq(run_type)",
    'eq("llm", run_type)',
    'eq(colour, "red")',
    'like(name, "x")',
    'constructor(name, "x")',
    "in(name, 3)",
    'gt(latency, "soon")',
    "has(tags)",
    "has(metadata, 'x')",
    "not()",
    "search(1, 2)",
    "eq(name, 1) eq(name, 2)",
    "eq(name; 1)",
    "not(".repeat(60) + 'eq(name, "x")' + ")".repeat(60),
  ];
  for (const filter of broken) {
    it(`is refused when it says ${filter.slice(0, 40)}`, () => {
      assert.throws(() => parseFilter(filter), FilterSyntaxError);
    });
  }

  it("says where it can't be read", () => {
    assert.throws(() => parseFilter('and(eq(name, "x"), ?)'), /\? at position 19/);
  });
});

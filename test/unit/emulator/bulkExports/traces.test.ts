import assert from "node:assert/strict";
import { rm } from "node:fs/promises";
import type { TraceRow } from "../../../../src/emulator/bulkExports/traceRow.ts";
import { closePlatform, openPlatform } from "../../../../src/emulator/platform/platform.ts";
import { events, LocalPlatform, say, slowly, text } from "../../../support/localPlatform.ts";

describe("traces of recorded runs", () => {
  const runs: Record<string, string> = {};
  let traces: Map<string, TraceRow[]>;
  let directory: string;

  before(async () => {
    const platform = await LocalPlatform.start();
    ({ directory } = platform);
    const run = async (name: string, thread: string, order: Record<string, unknown>): Promise<void> => {
      runs[name] = await platform.run(thread, order);
      await platform.join(thread, runs[name]);
    };
    const asked = await platform.thread();
    await run("asking", asked, { assistant_id: "approval", input: say("Send it.") });
    const command = { resume: { decisions: [{ type: "approve" }] } };
    await run("answered", asked, { assistant_id: "approval", command });
    const mended = await platform.thread();
    await run("failed", mended, { assistant_id: "pipeline", input: { ...say("x"), fail_at: "write" } });
    await run("retried", mended, { assistant_id: "pipeline", input: null });
    await run("failing", await platform.thread(), { assistant_id: "faulty", input: say("x") });
    await run("nested", await platform.thread(), { assistant_id: "researcher", input: say("Memory?") });
    const stopped = await platform.thread();
    runs.stopped = await platform.run(
      stopped,
      slowly({ assistant_id: "echo", input: say("x ".repeat(200)), stream_mode: "messages-tuple" }, 20),
    );
    const followed = await platform.fetch("GET", `/threads/${stopped}/runs/${runs.stopped}/stream`);
    for await (const { event } of events(followed)) if (event === "messages") break;
    await platform.send("POST", `/threads/${stopped}/runs/${runs.stopped}/cancel?wait=1`);
    const { thread_id } = (await platform.send("GET", `/threads/${asked}`)).body;
    const urls = await platform.stream(text(thread_id), {
      assistant_id: "echo",
      input: say("y"),
      feedback_keys: ["liked"],
      config: { tags: ["nightly"], configurable: { token_delay_ms: 0 } },
    });
    runs.rated = text(urls[0]!.data.run_id);
    const url = text(urls.at(-1)!.data.liked);
    for (const body of [
      { score: 1, value: "good" },
      { score: 0, value: "good" },
    ]) {
      await fetch(url, { method: "POST", body: JSON.stringify(body) });
    }
    await platform.stop();
    const opened = openPlatform(directory, undefined, () => "");
    const all = { start: "2020-01-01T00:00:00.000Z", end: "2100-01-01T00:00:00.000Z" };
    const pieces = [...opened.bulkExports.traces.rows(opened.identity.deploymentId, all)];
    traces = new Map(pieces.map(({ runId, rows }) => [runId, [...rows]]));
    await closePlatform(opened);
  });
  after(() => rm(directory, { recursive: true, force: true }));

  const trace = (name: string): TraceRow[] => traces.get(runs[name] ?? "") ?? [];
  const root = (name: string): TraceRow => trace(name).find(({ is_root }) => is_root)!;
  const named = (name: string, span: string): TraceRow[] => trace(name).filter((row) => row.name === span);

  it("have one root, the run itself, and every span below one that is there", () => {
    for (const rows of traces.values()) {
      assert.equal(rows.filter(({ is_root }) => is_root).length, 1);
      const byId = new Map(rows.map((row) => [row.id, row]));
      assert.equal(byId.size, rows.length, "ids are unique");
      for (const row of rows) {
        const parent = byId.get(row.parent_run_id ?? "");
        assert.equal(parent === undefined, row.is_root);
        if (parent === undefined) continue;
        assert.deepEqual(row.parent_run_ids, [...parent.parent_run_ids, parent.id]);
        assert.ok(row.dotted_order.startsWith(`${parent.dotted_order}.`));
        assert.ok(row.start_time >= parent.start_time);
        assert.ok(row.end_time !== null && parent.end_time !== null && row.end_time <= parent.end_time);
      }
    }
  });

  it("show the step that stopped to ask in the run that asked, and its work in the run that was answered", () => {
    assert.deepEqual(
      named("asking", "review").map(({ status }) => status),
      ["interrupted"],
    );
    assert.deepEqual(
      named("answered", "review").map(({ status }) => status),
      ["success"],
    );
    assert.ok(trace("answered").some(({ run_type }) => run_type === "tool"));
    assert.deepEqual(Object.keys(root("answered").inputs as object), ["command"]);
    const asking = named("asking", "review")[0]!;
    const answered = named("answered", "review")[0]!;
    assert.ok(answered.start_time >= asking.start_time);
  });

  it("have a row of its own for each run that worked on a step", () => {
    const rows = [...traces.values()].flat();
    assert.equal(new Set(rows.map(({ id }) => id)).size, rows.length);
    const tool = trace("answered").find(({ run_type }) => run_type === "tool");
    assert.equal(tool?.parent_run_id, named("answered", "review")[0]?.id);
    const step = (name: string) =>
      named(name, "write")
        .filter(({ run_type }) => run_type === "chain")
        .map(({ status, error }) => [status, error === null]);
    assert.deepEqual(step("failed"), [["error", false]]);
    assert.deepEqual(step("retried"), [["success", true]]);
  });

  it("show where and why a run failed", () => {
    assert.equal(root("failing").status, "error");
    assert.ok(root("failing").error);
    assert.equal(root("failing").outputs, null);
    assert.equal(trace("failing").filter(({ is_root, error }) => !is_root && error !== null).length, 1);
  });

  it("keep what a stopped run had said", () => {
    assert.equal(root("stopped").status, "interrupted");
    const [call] = trace("stopped").filter(({ run_type }) => run_type === "llm");
    assert.equal(call?.status, "interrupted");
    assert.ok(JSON.stringify(call.outputs).includes('"content"'));
  });

  it("put the steps of subgraphs below the step that ran them, and count each token once", () => {
    const inner = trace("nested").filter(({ parent_run_ids }) => parent_run_ids.length > 2);
    assert.ok(inner.length > 0);
    const calls = trace("nested").filter(({ run_type }) => run_type === "llm");
    const messages = calls.map(({ outputs }) => (outputs as { id: string }).id);
    assert.equal(new Set(messages).size, messages.length);
    const sum = calls.reduce((total, { total_tokens }) => total + total_tokens, 0);
    assert.ok(sum > 0);
    assert.equal(root("nested").total_tokens, sum);
    assert.equal(root("nested").prompt_tokens + root("nested").completion_tokens, sum);
  });

  it("carry the tags and the feedback, whose texts are counted", () => {
    assert.deepEqual(root("rated").tags, ["nightly"]);
    assert.deepEqual(root("rated").feedback_stats, { liked: { n: 2, avg: 0.5, values: { good: 2 } } });
  });
});

import assert from "node:assert/strict";
import { is, list, LocalPlatform, say, text } from "../../../support/localPlatform.ts";
import type { ServerEvent, Shape } from "../../../support/localPlatform.ts";
import { until } from "../../../support/until.ts";

describe("questions of the approval agent", () => {
  let platform: LocalPlatform;

  before(async () => {
    platform = await LocalPlatform.start();
  });
  after(() => platform.remove());

  const ask = async (content: string): Promise<{ thread: string; seen: ServerEvent[] }> => {
    const thread = await platform.thread();
    const seen = await platform.stream(thread, {
      assistant_id: "approval",
      input: say(content),
      stream_mode: ["values", "updates"],
    });
    return { thread, seen };
  };
  const resume = (thread: string, value: unknown): Promise<ServerEvent[]> =>
    platform.stream(thread, { assistant_id: "approval", command: { resume: value }, stream_mode: "values" });
  const toolMessages = async (thread: string): Promise<Shape[]> =>
    list((await platform.state(thread)).values?.messages).filter(({ type }) => is(type, "tool"));

  it("arrive in the stream, the state, the thread and the search", async () => {
    const { thread, seen } = await ask("Tell them hello");
    const inUpdates = seen.find(({ event, data }) => event === "updates" && data.__interrupt__ !== undefined);
    const inValues = seen.at(-1);
    assert.equal(inValues?.event, "values");
    const [question] = list(inValues.data.__interrupt__);
    assert.deepEqual(list(inUpdates?.data.__interrupt__), [question]);
    assert.deepEqual(question?.value, {
      action_requests: [
        {
          name: "send_email",
          args: { to: "team@example.com", subject: "Update", body: "Tell them hello" },
          description: "Sends an email in your name.",
        },
      ],
      review_configs: [
        { action_name: "send_email", allowed_decisions: ["approve", "edit", "reject", "respond"] },
      ],
    });
    const state = await platform.state(thread);
    assert.deepEqual(state.next, ["review"]);
    assert.deepEqual(list(state.tasks)[0]?.interrupts, [question]);
    const row = (await platform.send("GET", `/threads/${thread}`)).body;
    assert.equal(row.status, "interrupted");
    assert.deepEqual(row.interrupts, { [text(list(state.tasks)[0]?.id)]: [question] });
    const [run] = list((await platform.send("GET", `/threads/${thread}/runs`)).body);
    assert.equal(run?.status, "success");
  });

  it("are two when the text asks for two", async () => {
    const { seen } = await ask("Please do two things");
    const [question] = list(seen.at(-1)?.data.__interrupt__);
    assert.deepEqual(
      list(question?.value?.action_requests).map(({ name }) => name),
      ["send_email", "delete_file"],
    );
  });

  const outcomes: [string, unknown, string, string][] = [
    ["approve", { type: "approve" }, "Sent to team@example.com: Update — Tell them hello", "success"],
    [
      "edit",
      {
        type: "edit",
        edited_action: { name: "send_email", args: { to: "boss@example.com", subject: "S", body: "B" } },
      },
      "Sent to boss@example.com: S — B",
      "success",
    ],
    ["reject", { type: "reject", message: "Not today" }, "Rejected: Not today", "error"],
    ["respond", { type: "respond", message: "I told them myself" }, "I told them myself", "success"],
  ];
  for (const [name, decision, content, status] of outcomes) {
    it(`show what came of ${name}`, async () => {
      const { thread } = await ask("Tell them hello");
      const seen = await resume(thread, { decisions: [decision] });
      assert.ok(!seen.some(({ event }) => event === "error"));
      const [result] = await toolMessages(thread);
      assert.equal(result?.content, content);
      assert.equal(result.status, status);
      const state = await platform.state(thread);
      assert.deepEqual(state.next, []);
      assert.match(text(list(state.values?.messages).at(-1)?.content), new RegExp(content));
      assert.equal((await platform.send("GET", `/threads/${thread}`)).body.status, "idle");
    });
  }

  it("take one decision per action, in order", async () => {
    const { thread } = await ask("two, please");
    await resume(thread, { decisions: [{ type: "respond", message: "done by hand" }, { type: "approve" }] });
    const results = await toolMessages(thread);
    assert.deepEqual(
      results.map(({ name }) => name),
      ["send_email", "delete_file"],
    );
    assert.equal(results[0]?.content, "done by hand");
    assert.match(text(results[1]?.content), /delete_file done with .*drafts/);
  });

  it("take an answer under the id of the question", async () => {
    const { thread, seen } = await ask("Tell them hello");
    const id = text(list(seen.at(-1)?.data.__interrupt__)[0]?.id);
    await resume(thread, { [id]: { decisions: [{ type: "approve" }] } });
    assert.equal((await toolMessages(thread)).length, 1);
  });

  const mistakes: [string, unknown, RegExp][] = [
    ["a bare list", [{ type: "approve" }], /Expected \{"decisions"/],
    ["too few decisions", { decisions: [] }, /Expected 2 decisions/],
    ["too many decisions", { decisions: Array(3).fill({ type: "approve" }) }, /but got 3/],
    ["an unknown type", { decisions: [{ type: "shrug" }, { type: "approve" }] }, /decisions\.0/],
    [
      "a type that is not allowed",
      { decisions: [{ type: "approve" }, { type: "respond", message: "x" }] },
      /"respond" is not allowed for delete_file: choose one of approve, reject/,
    ],
    ["an edit without an action", { decisions: [{ type: "edit" }, { type: "approve" }] }, /edited_action/],
  ];
  for (const [name, value, message] of mistakes) {
    it(`fail the run for ${name} and can then be answered again`, async () => {
      const { thread } = await ask("two, please");
      const seen = await resume(thread, value);
      assert.equal(seen.at(-1)?.event, "error");
      assert.match(text(seen.at(-1)?.data.message), message);
      const waiting = list((await platform.state(thread)).tasks)[0];
      assert.equal(list(waiting?.interrupts).length, 1);
      assert.match(text(waiting?.error), /InvalidDecisionError/);
      await resume(thread, { decisions: [{ type: "approve" }, { type: "reject" }] });
      assert.equal((await toolMessages(thread)).length, 2);
    });
  }

  it("are answered with nothing but metadata when none is open", async () => {
    const thread = await platform.thread();
    await platform.stream(thread, { assistant_id: "echo", input: say("x") });
    const seen = await platform.stream(thread, { assistant_id: "echo", command: { resume: "yes" } });
    assert.deepEqual(
      seen.map(({ event }) => event),
      ["metadata"],
    );
  });

  it("take an answer that was sent before they were asked, and only one that fits", async () => {
    const thread = await platform.thread();
    const approval = { assistant_id: "approval" };
    await platform.stream(thread, { ...approval, input: say("Tell them"), interrupt_before: ["review"] });
    await resume(thread, { ["0".repeat(32)]: { decisions: [{ type: "approve" }] } });
    assert.equal(list(list((await platform.state(thread)).tasks)[0]?.interrupts).length, 1);
    const other = await platform.thread();
    await platform.stream(other, { ...approval, input: say("Tell them"), interrupt_before: ["review"] });
    assert.equal((await resume(other, "yes")).at(-1)?.event, "error");
    await platform.stream(other, { ...approval, input: null });
    await resume(other, { decisions: [{ type: "approve" }] });
    assert.equal((await toolMessages(other)).length, 1);
  });

  it("are answered, or wait on, beside a node that the same command goes to", async () => {
    const { thread } = await ask("Tell them hello");
    const goTo = (command: object) =>
      platform.stream(thread, {
        ...{ assistant_id: "approval", command: { goto: ["model", "model"], ...command } },
        stream_mode: "updates",
      });
    const updates = (seen: ServerEvent[]) =>
      seen.flatMap(({ event, data }) => (event === "updates" ? Object.keys(data) : []));
    assert.deepEqual(updates(await goTo({})), ["model", "__interrupt__"]);
    const { next, tasks } = await platform.state(thread);
    assert.deepEqual(next, ["review"]);
    const [question] = list(list(tasks)[0]?.interrupts);
    const answer = { [text(question?.id)]: { decisions: [{ type: "reject", message: "no" }] } };
    const seen = updates(await goTo({ resume: answer }));
    assert.deepEqual(seen.slice(0, 2).sort(), ["model", "review"]);
    assert.equal((await toolMessages(thread))[0]?.content, "Rejected: no");
  });

  it("are open again when the run that answered them is rolled back", async () => {
    const { thread } = await ask("Tell them hello");
    const before = await platform.state(thread);
    const runId = await platform.run(thread, {
      assistant_id: "approval",
      command: { resume: { decisions: [{ type: "approve" }] } },
      config: { configurable: { token_delay_ms: 50 } },
    });
    await platform.send("POST", `/threads/${thread}/runs/${runId}/cancel?wait=true&action=rollback`);
    assert.deepEqual(await platform.state(thread), before);
    assert.equal((await platform.send("GET", `/threads/${thread}`)).body.status, "interrupted");
    await resume(thread, { decisions: [{ type: "approve" }] });
    assert.equal((await toolMessages(thread)).length, 1);
  });

  it("are open again also when the step that asked them is done by then", async () => {
    const { thread } = await ask("Tell them hello");
    const before = await platform.state(thread);
    const runId = await platform.run(thread, {
      ...{ assistant_id: "approval", command: { resume: { decisions: [{ type: "approve" }] } } },
      config: { configurable: { token_delay_ms: 60 } },
    });
    await until("the next step runs", async () => is((await platform.state(thread)).next?.[0], "model"));
    await platform.send("POST", `/threads/${thread}/runs/${runId}/cancel?wait=true&action=rollback`);
    assert.deepEqual(await platform.state(thread), before);
    assert.equal((await platform.send("GET", `/threads/${thread}`)).body.status, "interrupted");
    await resume(thread, { decisions: [{ type: "reject", message: "no" }] });
    assert.equal((await toolMessages(thread))[0]?.content, "Rejected: no");
  });

  it("are left behind by a new message", async () => {
    const { thread, seen } = await ask("Tell them hello");
    const again = await platform.stream(thread, { assistant_id: "approval", input: say("Something else") });
    const before = text(list(seen.at(-1)?.data.__interrupt__)[0]?.id);
    const after = text(list(again.at(-1)?.data.__interrupt__)[0]?.id);
    assert.notEqual(after, before);
  });
});

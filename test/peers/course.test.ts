import assert from "node:assert/strict";
import type { Json } from "./sdk/client.ts";
import {
  checkpointLine,
  type Compared,
  eventLines,
  historyLines,
  servers,
  text,
  texts,
} from "./sdk/facts.ts";

const steps = ["collect", "check", "reserve", "charge", "write", "send", "close"];
const modes = ["values", "updates"];
const once = Object.fromEntries(steps.map((name) => [name, 1]));
const say = (content: string, rest: object = {}) => ({ messages: [{ role: "user", content }], ...rest });
const fast = { config: { configurable: { token_delay_ms: 0 } } };

for (const [name, start] of Object.entries(servers)) {
  describe(`the course of a run on ${name}`, () => {
    let server: Compared;

    before(async () => {
      server = await start();
    });
    after(() => server.stop());

    const thread = async (): Promise<string> => text((await server.client.threads.create()).thread_id);
    const stream = (id: string, order: object) =>
      eventLines(server.client.runs.stream(id, "pipeline", { streamMode: modes, ...fast, ...order }));
    const goOn = (id: string, order: object = {}) => stream(id, { input: null, ...order });
    const run = async (id: string, input: object | null): Promise<Json> =>
      await server.client.runs.wait(id, "pipeline", { input, ...fast, raiseError: false });
    const state = (id: string) => server.client.threads.getState(id);
    const status = async (id: string) => (await server.client.threads.get(id)).status;
    const lines = (id: string) => historyLines(server.client, id);
    const at = async (id: string, line: string): Promise<Json> =>
      (await server.client.threads.getHistory(id, { limit: 100 })).find(
        (one) => checkpointLine(one) === line,
      ) ?? assert.fail(`${line} is not in the history:\n${(await lines(id)).join("\n")}`);
    const executions = async (id: string) => (await state(id)).values?.executions;

    it("has a checkpoint before the input, and tells what each step did", async () => {
      const id = await thread();
      assert.deepEqual(await stream(id, { input: say("one") }), [
        "metadata",
        "values",
        ...steps.flatMap((step) => [`updates ${step}`, "values"]),
      ]);
      assert.deepEqual(await lines(id), [
        "input -1: __start__ ok",
        ...steps.map((step, index) => `loop ${index}: ${step} ok`),
        "loop 7:",
      ]);
      await run(id, say("two"));
      const [before] = (await lines(id)).slice(9);
      assert.equal(before, "input 8: __start__ ok");
      const input = await at(id, before);
      assert.deepEqual(texts(input.values).at(-1), "close: done");
      assert.deepEqual(input.next, ["__start__"]);
      assert.deepEqual(input.tasks?.[0]?.result, say("two"));
    });

    it("streams values when no mode is asked for", async () => {
      assert.deepEqual(await stream(await thread(), { input: say("one"), streamMode: [] }), [
        "metadata",
        ...Array<string>(8).fill("values"),
      ]);
    });

    it("streams what a graph inside of a step says where it says it, and not once more as the step's own", async () => {
      const places: string[] = [];
      const order = { input: say("one"), streamMode: "messages-tuple", streamSubgraphs: true, ...fast };
      for await (const { event } of server.client.runs.stream(await thread(), "naps", order))
        if (event.startsWith("messages")) places.push(event.replaceAll(/:[0-9a-f-]{36}.*/g, ""));
      assert.deepEqual(places.toSorted(), [
        ...Array<string>(5).fill("messages|left"),
        ...Array<string>(5).fill("messages|right"),
      ]);
    });

    it("stops before and after nodes, also the first and the last", async () => {
      const id = await thread();
      const stopped = ["updates asks 0", "values asks 0"];
      assert.deepEqual(await stream(id, { input: say("one"), interruptBefore: ["collect"] }), [
        "metadata",
        "values",
        ...stopped,
      ]);
      assert.equal(await status(id), "interrupted");
      assert.deepEqual((await state(id)).next, ["collect"]);
      const single = (step: string) => ["metadata", "values", `updates ${step}`, "values", ...stopped];
      assert.deepEqual(await goOn(id, { interruptBefore: "*" }), single("collect"));
      assert.deepEqual(await goOn(id, { interruptAfter: "*" }), single("check"));
      assert.deepEqual(await executions(id), { collect: 1, check: 1 });
      assert.deepEqual((await goOn(id, { interruptAfter: ["close"] })).slice(-2), stopped);
      assert.deepEqual([await status(id), (await state(id)).next], ["interrupted", []]);
      assert.deepEqual(await goOn(id), ["metadata", "values"]);
      assert.equal(await status(id), "idle");
      const all = await thread();
      const atOnce = await stream(all, { input: say("one"), interruptBefore: "*" });
      assert.deepEqual(atOnce, ["metadata", "values", ...stopped]);
      assert.deepEqual(await executions(id), once);
    });

    it("answers the state when nothing is left to do", async () => {
      const id = await thread();
      const ended = await run(id, say("one"));
      assert.deepEqual(await run(id, null), ended);
      assert.deepEqual(await executions(id), once);
      const failed = await run(await thread(), null);
      assert.match(JSON.stringify(failed), /EmptyInputError|no input/i);
    });

    it("retries the step that failed, and no other", async () => {
      const id = await thread();
      await run(id, say("one", { fail_at: "write", fail_times: 2 }));
      assert.equal((await lines(id)).at(-1), "loop 4: write failed");
      const [task] = (await state(id)).tasks as unknown as Json[];
      assert.match(text(task?.error), /write failed, time 1 of 2/);
      assert.equal(await status(id), "error");
      await run(id, null);
      assert.match(text((await state(id)).tasks?.[0]?.error), /time 2 of 2/);
      assert.deepEqual((await goOn(id)).slice(0, 3), ["metadata", "values", "updates write"]);
      assert.deepEqual(await executions(id), { ...once, write: 3 });
      assert.equal(await status(id), "idle");
    });

    it("skips the step that failed with a result of one's own", async () => {
      const id = await thread();
      await run(id, say("one", { fail_at: "write", fail_times: 9 }));
      const values = { messages: [{ type: "ai", content: "mine" }] };
      await server.client.threads.updateState(id, { values, asNode: "write" });
      assert.equal((await lines(id)).at(-1), "update 5: send waits");
      assert.equal(await status(id), "error");
      await goOn(id);
      const { write, ...others } = once;
      assert.deepEqual([await executions(id), write], [others, 1]);
      assert.ok(texts((await state(id)).values).includes("mine"));
    });

    it("forks with and without an edit, as a node and after the last one", async () => {
      const id = await thread();
      await run(id, say("one"));
      const { checkpoint } = await at(id, "loop 2: reserve ok");
      const fork = async (update: object) => {
        await server.client.threads.updateState(id, { checkpoint, ...update });
        return (await lines(id)).at(-1);
      };
      assert.equal(await fork({ values: null }), "update 3: reserve waits");
      assert.equal(await fork({ values: {} }), "update 3: reserve waits");
      assert.equal(await fork({ values: { job: "edited" } }), "update 3: reserve waits");
      assert.equal(await fork({ values: null, asNode: "write" }), "update 3: send waits");
      assert.equal(await fork({ values: null, asNode: "__start__" }), "update 3: collect waits");
      assert.equal(await fork({ values: null, asNode: "__end__" }), "update 3: charge waits");
      assert.equal(await fork({ values: null, asNode: "__copy__" }), "fork 3: reserve waits");
      await fork({ values: null });
      await goOn(id);
      assert.deepEqual(await executions(id), { ...once, reserve: 2, charge: 2, write: 2, send: 2, close: 2 });
      assert.deepEqual((await state(id)).parent_checkpoint, (await at(id, "loop 7: close ok")).checkpoint);
      await server.client.threads.updateState(id, { values: null, asNode: "__end__" });
      assert.deepEqual((await state(id)).next, []);
    });

    it("runs from an earlier checkpoint, with and without an input", async () => {
      const id = await thread();
      await run(id, say("one"));
      const { checkpoint } = await at(id, "loop 5: send ok");
      await goOn(id, { checkpoint });
      assert.deepEqual((await lines(id)).slice(-3), ["fork 6: send ok", "loop 7: close ok", "loop 8:"]);
      assert.deepEqual(await executions(id), { ...once, send: 2, close: 2 });
      await stream(id, { input: say("instead"), checkpoint, interruptBefore: "*" });
      assert.deepEqual((await lines(id)).slice(-2), ["input 6: __start__ ok", "loop 7: collect waits"]);
      assert.equal(texts((await state(id)).values).at(-1), "instead");
    });

    it("puts an edited first message in the place of the old one, at the root", async () => {
      const id = await thread();
      const ended = await run(id, say("one"));
      const { checkpoint } = await at(id, "input -1: __start__ ok");
      const messages = [{ type: "human", id: ended.messages?.[0]?.id, content: "edited" }];
      await server.client.threads.updateState(id, { values: { messages }, checkpoint, asNode: "__start__" });
      assert.deepEqual(texts((await state(id)).values), ["edited"]);
      await goOn(id);
      assert.equal(texts((await state(id)).values).length, 9);
      await stream(id, { input: say("said instead"), checkpoint });
      assert.deepEqual(texts((await state(id)).values).slice(0, 2), ["said instead", "collect: done"]);
      assert.equal(texts((await state(id)).values).length, 9);
    });

    it("moves a run elsewhere by a command", async () => {
      const id = await thread();
      await run(id, say("one"));
      const moved = await stream(id, { command: { goto: "send", update: { job: "moved" } } });
      assert.deepEqual(moved, ["metadata", "values", "updates send", "values", "updates close", "values"]);
      assert.deepEqual((await lines(id)).slice(-3), ["input 8: send ok", "loop 9: close ok", "loop 10:"]);
      assert.equal((await state(id)).values?.job, "moved");
    });

    it("goes on by an answer where no question waits, at a breakpoint and at the step that failed", async () => {
      const id = await thread();
      await stream(id, { input: say("one", { fail_at: "write" }), interruptBefore: ["check"] });
      const answer = { command: { resume: "yes" } };
      assert.deepEqual((await stream(id, answer)).slice(0, 3), ["metadata", "values", "updates check"]);
      assert.deepEqual([await status(id), (await state(id)).next], ["error", ["write"]]);
      await stream(id, answer);
      assert.deepEqual([await status(id), await executions(id)], ["idle", { ...once, write: 2 }]);
    });

    it("copies a thread with its history, as one of its own, and goes on there", async () => {
      const id = await thread();
      await run(id, say("one", { fail_at: "write" }));
      const copy = await server.client.threads.copy(id);
      const copied = text(copy.thread_id);
      assert.equal(copy.status, "idle");
      assert.equal(copy.metadata?.thread_id, copied);
      assert.deepEqual(await lines(copied), await lines(id));
      const head = await state(copied);
      assert.deepEqual([head.metadata?.thread_id, head.checkpoint?.thread_id], [copied, copied]);
      await goOn(copied);
      assert.deepEqual(await executions(copied), { ...once, write: 2 });
      assert.equal((await lines(id)).at(-1), "loop 4: write failed");
    });

    it("makes a thread with a history by supersteps", async () => {
      const id = await thread();
      await run(id, say("one", { fail_at: "write" }));
      const history = (await server.client.threads.getHistory(id, { limit: 100 })).reverse();
      const supersteps = history.slice(0, -1).map((one) => {
        const [task] = one.tasks as unknown as Json[];
        return { updates: [{ values: task?.result, asNode: task?.name }] };
      });
      const clone = text((await server.client.threads.create({ graphId: "pipeline", supersteps })).thread_id);
      assert.deepEqual(await lines(clone), [
        ...steps.slice(0, 4).map((_, index) => `update ${index}: ${steps[index]} waits`),
        "update 4: write waits",
      ]);
      const clones = (await server.client.threads.getHistory(clone, { limit: 100 })).reverse();
      assert.deepEqual(
        clones.map(({ values, next }) => [texts(values), values?.executions, next]),
        history.slice(1).map(({ values, next }) => [texts(values), values?.executions, next]),
      );
      await assert.rejects(server.client.threads.create({ supersteps }), /400/);
      const started = { updates: [{ values: say("two"), asNode: "__input__" }] };
      const fresh = await server.client.threads.create({ graphId: "pipeline", supersteps: [started] });
      const freshId = text(fresh.thread_id);
      assert.deepEqual((await state(freshId)).metadata?.step, -1);
      await goOn(freshId);
      assert.deepEqual(await executions(freshId), once);
    });

    for (const spelling of ["edited_action", "editedAction"]) {
      it(`makes of a tool call what a person changed, spelled ${spelling}`, async () => {
        const id = await thread();
        const asked = { input: say("two things"), streamMode: "updates", ...fast };
        await eventLines(server.client.runs.stream(id, "approval", asked));
        const question = (await state(id)).tasks?.[0]?.interrupts?.[0];
        const wanted = (await state(id)).values?.messages?.[1]?.tool_calls;
        const changed = { name: wanted?.[0]?.name, args: { to: "someone@example.com" } };
        const decisions = [
          { type: "edit", [spelling]: changed },
          { type: "reject", message: "keep it" },
        ];
        const resume = { [text(question?.id)]: { decisions } };
        await eventLines(
          server.client.runs.stream(id, "approval", {
            command: { resume },
            streamMode: "messages-tuple",
            ...fast,
          }),
        );
        const { values } = await state(id);
        const calls = values?.messages?.[1]?.tool_calls as unknown as Json[];
        assert.deepEqual(
          calls.map(({ args }) => args),
          [changed.args, wanted?.[1]?.args],
        );
        assert.deepEqual(calls[0]?.id, wanted?.[0]?.id);
        assert.equal(texts(values).length, 5);
        const line = (await lines(id)).find((one) => one.includes("asked"));
        assert.match(line ?? "", /^loop 1: (act|review) asked$/);
      });
    }

    it("gives an answer to a question that does not wait to no other one", async () => {
      const id = await thread();
      const ask = { input: say("two things"), streamMode: "updates", ...fast };
      await eventLines(server.client.runs.stream(id, "approval", ask));
      const before = await state(id);
      const resume = { ["0".repeat(32)]: { decisions: [{ type: "approve" }, { type: "approve" }] } };
      await eventLines(server.client.runs.stream(id, "approval", { command: { resume }, ...fast }));
      const after = await state(id);
      assert.deepEqual(texts(after.values), texts(before.values));
      assert.deepEqual(after.tasks?.[0]?.interrupts, before.tasks?.[0]?.interrupts);
      assert.equal(await status(id), "interrupted");
    });
  });
}

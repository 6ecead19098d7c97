/** What a client is told by a real agent server and by the Local Platform alike. */

import assert from "node:assert/strict";
import { is, list, type Shape, text } from "./localPlatform.ts";
import { WebhookReceiver } from "./webhookReceiver.ts";

const nowhere = "00000000-0000-7000-8000-000000000000";

/** An agent server, and the name of a graph on it that answers at once. */
export interface Asked {
  readonly url: string;
  readonly headers?: Readonly<Record<string, string>>;
  readonly chat: string;
}

/** Tests that ask the server that `start` gives. */
export function itAnswersAsAgentServersDo(start: () => Promise<Asked>): void {
  let asked: Asked;

  before(async () => {
    asked = await start();
  });

  async function send(path: string, body?: object): Promise<string> {
    const response = await fetch(asked.url + path, {
      method: body === undefined ? "GET" : "POST",
      headers: { "content-type": "application/json", ...asked.headers },
      ...(body !== undefined && { body: JSON.stringify(body) }),
    });
    const answer = await response.text();
    assert.equal(response.status, 200, answer);
    return answer;
  }

  const read = async (path: string, body?: object): Promise<Shape> =>
    JSON.parse(await send(path, body)) as Shape;
  const newThread = async (): Promise<string> => text((await read("/threads", {})).thread_id);

  const streamed = (threadId: string, body: object): Promise<string> =>
    send(`/threads/${threadId}/runs/stream`, { config: { configurable: { token_delay_ms: 0 } }, ...body });

  /** The nodes that a run executed, as its stream of `tasks` tells. */
  async function executed(threadId: string, body: object): Promise<readonly string[]> {
    const stream = await streamed(threadId, { ...body, stream_mode: ["tasks"] });
    return [...stream.matchAll(/^event: tasks\r?\ndata: (.*)$/gm)].flatMap(([, data = ""]) => {
      const task = JSON.parse(data) as Shape;
      return "result" in task ? [text(task.name)] : [];
    });
  }

  /** The names of a run's events, without those of the same name that follow. */
  async function run(threadId: string, body: object): Promise<readonly string[]> {
    const stream = await streamed(threadId, body);
    const names = [...stream.matchAll(/^event: (.*)$/gm)].map(([, name = ""]) => name);
    return names.filter((name, at) => name !== names[at - 1]);
  }

  it("tells a webhook in words why a run failed, and of no failure where there was none", async () => {
    const receiver = await WebhookReceiver.start();
    try {
      for (const graph of ["faulty", asked.chat]) {
        await run(await newThread(), { assistant_id: graph, input: say("Hi"), webhook: receiver.url });
      }
      const [failed, went] = await receiver.count(2);
      assert.equal(failed?.event.status, "error");
      assert.match(text(failed.event.error), /^(the disk is full|The model is overloaded: .*)$/);
      assert.equal(went?.event.status, "success");
      assert.equal("error" in went.event, false);
    } finally {
      await receiver.stop();
    }
  });

  it("keeps a run's configuration in the thread, and starts each run at the checkpoint that it names", async () => {
    const threadId = await newThread();
    const said = async () =>
      list((await read(`/threads/${threadId}/state`)).values?.messages).flatMap(({ type, content }) =>
        is(type, "human") ? [content] : [],
      );
    const kept = async () => {
      const { configurable, ...rest } = (await read(`/threads/${threadId}`)).config ?? {};
      return { ...rest, checkpoint_id: configurable?.checkpoint_id };
    };
    const turn = (content: string, rest: object = {}) =>
      run(threadId, { assistant_id: asked.chat, input: say(content), ...rest });
    await turn("a");
    const first = (await read(`/threads/${threadId}/state`)).checkpoint?.checkpoint_id;
    await turn("b", { config: { tags: ["kept"] } });
    assert.deepEqual(await kept(), { tags: ["kept"], checkpoint_id: undefined });
    await turn("c", { checkpoint: { checkpoint_id: first } });
    assert.deepEqual(await said(), ["a", "c"]);
    await turn("d");
    assert.deepEqual(await said(), ["a", "d"]);
    assert.deepEqual(await kept(), { tags: ["kept"], checkpoint_id: first });
    await turn("e", { config: { configurable: { checkpoint_id: null } } });
    await turn("f");
    assert.deepEqual(await said(), ["a", "d", "e", "f"]);
    assert.deepEqual(await kept(), { tags: ["kept"], checkpoint_id: null });
  });

  it("lists of a history the checkpoint that is named, and what lies before another one", async () => {
    const threadId = await newThread();
    for (const content of ["a", "b"]) await run(threadId, { assistant_id: asked.chat, input: say(content) });
    const idsOf = async (body: object) =>
      list(await read(`/threads/${threadId}/history`, body)).map(({ checkpoint }) =>
        text(checkpoint?.checkpoint_id),
      );
    const ids = await idsOf({});
    assert.equal(ids.length, 6);
    const [, , third = "", , fifth = ""] = ids;
    const checkpoint = { checkpoint_id: third };
    for (const [body, listed] of [
      [{ checkpoint }, [third]],
      [{ checkpoint, limit: 1 }, [third]],
      [{ checkpoint, before: ids[1] }, [third]],
      [{ checkpoint, before: fifth }, []],
      [{ checkpoint, metadata: { source: "input" } }, [third]],
      [{ checkpoint, metadata: { source: "loop" } }, []],
      [{ checkpoint: { checkpoint_id: nowhere } }, []],
      [{ checkpoint: { checkpoint_ns: "nowhere" } }, []],
      [{ before: third, limit: 1 }, [ids[3]]],
      [{ metadata: { source: "input" } }, [third, ids[5]]],
      [{ metadata: { source: "loop" }, before: third }, [ids[3], fifth]],
    ] as const)
      assert.deepEqual(await idsOf(body), listed, JSON.stringify(body));
  });

  it("streams the state at which a run starts, each step, and what it asks", async () => {
    const modes = { stream_mode: ["values", "checkpoints"] };
    const step = ["values", "checkpoints"];
    const threadId = await newThread();
    const order = { assistant_id: "approval", ...modes };
    assert.deepEqual(await run(threadId, { ...order, input: say("Hi") }), [
      "metadata",
      "checkpoints",
      ...step,
      ...step,
      "values",
    ]);
    const [task] = list((await read(`/threads/${threadId}/state`)).tasks);
    const requests = list(list(task?.interrupts)[0]?.value?.action_requests);
    const resume = { decisions: requests.map(() => ({ type: "approve" })) };
    const gone = await run(threadId, { ...order, command: { resume } });
    assert.deepEqual(gone, ["metadata", ...step, ...step, ...step]);
    const failing = await newThread();
    await run(failing, { assistant_id: "faulty", input: say("Hi") });
    assert.deepEqual(
      await run(failing, { assistant_id: "faulty", stream_mode: ["values", "debug", "checkpoints"] }),
      ["metadata", ...step, "debug", "error"],
    );
  });

  it("repeats what ended well beside a failed step where the configuration has a place for a checkpoint", async () => {
    const at = (checkpoint_id: string | null) => ({ config: { configurable: { checkpoint_id } } });
    for (const [where, begun, rest, copied] of [
      ["without one", {}, () => ({}), false],
      ["an empty one, in the thread", at(null), () => ({}), true],
      ["an empty one, in the run", {}, () => at(null), true],
      ["the newest, in the configuration", {}, at, false],
      ["the newest, as the run's own", {}, (id: string) => ({ checkpoint: { checkpoint_id: id } }), false],
    ] as const) {
      const threadId = await newThread();
      const states = async () => list(await read(`/threads/${threadId}/history`, {}));
      const order = { assistant_id: "pipeline" };
      const input = { ...say("Hi"), job: threadId, fail_at: "check", fail_times: 9 };
      await run(threadId, { ...order, ...begun, input });
      await run(threadId, { ...order, command: { goto: "collect" } });
      const before = await states();
      const head = text(before[0]?.checkpoint?.checkpoint_id);
      const names = await executed(threadId, { ...order, ...rest(head) });
      assert.equal(names.includes("collect"), where !== "without one", where);
      assert.equal((await states()).length, before.length + (copied ? 1 : 0), where);
    }
  });

  it("lists threads by when they were made, the newest first, unless another order is asked for", async () => {
    const metadata = { mark: crypto.randomUUID() };
    const made = async () => text((await read("/threads", { metadata })).thread_id);
    const [old, newer] = [await made(), await made()];
    await run(old, { assistant_id: asked.chat, input: say("Hi") });
    const search = async (order: object) =>
      list(await read("/threads/search", { metadata, ...order })).map(({ thread_id }) => text(thread_id));
    assert.deepEqual(await search({}), [newer, old]);
    assert.deepEqual(await search({ sort_by: "updated_at" }), [old, newer]);
  });

  it("takes messages in every form that clients send, and none of an unknown kind", async () => {
    for (const [messages, taken] of [
      ["Hi", ["human Hi"]],
      [
        ["user", "Hi"],
        ["human user", "human Hi"],
      ],
      [[["user", "Hi"]], ["human Hi"]],
      [
        [
          ["system", "Be brief"],
          ["human", "a"],
          ["assistant", "b"],
          ["ai", "c", "more"],
        ],
        ["system Be brief", "human a", "ai b", "ai c"],
      ],
      [
        [
          { role: "developer", content: "Be brief" },
          { type: "user", content: "Hi" },
        ],
        ["system Be brief", "human Hi"],
      ],
      [[constructed("Hi")], ["human Hi"]],
      [[["nobody", "Hi"]], []],
      [[{ type: "foo", content: "Hi" }], []],
      [[5], []],
    ] as const) {
      const threadId = await newThread();
      const names = await run(threadId, { assistant_id: asked.chat, input: { messages } });
      assert.equal(names.includes("error"), taken.length === 0, JSON.stringify(messages));
      if (taken.length === 0) continue;
      const { values } = await read(`/threads/${threadId}/state`);
      const shown = list(values?.messages)
        .slice(0, taken.length)
        .map(({ type, content }) => `${text(type)} ${text(content)}`);
      assert.deepEqual(shown, taken);
    }
  });
}

/** What a message of a client's library becomes as JSON. */
function constructed(content: string): object {
  const id = ["langchain_core", "messages", "HumanMessage"];
  return { lc: 1, type: "constructor", id, kwargs: { content, id: "my-id" } };
}

function say(content: string): object {
  return { messages: [{ role: "user", content }] };
}

import { strict as assert } from "node:assert";
import { Capabilities } from "../../../src/api/capabilities.ts";
import { Http } from "../../../src/api/http.ts";
import { ThreadProtocol } from "../../../src/api/threadProtocol/index.ts";
import { ProtocolError } from "../../../src/api/threadProtocol/wire.ts";
import { serve } from "../../support/testServer.ts";
import type { Asked, Scripted } from "../../support/testServer.ts";

const state = { values: { messages: [] }, next: [], tasks: [], checkpoint: { checkpoint_id: "c1" } };

/** Asks a server that answers each call with the next of these, and gives what it was asked. */
async function asking<T>(
  answers: readonly (Scripted | object)[],
  ask: (client: ThreadProtocol) => Promise<T>,
): Promise<{ readonly result: T; readonly asked: readonly Asked[] }> {
  await using server = await serve((_, index) => {
    const answer = answers[index] ?? {};
    return "status" in answer || "headers" in answer
      ? (answer as Scripted)
      : { body: JSON.stringify(answer) };
  });
  const client = new ThreadProtocol(new Http({ baseUrl: server.url }));
  return { result: await ask(client), asked: server.asked };
}

const notFound = { status: 404, body: '{"error":"not_found","message":"Thread t not found"}' };
const calls = (asked: readonly Asked[]): readonly string[] =>
  asked.map(({ method, url }) => `${method} ${url}`);

describe("The client of the streaming protocol", () => {
  it("begins a thread by reading its state, and on 404 by writing one", async () => {
    const known = await asking([state], (client) => client.bootstrap("t"));
    assert.deepEqual(calls(known.asked), ["GET /api/threads/t/state"]);
    const fresh = await asking([notFound, state], (client) => client.bootstrap("t"));
    assert.deepEqual(calls(fresh.asked), ["GET /api/threads/t/state", "POST /api/threads/t/state"]);
    assert.deepEqual(JSON.parse(fresh.asked[1]?.body ?? ""), { values: { messages: [] } });
    assert.deepEqual(fresh.result, state);
  });

  it("sends commands with a number of their own, and gives their result", async () => {
    const answer = { type: "success", id: 1, result: { run_id: "r" } };
    const { result, asked } = await asking([answer], (client) =>
      client.command("t", "run.start", { input: { messages: [] } }),
    );
    assert.deepEqual(result, { run_id: "r" });
    assert.deepEqual(calls(asked), ["POST /api/threads/t/commands"]);
    const { id, ...sent } = JSON.parse(asked[0]?.body ?? "") as { readonly id: unknown };
    assert.equal(typeof id, "number");
    assert.deepEqual(sent, { method: "run.start", params: { input: { messages: [] } } });
  });

  it("reads camel case and an answer without a body", async () => {
    const camel = { type: "success", id: 1, result: { runId: "r" } };
    assert.equal(
      (await asking([camel], (client) => client.command("t", "run.start", {}))).result.run_id,
      "r",
    );
    assert.deepEqual(
      (await asking([{ status: 202 }], (client) => client.command("t", "run.start", {}))).result,
      {},
    );
  });

  it("takes an error for one although its status is 200, and does not repeat the command", async () => {
    const answer = { type: "error", id: 1, error: "unknown_command", message: "Unknown protocol command: x" };
    const error = await asking([answer], (client) =>
      client.command("t", "x", {}).catch((thrown: unknown) => thrown),
    );
    assert(error.result instanceof ProtocolError);
    assert.equal(error.result.code, "unknown_command");
    assert.match(error.result.message, /Unknown protocol command/);
    assert.equal(error.asked.length, 1);
  });

  const missing = { error: "not_found", message: "Thread t not found" };
  const unsupported = { error: "not_supported", message: "No such thing" };
  const broken = { type: "error", error: "unknown_error", message: "The disk is full" };
  const asks: Readonly<Record<string, (client: ThreadProtocol) => Promise<unknown>>> = {
    state: (client) => client.state("t"),
    bootstrap: (client) => client.bootstrap("t"),
    list: (client) => client.list(),
    history: (client) => client.history("t", { limit: 1 }),
    delete: (client) => client.delete("t"),
    cancel: (client) => client.cancel("t", "r"),
  };
  for (const [name, ask] of Object.entries(asks)) {
    it(`takes an error for one although its status is 200, as the answer to ${name}`, async () => {
      await assert.rejects(asking([broken], ask), {
        name: "ProtocolError",
        code: "unknown_error",
        message: "The disk is full",
      });
    });
  }

  it("takes an error with the status 200 that names something missing for a 404 or a 501", async () => {
    assert.equal((await asking([missing], (client) => client.state("t"))).result, undefined);
    assert.deepEqual((await asking([missing, state], (client) => client.bootstrap("t"))).result, state);
    const gone = asking([missing, missing], (client) => client.history("t", { limit: 1 }));
    await assert.rejects(gone, { kind: "notFound" });
    assert.equal((await asking([unsupported], (client) => client.list())).result, undefined);
    assert.equal((await asking([unsupported], (client) => client.delete("t"))).result, false);
    const text = { status: 200, body: "deleted" };
    assert.equal((await asking([text], (client) => client.delete("t"))).result, true);
  });

  it("repeats no command after a transient failure", async () => {
    const { asked } = await asking([{ status: 503 }, { status: 503 }], (client) =>
      client.command("t", "run.start", {}).catch(() => undefined),
    );
    assert.equal(asked.length, 1);
  });

  for (const status of [404, 405, 501]) {
    it(`finds by ${String(status)} that a list, a history or deleting is not supported`, async () => {
      const none = [{ status, body: "{}" }, state];
      assert.equal((await asking(none, (client) => client.list())).result, undefined);
      assert.equal((await asking(none, (client) => client.history("t", { limit: 1 }))).result, undefined);
      assert.equal((await asking(none, (client) => client.delete("t"))).result, false);
      assert.equal((await asking(none, (client) => client.cancel("t", "r"))).result, false);
    });
  }

  it("takes no 404 of a thread that is gone for a missing endpoint", async () => {
    const calls: readonly ((client: ThreadProtocol) => Promise<unknown>)[] = [
      (client) => client.history("t", { limit: 1 }),
      (client) => client.delete("t"),
      (client) => client.cancel("t", "r"),
    ];
    for (const call of calls) await assert.rejects(asking([notFound, notFound], call), { kind: "notFound" });
  });

  it("reads a page of a history: the newest states, or those before a checkpoint", async () => {
    const first = await asking([[state]], (client) => client.history("t", { limit: 20 }));
    assert.deepEqual(calls(first.asked), ["POST /api/threads/t/history"]);
    assert.deepEqual(JSON.parse(first.asked[0]?.body ?? ""), { limit: 20 });
    assert.deepEqual(first.result, [state]);
    const next = await asking([[]], (client) => client.history("t", { limit: 20, before: "c1" }));
    assert.deepEqual(JSON.parse(next.asked[0]?.body ?? ""), { limit: 20, before: "c1" });
  });

  it("knows of a backend what an earlier client found out", async () => {
    const capabilities = new Capabilities();
    await using server = await serve(({ url }) => {
      if (url.endsWith("/commands")) return { body: "{}" };
      const headers = { "content-type": "text/event-stream" };
      return url.endsWith("/events") ? { headers, body: "" } : { status: 404 };
    });
    for (let time = 1; time <= 2; time += 1) {
      const client = new ThreadProtocol(new Http({ baseUrl: server.url, capabilities }));
      await client.command("t", "run.start", {});
      for await (const batch of await client.stream("t")) assert.deepEqual(batch, []);
    }
    const paths = server.asked.map(({ url }) => url.slice("/api/threads/t/".length));
    assert.deepEqual(paths, ["commands", "stream", "stream/events", "commands", "stream/events"]);
    const numbers = server.asked.flatMap(({ url, body }) =>
      url.endsWith("/commands") ? [(JSON.parse(body) as { id: number }).id] : [],
    );
    assert.equal(numbers[1], (numbers[0] ?? NaN) + 1);
  });

  it("follows all channels by the path that the backend has, and reads the JSON whatever the frame says", async () => {
    const frames = [
      'id: 0\nevent: message\ndata: {"type":"event","seq":0,"method":"lifecycle","params":{"namespace":[],"data":{"event":"started"}}}',
      'event: x\nid: z\ndata: {"method":"custom","eventId":"e","params":{"data":1,"namespace":["a:1"]}}',
      "data: nonsense",
    ].join("\n\n");
    const events = { headers: { "content-type": "text/event-stream" }, body: `${frames}\n\n` };
    const { result, asked } = await asking([{ status: 404 }, events], async (client) => {
      const got = [];
      for await (const batch of await client.stream("t", { since: 3 })) got.push(...batch);
      return got;
    });
    assert.deepEqual(calls(asked), ["POST /api/threads/t/stream", "POST /api/threads/t/stream/events"]);
    const { channels, since } = JSON.parse(asked[1]?.body ?? "") as { channels: string[]; since: number };
    assert.equal(since, 3);
    assert(channels.includes("messages") && channels.includes("lifecycle") && channels.includes("input"));
    assert.deepEqual(result, [
      { method: "lifecycle", seq: 0, params: { namespace: [], data: { event: "started" } } },
      { method: "custom", event_id: "e", params: { namespace: ["a:1"], data: 1 } },
      { method: "unreadable", params: { namespace: [], data: "nonsense" } },
    ]);
  });
});

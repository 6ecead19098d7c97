import assert from "node:assert/strict";
import { connect } from "node:net";
import type { Socket } from "node:net";
import {
  collect,
  events,
  fast,
  list,
  LocalPlatform,
  say,
  slowly,
  text,
} from "../../../support/localPlatform.ts";
import { until } from "../../../support/until.ts";
import type { ServerEvent } from "../../../support/localPlatform.ts";

describe("streams of the Local Platform", () => {
  let platform: LocalPlatform;

  before(async () => {
    platform = await LocalPlatform.start();
  });
  after(() => platform.remove());

  const rejoin = async (thread: string, run: string, lastId?: string, query = ""): Promise<ServerEvent[]> => {
    const headers: Record<string, string> = lastId === undefined ? {} : { "last-event-id": lastId };
    return await collect(
      events(
        await platform.fetch("GET", `/threads/${thread}/runs/${run}/stream${query}`, undefined, headers),
      ),
    );
  };

  it("number their events from 0 and begin with the run's metadata", async () => {
    const seen = await platform.stream(await platform.thread(), { assistant_id: "echo", input: say("x") });
    assert.deepEqual(
      seen.map(({ id }) => id),
      seen.map((_, index) => index),
    );
    assert.equal(seen[0]?.event, "metadata");
    assert.match(text(seen[0].data.run_id), /^[0-9a-f-]{36}$/);
  });

  it("name where they are, and where to go on if they can be resumed", async () => {
    for (const resumable of [true, false]) {
      const thread = await platform.thread();
      const run = fast({ assistant_id: "echo", input: say("x"), stream_resumable: resumable });
      const response = await platform.fetch("POST", `/threads/${thread}/runs/stream`, run);
      const place = text(response.headers.get("content-location"));
      assert.match(place, new RegExp(`^/threads/${thread}/runs/[0-9a-f-]{36}$`));
      assert.equal(response.headers.get("location"), resumable ? `${place}/stream` : null);
      await response.body?.cancel();
    }
  });

  it("show every stream mode in its own shape", async () => {
    const modes = [
      "values",
      "updates",
      "messages",
      "messages-tuple",
      "custom",
      "tasks",
      "checkpoints",
      "debug",
      "events",
      "tools",
    ];
    const thread = await platform.thread();
    const seen = await platform.stream(thread, {
      assistant_id: "researcher",
      input: say("x"),
      stream_mode: modes,
    });
    const first = (event: string) => seen.find((one) => one.event === event)?.data;
    assert.deepEqual([...new Set(seen.map(({ event }) => event))].sort(), [
      "checkpoints",
      "custom",
      "debug",
      "events",
      "messages",
      "messages/complete",
      "messages/metadata",
      "messages/partial",
      "metadata",
      "tasks",
      "tools",
      "updates",
      "values",
    ]);
    assert.equal(list(first("values")?.messages).length, 1);
    assert.deepEqual(Object.keys(first("updates") ?? {}), ["plan"]);
    assert.equal(first("messages")?.[1]?.langgraph_node, "plan");
    assert.equal(list(first("messages/partial"))[0]?.type, "ai");
    assert.equal(first("tasks")?.name, "plan");
    assert.equal(first("checkpoints")?.metadata?.source, "input");
    assert.equal(first("debug")?.type, "checkpoint");
    assert.equal(first("events")?.event, "on_chain_start");
    assert.equal(first("tools")?.event, "on_tool_start");
  });

  it("put the tokens of a message together to the message of the state", async () => {
    const thread = await platform.thread();
    const seen = await platform.stream(thread, {
      assistant_id: "echo",
      input: say("one\ntwo “three” ```"),
      stream_mode: ["messages-tuple", "messages"],
    });
    const message = list((await platform.state(thread)).values?.messages).at(-1);
    const chunks = seen.filter(({ event }) => event === "messages");
    assert.equal(chunks.map(({ data }) => text(data[0]?.content)).join(""), message?.content);
    assert.ok(chunks.every(({ data }) => data[0]?.id === message?.id));
    assert.deepEqual(seen.findLast(({ event }) => event === "messages/complete")?.data, [message]);
  });

  it("are replayed whole, from an id, and after the run has ended", async () => {
    const thread = await platform.thread();
    const run = slowly(
      {
        assistant_id: "echo",
        input: say("x"),
        stream_mode: ["messages-tuple", "values"],
        stream_resumable: true,
      },
      1,
    );
    const response = await platform.fetch("POST", `/threads/${thread}/runs/stream`, run);
    const runId = text(response.headers.get("content-location")?.split("/").at(-1));
    const live = rejoin(thread, runId, "-1");
    const seen = await collect(events(response));
    assert.deepEqual(await live, seen);
    assert.deepEqual(await rejoin(thread, runId, "-1"), seen);
    assert.deepEqual(await rejoin(thread, runId, "5"), seen.slice(6));
    assert.deepEqual(await rejoin(thread, runId, "-1", "?stream_mode=values"), onlyValues(seen));
    assert.deepEqual(
      await rejoin(thread, runId, "-1", `?stream_mode=${encodeURIComponent('["values"]')}`),
      onlyValues(seen),
    );
    for (const beyond of [undefined, "999999", "not-a-number"])
      assert.deepEqual(await rejoin(thread, runId, beyond), []);
  });

  it("lose and repeat nothing when they are cut after any event", async () => {
    const thread = await platform.thread();
    const run = slowly(
      { assistant_id: "echo", input: say("cut me"), stream_mode: "messages-tuple", stream_resumable: true },
      1,
    );
    const runId = await platform.run(thread, run);
    const seen: ServerEvent[] = [];
    let cuts = 0;
    for (let ended = false; !ended;) {
      const last = String(seen.at(-1)?.id ?? -1);
      const path = `/threads/${thread}/runs/${runId}/stream`;
      const response = await platform.fetch("GET", path, undefined, { "last-event-id": last });
      ended = true;
      for await (const event of events(response)) {
        seen.push(event);
        if (seen.length % 7 !== 0) continue;
        ended = false;
        cuts += 1;
        break;
      }
    }
    assert.ok(cuts > 3);
    assert.deepEqual(seen, await rejoin(thread, runId, "-1"));
  });

  it("give those who join a run that is not resumable what happens from then on", async () => {
    const thread = await platform.thread();
    const runId = await platform.run(thread, slowly({ assistant_id: "echo", input: say("x") }, 2));
    await until("the run runs", async () => (await platform.runStatus(thread, runId)) === "running");
    const [one, two] = await Promise.all([rejoin(thread, runId, "-1"), rejoin(thread, runId)]);
    assert.deepEqual(one, two);
    assert.equal(one.at(-1)?.event, "values");
    assert.ok((one[0]?.id ?? 0) > 0);
    assert.deepEqual(await rejoin(thread, runId, "-1"), []);
  });

  it("end with the error of a run that fails in the middle", async () => {
    const thread = await platform.thread();
    const seen = await platform.stream(thread, {
      assistant_id: "faulty",
      input: say("x"),
      stream_mode: "updates",
    });
    assert.deepEqual(
      seen.map(({ event }) => event),
      ["metadata", "updates", "error"],
    );
    const message = "The model is overloaded: this agent always fails here.";
    assert.deepEqual(seen.at(-1)?.data, { error: "ModelOverloadedError", message });
    const [run] = list((await platform.send("GET", `/threads/${thread}/runs`)).body);
    assert.equal(run?.status, "error");
    assert.equal(run.error, message);
    assert.equal((await platform.send("GET", `/threads/${thread}`)).body.status, "error");
    const [task] = list((await platform.state(thread)).tasks);
    assert.deepEqual(JSON.parse(text(task?.error)), { message, name: "ModelOverloadedError" });
    await platform.stream(thread, { assistant_id: "echo", input: say("again") });
    assert.equal((await platform.send("GET", `/threads/${thread}`)).body.status, "idle");
  });

  it("let a fast reader and the run go on when another reader does not read at all", async () => {
    const total = 60_000;
    const thread = await platform.thread();
    const response = await platform.fetch("POST", `/threads/${thread}/runs/stream`, {
      assistant_id: "flood",
      input: { events: total },
      stream_mode: "custom",
      stream_resumable: true,
    });
    const place = text(response.headers.get("content-location"));
    const stuck = await openWithoutReading(platform, `${place}/stream`);
    let count = 0;
    for await (const { event } of events(response)) if (event === "custom") count += 1;
    assert.equal(count, total);
    stuck.destroy();
  });

  for (const resumable of [true, false]) {
    const kind = resumable ? "resumable" : "not resumable";
    it(`let a run that is ${kind} end when its only reader does not read, who then gets it all`, async () => {
      const total = 200_000;
      const thread = await platform.thread();
      // It starts after another run, so that the reader is there from its first event on.
      const first = await platform.run(thread, { assistant_id: "slow", input: { seconds: 0.3 } });
      const flood = { assistant_id: "flood", input: { events: total }, stream_mode: "custom" };
      const floodId = await platform.run(thread, { ...flood, stream_resumable: resumable });
      const stuck = await openWithoutReading(platform, `/threads/${thread}/runs/${floodId}/stream`);
      await platform.join(thread, first);
      await platform.join(thread, floodId);
      assert.equal(await platform.runStatus(thread, floodId), "success");
      let received = "";
      stuck.on("data", (data: Buffer) => (received += data.toString()));
      await until("the answer ended", () => received.endsWith("0\r\n\r\n"));
      const numbers = [...received.matchAll(/"i":(\d+)/g)].map(([, i]) => Number(i));
      assert.equal(numbers.length, total);
      assert.ok(numbers.every((i, index) => i === index));
      stuck.destroy();
    });
  }
});

function onlyValues(seen: readonly ServerEvent[]): ServerEvent[] {
  return seen.filter(({ event }) => event === "values" || event === "metadata");
}

/** A stream of a client that never takes what it is sent. */
async function openWithoutReading(platform: LocalPlatform, path: string): Promise<Socket> {
  const url = new URL(platform.ready.deploymentUrl + path);
  const socket = connect(Number(url.port), url.hostname);
  const head = [
    `GET ${url.pathname} HTTP/1.1`,
    "host: x",
    `x-api-key: ${platform.ready.apiKey}`,
    "last-event-id: -1",
  ];
  await new Promise<void>((resolve) => socket.write([...head, "", ""].join("\r\n"), () => resolve()));
  return socket;
}

import { strict as assert } from "node:assert";
import { readFile } from "node:fs/promises";
import { join } from "node:path";
import { Http } from "../../../../src/api/http.ts";
import { readEvent } from "../../../../src/api/threadProtocol/event.ts";
import { ThreadProtocol } from "../../../../src/api/threadProtocol/index.ts";
import type { ProtocolEvent } from "../../../../src/api/threadProtocol/wire.ts";
import { chatMemory } from "../../../support/chatMemory.ts";
import { ChatRunServer } from "../../../../src/editor/threads/servers/chatRunServer.ts";
import { first, idle, liveSession, request, sessionUntil } from "../../../support/liveSession.ts";
import { eventsIn, transcriptText } from "../../../support/recordings.ts";
import { serve } from "../../../support/testServer.ts";
import { serveChat } from "./scriptedChatBackend.ts";
import type { Telling } from "./scriptedChatBackend.ts";

const recording = join(import.meta.dirname, "../../../fixtures/wire/protocol/chat.sse");
const answer = "You said **hi**. That makes 1 message — grüße & 你好.";
const messages = [
  { type: "human", content: "hi", id: "8532ba4e-a6b8-432c-93b7-c61e854178d1" },
  { type: "ai", content: answer, id: "msg_d6e0e4a7-785d-477d-b904-85f3030a32fa" },
];
const done = { values: { messages }, next: [], tasks: [], checkpoint: { checkpoint_id: "c" } };
const question = { id: "i-1", value: "Really?" };

function given<T>(value: T | undefined): readonly T[] {
  return value === undefined ? [] : [value];
}

/** What a session shows of a run, and how often the backend was asked for its stream. */
async function shown(
  telling: Omit<Telling, "state"> & { readonly state?: unknown },
): Promise<readonly [transcript: string, streams: number]> {
  await using backend = await serveChat({ state: done, ...telling });
  const client = new ThreadProtocol(new Http({ baseUrl: backend.url }));
  const session = liveSession(new ChatRunServer(() => Promise.resolve(client), chatMemory()));
  try {
    assert.deepEqual(await session.start(request("agent", { text: "hi" })), { accepted: true });
    await idle(session);
    const streams = backend.asked.filter(({ url }) => url.endsWith("/stream")).length;
    return [transcriptText(session.entries), streams];
  } finally {
    session.dispose();
  }
}

describe("A chat backend that sends its events badly", () => {
  let events: readonly ProtocolEvent[];
  let whole: string;

  before(async () => {
    events = (await eventsIn(await readFile(recording))).map(readEvent);
    [whole] = await shown({ told: events });
    assert.equal(whole, `run success 1+11 tokens\nhuman: hi\nai: ${answer}\n`);
  });

  const without = (from: number, to: number): readonly ProtocolEvent[] =>
    events.filter(({ seq = 0 }) => seq < from || seq > to);
  const cases: Readonly<Record<string, (all: readonly ProtocolEvent[]) => Omit<Telling, "state">>> = {
    "each event twice": (all) => ({ told: all.flatMap((event) => [event, event]) }),
    "everything again from the start": (all) => ({ told: [...all.slice(0, 12), ...all] }),
    "neighbours in the wrong order": ([first, ...rest]) => ({
      told: [first, ...rest.flatMap((_, at) => (at % 2 === 1 ? [rest[at], rest[at - 1]] : []))],
    }),
    "one event much too late": (all) => ({
      told: [...all.filter(({ seq }) => seq !== 9), ...all.filter(({ seq }) => seq === 9)],
    }),
    "no numbers, but ids, and each twice": (all) => ({
      told: all
        .map(({ method, event_id, params }) => ({ method, event_id, params }))
        .flatMap((event) => [event, event]),
    }),
    "ids in camel case": (all) => ({
      told: all.map(({ method, event_id: eventId, params }) => ({ method, eventId, params })),
    }),
  };
  for (const [what, telling] of Object.entries(cases)) {
    it(`is shown as it is meant: ${what}`, async () => {
      const [transcript, streams] = await shown(telling(events));
      assert.equal(transcript, whole);
      assert.equal(streams, 1);
    });
  }

  for (const [counted, from] of [
    ["from 0", 0],
    ["from 1", 1],
  ] as const) {
    /** Without what tells that a run begins; what comes instead is in no state. */
    const speech = (): readonly ProtocolEvent[] => {
      const customs = ["one", "two", "three"].map((data) => ({
        method: "custom",
        params: { namespace: [], data },
      }));
      return [...customs, ...events.slice(5)].map((event, place) => ({ ...event, seq: place + from }));
    };
    const heads: Readonly<Record<string, (all: readonly ProtocolEvent[]) => readonly ProtocolEvent[]>> = {
      "the second before the first": ([first, second, ...rest]) => [second, first, ...rest].flatMap(given),
      "the first behind four others": (all) => [...all.slice(1, 5), ...all.slice(0, 1), ...all.slice(5)],
      "the first at the very end": (all) => [...all.slice(1), ...all.slice(0, 1)],
      "backwards, and each twice": (all) => [...all, ...all].toReversed(),
    };
    for (const [what, told] of Object.entries(heads)) {
      it(`of a new thread that is counted ${counted} is shown whole: ${what}`, async () => {
        const [expected] = await shown({ told: speech() });
        assert.match(expected, /custom ×3 "three"\nai: You said/);
        assert.deepEqual(await shown({ told: told(speech()) }), [expected, 1]);
      });
    }

    it(`of a new thread that is counted ${counted} is asked for a first event that was cut off`, async () => {
      const [expected] = await shown({ told: speech() });
      const told = speech().slice(1, 6);
      assert.deepEqual(await shown({ told, again: speech(), cut: true }), [expected, 2]);
    });
  }

  it("is joined in the run that goes on, though events of the run before it come later than that one's first", async () => {
    const said = (seq: number): ProtocolEvent => ({
      seq,
      method: "custom",
      params: { namespace: [], data: seq },
    });
    const end: ProtocolEvent = {
      seq: 3,
      method: "lifecycle",
      params: { namespace: [], data: { event: "completed" } },
    };
    const backlog = [said(1), said(4), end, said(2), said(5), end, said(4)];
    await using backend = await serveChat({ told: [], backlog, state: { ...done, next: ["model"] } });
    const client = new ThreadProtocol(new Http({ baseUrl: backend.url }));
    const session = liveSession(new ChatRunServer(() => Promise.resolve(client), chatMemory()), "t");
    try {
      await session.load();
      await sessionUntil(session, () => first(session, "custom") !== undefined);
      assert.match(transcriptText(session.entries), /custom ×2 5\n/);
    } finally {
      session.dispose();
    }
  });

  it("tells two runs apart although it does not say that the first one is over", async () => {
    const cut = events.findIndex(({ method }) => method === "messages") + 4;
    const second = events.map((event, index) => {
      const seq = cut + index + 1;
      return { ...event, seq, event_id: String(seq) };
    });
    const [transcript] = await shown({ told: [...events.slice(0, cut), ...second] });
    assert.match(transcript, /^run interrupted\n/);
    assert.doesNotMatch(transcript, /tokens/);
  });

  it("is refused in words when it keeps no states of threads", async () => {
    await using backend = await serve(({ url }) => ({ status: 404, body: `404 Not Found: ${url}` }));
    const client = new ThreadProtocol(new Http({ baseUrl: backend.url }));
    const session = liveSession(new ChatRunServer(() => Promise.resolve(client), chatMemory()));
    const outcome = await session.start(request("agent", { text: "hi" }));
    assert(!outcome.accepted);
    assert.match(outcome.message, /keeps no states of threads/);
    assert.doesNotMatch(outcome.message, /404/);
  });

  it("is asked again for what was lost on the way", async () => {
    const [transcript, streams] = await shown({ told: without(9, 12), again: events });
    assert.equal(transcript, whole);
    assert.equal(streams, 2);
  });

  it("is shown with its gap when it has not kept what was lost, and the state fills it", async () => {
    // The text with all that repeats it.
    const told = without(9, 26);
    const [transcript, streams] = await shown({ told, again: told });
    assert.match(transcript, /events are missing; .* came from the thread's state/);
    assert.ok(transcript.includes(answer), transcript);
    assert.equal(streams, 2);
  });

  it("hides nothing behind a frame that is no event", async () => {
    const [transcript] = await shown({ told: [...events.slice(0, 5), "{nonsense", ...events.slice(5)] });
    assert.match(transcript, /nonsense/);
    assert.ok(transcript.includes(answer), transcript);
  });

  const asking: Readonly<Record<string, object>> = {
    "in its tasks": { tasks: [{ id: "t", name: "ask", interrupts: [question] }] },
    "beside its tasks": { tasks: [], interrupts: [question] },
    "with no tasks at all": { tasks: undefined, interrupts: [question] },
  };
  for (const [where, part] of Object.entries(asking)) {
    it(`asks a person also when only the state says so, ${where}`, async () => {
      const interrupted = {
        seq: 2,
        method: "lifecycle",
        params: { namespace: [], data: { event: "interrupted" } },
      };
      const state = { ...done, next: ["ask"], ...part };
      const [transcript] = await shown({ told: [...events.slice(0, 1), interrupted], state });
      assert.match(transcript, /interrupt open: "?Really\?/);
    });
  }
});

import assert from "node:assert/strict";
import { readFile } from "node:fs/promises";
import { join } from "node:path";
import { parseEvents, type SseEvent } from "../../../src/api/exchange.ts";
import { SseError } from "../../../src/api/networkFailure.ts";
import { all } from "../../support/all.ts";

const recording = (name: string) => readFile(join(import.meta.dirname, "../../fixtures/wire", name));

async function* chunks(...parts: readonly (string | Uint8Array)[]): AsyncIterable<Uint8Array> {
  for (const part of parts) yield await Promise.resolve(typeof part === "string" ? Buffer.from(part) : part);
}

async function parse(...parts: readonly (string | Uint8Array)[]): Promise<readonly SseEvent[]> {
  return (await all(parseEvents(chunks(...parts)))).flat();
}

describe("parseEvents", () => {
  const cases: readonly [string, string, readonly SseEvent[]][] = [
    [
      "an event with its fields in any order",
      "id: 1\ndata: x\nevent: e\n\n",
      [{ id: "1", event: "e", data: "x" }],
    ],
    ["an event without a name as message", "data: x\n\n", [{ event: "message", data: "x" }]],
    ["several data lines as one text", "data: a\ndata: b\n\n", [{ event: "message", data: "a\nb" }]],
    [
      "CRLF and CR line ends",
      "data: a\r\n\r\ndata: b\r\r",
      [
        { event: "message", data: "a" },
        { event: "message", data: "b" },
      ],
    ],
    ["a byte order mark at the start", "\uFEFFdata: a\n\n", [{ event: "message", data: "a" }]],
    ["heartbeat comments as nothing", ": ping\n\ndata: a\n\n: ping\n\n", [{ event: "message", data: "a" }]],
    ["a field of a later version as nothing", "data: a\nfuture: 1\n\n", [{ event: "message", data: "a" }]],
    ["an unfinished last event as nothing", "data: a\n\ndata: b\n", [{ event: "message", data: "a" }]],
    ["text of any script", "data: grüße 你好 🙂\n\n", [{ event: "message", data: "grüße 你好 🙂" }]],
  ];
  for (const [name, text, events] of cases) {
    it(`reads ${name}, wherever the chunks are cut`, async () => {
      const bytes = Buffer.from(text);
      assert.deepEqual(await parse(bytes), events);
      for (let at = 1; at < bytes.length; at++) {
        assert.deepEqual(await parse(bytes.subarray(0, at), bytes.subarray(at)), events, `cut at ${at}`);
      }
      assert.deepEqual(
        await parse(...Array.from(bytes, (byte) => Uint8Array.of(byte))),
        events,
        "byte by byte",
      );
    });
  }

  it("reads a recording the same when it is cut at any byte", async () => {
    const bytes = await recording("chat-messages.sse");
    const whole = await parse(bytes);
    assert.equal(whole.length, bytes.toString().match(/^event:/gm)?.length);
    for (let at = 1; at < bytes.length; at++) {
      assert.deepEqual(await parse(bytes.subarray(0, at), bytes.subarray(at)), whole, `cut at ${at}`);
    }
  });

  it("hands out together what arrived together", async () => {
    const batches = await all(parseEvents(chunks("data: 1\n\ndata: 2\n\nda", "ta: 3", "\n\n")));
    assert.deepEqual(
      batches.map((batch) => batch.map(({ data }) => data)),
      [["1", "2"], ["3"]],
    );
  });

  it("reports lines that are no events, after the events", async () => {
    const seen: string[] = [];
    const read = async () => {
      for await (const batch of parseEvents(chunks("data: 1\n\n<html>\n\ndata: 2\n\n")))
        seen.push(...batch.map(({ data }) => data));
    };
    await assert.rejects(read, (error) => error instanceof SseError && error.message === "<html>");
    assert.deepEqual(seen, ["1", "2"]);
  });
});

import assert from "node:assert/strict";
import { readFile } from "node:fs/promises";
import { join } from "node:path";
import { AgentServer } from "../../../src/api/agentServer/index.ts";
import type { RunStream } from "../../../src/api/agentServer/index.ts";
import { ApiError } from "../../../src/api/errors.ts";
import { Http } from "../../../src/api/http.ts";
import { serve } from "../../support/testServer.ts";

const headers = { "content-type": "text/event-stream", "content-location": "/threads/t/runs/r" };

describe("a run's stream that is cut", () => {
  it("delivers each event exactly once after a re-join, at whatever byte it was cut", async () => {
    const whole = await readFile(join(import.meta.dirname, "../../fixtures/wire/chat-messages.sse"), "utf8");
    // Each byte costs two requests: two short events are cut in all places that long ones have.
    const short = whole.split("\n\n").filter((frame) => frame !== "" && frame.length < 170);
    const recording = Buffer.from(short.map((frame) => `${frame}\n\n`).join(""));
    const ids = Array.from(recording.toString().matchAll(/^id: (.*)$/gm), ([, id]) => id);
    // The thread's id says where its first stream is cut.
    await using server = await serve(({ method, url, headers: { "last-event-id": lastEventId } }) => {
      const cutAt = Number(url.split("/")[2]);
      if (method === "POST") return { headers, body: recording.subarray(0, cutAt), cut: true };
      return { headers, body: after(recording.toString(), String(lastEventId)) };
    });
    const { runs } = new AgentServer(new Http({ baseUrl: server.url }));

    const cutAndRejoin = async (cutAt: number) => {
      const seen: (string | undefined)[] = [];
      const collect = async ({ events }: RunStream) => {
        for await (const batch of events) seen.push(...batch.map(({ id }) => id));
      };
      const first = await runs.stream(String(cutAt), { assistant_id: "chat" });
      await assert.rejects(collect(first), (error) => error instanceof ApiError && error.kind === "cut");
      await collect(
        await runs.rejoin(String(cutAt), first.runId ?? "", { lastEventId: seen.at(-1) ?? "-1" }),
      );
      assert.deepEqual(seen, ids, `cut at ${cutAt}`);
    };
    const offsets = Array.from({ length: recording.length + 1 }, (_, offset) => offset).values();
    await Promise.all(
      Array.from({ length: 8 }, async () => {
        for (const offset of offsets) await cutAndRejoin(offset);
      }),
    );
    assert.equal(server.asked.length, 2 * (recording.length + 1));
  });
});

/** The part of a recording after the event with this id, all of it for "-1". */
function after(recording: string, id: string): string {
  const frames = recording.split("\n\n");
  return frames.slice(frames.findIndex((frame) => frame.endsWith(`\nid: ${id}`)) + 1).join("\n\n");
}

import { deepEqual } from "node:assert/strict";
import { parseEvents, type SseEvent } from "../../../src/api/exchange.ts";
import { SseError } from "../../../src/api/networkFailure.ts";
import { damagedBytes, piecesOf } from "../../support/damage.ts";
import { recordingBytes, recordingNames } from "../../support/recordings.ts";
import type { Damager } from "./damager.ts";

interface DamagedStream {
  readonly whole: Uint8Array;
  readonly pieces: readonly Uint8Array[];
}

/**
 * Recorded streams: they give the same events however they are cut, and end in order or with an SseError. Which of the
 * two may depend on the cuts: the parser does not say of a line that no field begins with when it comes in pieces.
 */
export const sse: Damager<DamagedStream> = {
  name: "sse",
  mostMs: 1000,
  mostMb: 300,
  make: async (random) => {
    const whole = damagedBytes(await recordingBytes(random.pick(recordingNames())), random);
    return { whole, pieces: piecesOf(whole, random) };
  },
  hold: async ({ whole, pieces }) => {
    deepEqual(await eventsOf(pieces), await eventsOf([whole]));
  },
};

async function eventsOf(chunks: readonly Uint8Array[]): Promise<readonly SseEvent[]> {
  const events: SseEvent[] = [];
  try {
    for await (const batch of parseEvents(each(chunks))) events.push(...batch);
  } catch (error) {
    if (!(error instanceof SseError)) throw error;
  }
  return events;
}

async function* each(chunks: readonly Uint8Array[]): AsyncIterable<Uint8Array> {
  await Promise.resolve();
  yield* chunks;
}

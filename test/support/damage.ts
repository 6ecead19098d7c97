/** Damage as it comes from bad disks, cut connections and people who mean harm. */

import type { Json } from "../../src/api/agentServer/wire.ts";
import type { Random } from "./random.ts";

/** Values that nobody expects. */
export const oddValues: readonly Json[] = [
  null,
  true,
  0,
  -1,
  1e300,
  "",
  "text",
  "😀",
  [],
  {},
  [[]],
  [null],
  { messages: null },
  { a: { b: [] } },
];

/** Texts that mean something to a parser, or nothing to anybody. */
const oddTexts = [
  "\0",
  "\ud800",
  "\u202e",
  '"',
  "\\",
  "{",
  "[",
  "]",
  "}",
  "\n\n",
  "\r",
  "data:",
  "id:",
  "__proto__",
];

/** The value with some of its parts, however deep, replaced by odd ones or left out. */
export function damagedJson(value: Json, random: Random, share: number): Json {
  if (random.chance(share)) return random.pick(oddValues);
  if (Array.isArray(value)) {
    return (value as readonly Json[]).map((item) => damagedJson(item, random, share));
  }
  if (typeof value !== "object" || value === null) return value;
  const fields = Object.entries(value).filter(() => !random.chance(share / 2));
  return Object.fromEntries(fields.map(([name, field]) => [name, damagedJson(field ?? null, random, share)]));
}

/** The bytes with one to four places changed: a bit or byte of another value, a piece left out, repeated or cut off. */
export function damagedBytes(bytes: Uint8Array, random: Random): Uint8Array {
  let damaged = Uint8Array.from(bytes);
  for (let times = 1 + random.below(4); times > 0; times -= 1) {
    const at = random.below(damaged.length + 1);
    const length = random.below(Math.min(64, damaged.length - at) + 1);
    damaged = random.pick([
      () => damaged.with(Math.min(at, damaged.length - 1), random.below(256)),
      () => damaged.with(Math.min(at, damaged.length - 1), (damaged[at] ?? 0) ^ (1 << random.below(8))),
      () => joined(damaged.subarray(0, at), damaged.subarray(at + length)),
      () => joined(damaged.subarray(0, at + length), damaged.subarray(at)),
      () => joined(damaged.subarray(0, at), Buffer.from(random.pick(oddTexts)), damaged.subarray(at)),
      () => damaged.slice(0, Math.max(1, at)),
    ])();
  }
  return damaged;
}

/** The same bytes in pieces, cut anywhere. */
export function piecesOf(bytes: Uint8Array, random: Random): readonly Uint8Array[] {
  const pieces: Uint8Array[] = [];
  const largest = random.pick([1, 3, 64, 4096, 100_000]);
  for (let at = 0; at < bytes.length;) {
    const end = at + 1 + random.below(largest);
    pieces.push(bytes.subarray(at, end));
    at = end;
  }
  return pieces;
}

function joined(...parts: readonly Uint8Array[]): Uint8Array<ArrayBuffer> {
  return Uint8Array.from(Buffer.concat(parts));
}

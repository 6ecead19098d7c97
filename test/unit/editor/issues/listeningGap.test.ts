import { strict as assert } from "node:assert";
import { gapWords } from "../../../../src/editor/issues/listeningGap.ts";

describe("A time in which nobody listened", () => {
  const local = (day: number, hour: number, minute: number, second = 0): Date =>
    new Date(2026, 4, day, hour, minute, second);
  const words = (from: Date, to: Date): string =>
    gapWords({ from: from.toISOString(), to: to.toISOString() }, local(4, 12, 0));

  for (const [what, from, to, expected] of [
    ["in minutes", local(4, 10, 2), local(4, 10, 9), /^Not listening between 10:02\b.* and 10:09\b/],
    ["in seconds when it was short", local(4, 10, 2, 5), local(4, 10, 2, 45), / 10:02:05\b.* and 10:02:45\b/],
    [
      "with its days when it began on another",
      local(3, 10, 2),
      local(4, 10, 9),
      /\b3\b.*10:02\b.* and .*\b4\b.*10:09\b/,
    ],
  ] as const) {
    it(`is described ${what}`, () => assert.match(words(from, to), expected));
  }
});

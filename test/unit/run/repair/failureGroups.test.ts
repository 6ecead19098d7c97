import { deepEqual, equal, notEqual } from "node:assert/strict";
import type { ThreadState } from "../../../../src/api/agentServer/wire.ts";
import {
  failureIn,
  failureKey,
  groupedBy,
  normalisedError,
} from "../../../../src/run/repair/failureGroups.ts";

const state = (tasks: readonly object[], next: readonly string[] = []): ThreadState =>
  ({ values: {}, next, tasks, created_at: null, checkpoint: null, parent_checkpoint: null }) as never;

describe("Reasons of failures", () => {
  const same = [
    ["numbers", "Timed out after 30 s, try 2 of 5.", "Timed out after 1,204.5 s, try 3 of 12."],
    [
      "ids",
      "No order 4f1c2d3e-0000-4000-8000-0123456789ab.",
      "No order aaaaaaaa-1111-4111-8111-bbbbbbbbbbbb.",
    ],
    ["short ids", "No order ord_8f3a91.", "No order ord_77c012."],
    ["hex", "At 0x7fff12 it broke.", "At 0xdeadbeef it broke."],
    ["quoted texts", 'Unknown city "Oslo".', 'Unknown city "São \\"Paulo\\"".'],
    ["quoted texts of people", "Unknown city “Oslo”, `a`, 'b c'.", "Unknown city “Rome”, `b`, 'd'."],
    ["addresses", "GET https://a.test/x?y=1 failed", "GET http://b.test:8080/z failed"],
    ["hosts", "connect ECONNREFUSED 127.0.0.1:5432", "connect ECONNREFUSED 10.0.0.12:5433"],
    ["people", "No mailbox ann@mail.test", "No mailbox bob.b@x.mail.test"],
    ["times", "Since 2026-11-23T10:00:00Z", "Since 2026-11-24 11:01:02.345+02:00"],
    ["space", "It  broke\n here", "It broke here"],
  ] as const;
  for (const [what, one, other] of same)
    it(`are the same whatever ${what} they hold`, () => {
      equal(normalisedError(one), normalisedError(other));
    });

  it("are others where the words are others", () => {
    notEqual(normalisedError("Card 12 was declined."), normalisedError("Card 12 was blocked."));
    notEqual(normalisedError("It can't be; it isn't."), normalisedError("It can't go; it isn't."));
  });

  it("say what varies", () => {
    equal(
      normalisedError('Order 7 of "Ann" at https://a.test: 0x1f'),
      "Order <number> of <text> at <address> <id>",
    );
  });

  it("are read in a moment, however long and odd the error", () => {
    for (const odd of ['"', "'", "a-1", "1.", "a@", "::", "\\"]) {
      const started = performance.now();
      normalisedError(odd.repeat(500_000));
      equal(performance.now() - started < 1000, true, odd);
    }
  });

  it("come from the step that failed, whatever spelling its error has", () => {
    const error = JSON.stringify({ message: "boom", name: "Error" });
    const failed = state([{ name: "a" }, { name: "b", error }], ["a", "b"]);
    deepEqual(failureIn(failed), { nodes: ["b"], error: "boom" });
    deepEqual(failureIn(state([{ name: "b", error: "boom" }])).error, "boom");
    deepEqual(failureIn(state([{ name: "b", error: { message: "boom", name: "X" } }])).error, "X: boom");
  });

  it("that no step tells come from where the thread stands", () => {
    deepEqual(failureIn(state([{ name: "a", error: null }], ["a"])), { nodes: ["a"], error: "" });
  });

  it("are grouped by step and error, the most frequent first", () => {
    const failures = [
      { nodes: ["a"], error: "try 1" },
      { nodes: ["b"], error: "try 1" },
      { nodes: ["b"], error: "try 2" },
      { nodes: ["b", "a"], error: "x" },
      { nodes: ["a", "b"], error: "x" },
      { nodes: ["b"], error: "try 3" },
    ];
    deepEqual(
      groupedBy(failures, failureKey).map(({ length }) => length),
      [3, 2, 1],
    );
  });
});

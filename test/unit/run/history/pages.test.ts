import { deepEqual, equal } from "node:assert/strict";
import type { Json, JsonObject, ThreadState } from "../../../../src/api/agentServer/wire.ts";
import { checkpointIn, lengthOf, pageLength, pagesBefore } from "../../../../src/run/history/pages.ts";
import { mostNested } from "../../../../src/run/json/json.ts";
import { stateOf } from "../session/scriptedServer.ts";

const stateAt = (id: unknown, values: JsonObject = {}): ThreadState => ({
  ...stateOf(values),
  checkpoint: { thread_id: "t", checkpoint_ns: "", checkpoint_id: id as string },
});
/** A state of so many characters. */
const long = (id: string, length: number): ThreadState => stateAt(id, { a: "x".repeat(length - 9) });

/** The pages of a history, the newest first, that is read from behind its first state. */
async function pagesOf(states: readonly ThreadState[], stateLength: number) {
  const asked: string[] = [];
  const pages: (readonly [ids: string, length: number, next: string | undefined])[] = [];
  const read = (limit: number, before: string): Promise<readonly ThreadState[]> => {
    asked.push(`${limit} before ${before}`);
    const from = states.findIndex((state) => checkpointIn(state) === before) + 1;
    return Promise.resolve(states.slice(from, from + limit));
  };
  for await (const { states: page, length, next } of pagesBefore("head", stateLength, read))
    pages.push([page.map(checkpointIn).join(), length, next]);
  return { asked, pages };
}

describe("The pages of a history", () => {
  it("hold as many states as fit by the length of those before, fifty at most", async () => {
    const states = [
      long("a", 1_000_000),
      long("b", 500_000),
      long("c", 500_000),
      long("d", 100),
      long("e", 100),
    ];
    const { asked, pages } = await pagesOf(states, pageLength);
    deepEqual(asked, ["1 before head", "2 before a", "4 before c"]);
    deepEqual(pages, [
      ["a", 1_000_000, "a"],
      ["b,c", 1_000_000, "c"],
      ["d,e", 200, undefined],
    ]);
    deepEqual((await pagesOf([], 0)).asked, ["50 before head"]);
    deepEqual((await pagesOf([], pageLength / 50)).asked, ["50 before head"]);
    deepEqual((await pagesOf([], pageLength / 40)).asked, ["40 before head"]);
    deepEqual((await pagesOf([], 10 * pageLength)).asked, ["1 before head"]);
  });

  it("end with one that is not full, and where a server gives the same state again", async () => {
    deepEqual((await pagesOf([long("a", 100)], pageLength)).asked, ["1 before head", "50 before a"]);
    let reads = 0;
    for await (const page of pagesBefore("same", pageLength, () => Promise.resolve([stateAt("same")])))
      reads += page.states.length;
    equal(reads, 1);
    for await (const { next } of pagesBefore("head", pageLength, () => Promise.resolve([stateAt("")])))
      equal(next, undefined);
  });

  it("know a state's checkpoint and how long it is", () => {
    deepEqual([stateAt("a"), stateAt(""), stateAt(7), stateOf({})].map(checkpointIn), [
      "a",
      undefined,
      undefined,
      undefined,
    ]);
    equal(lengthOf(long("a", 100)), 100);
    equal(lengthOf(stateOf({})), 2);
    const deep = JSON.parse("[".repeat(mostNested) + "]".repeat(mostNested)) as Json;
    equal(lengthOf(stateOf({ deep })), pageLength);
  });
});

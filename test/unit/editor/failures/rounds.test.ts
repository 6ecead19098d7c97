import { deepEqual, rejects } from "node:assert/strict";
import { Rounds } from "../../../../src/editor/failures/rounds.ts";

describe("Things that are looked at in turn", () => {
  let now = 0;
  let looked: string[] = [];
  const look = async (thing: string): Promise<string> => {
    looked.push(thing);
    return Promise.resolve(`${thing}@${String(now)}`);
  };
  const round = (rounds: Rounds<string>, things: readonly string[]) =>
    rounds.check("owner", things, (thing) => thing, look);

  beforeEach(() => {
    now = 0;
    looked = [];
  });

  it("are looked at a few at a time, those that waited longest first, and what was found of others stays", async () => {
    const rounds = new Rounds<string>(2, () => now);
    deepEqual(await round(rounds, ["a", "b", "c"]), ["a@0", "b@0"]);
    now = 1;
    deepEqual(await round(rounds, ["a", "b", "c"]), ["a@1", "b@0", "c@1"]);
    now = 2;
    deepEqual(await round(rounds, ["a", "b", "c"]), ["a@2", "b@2", "c@1"]);
    deepEqual(looked, ["a", "b", "c", "a", "b", "a"]);
  });

  it("rest after a look", async () => {
    const rounds = new Rounds<string>(5, () => now, 10);
    await round(rounds, ["a"]);
    now = 9;
    await round(rounds, ["a", "b"]);
    deepEqual(looked, ["a", "b"]);
    now = 10;
    deepEqual(await round(rounds, ["a", "b"]), ["a@10", "b@9"]);
  });

  it("are forgotten when they are gone", async () => {
    const rounds = new Rounds<string>(5, () => now, 10);
    await round(rounds, ["a", "b"]);
    deepEqual(await round(rounds, ["b"]), ["b@0"]);
    await round(rounds, ["a", "b"]);
    deepEqual(looked, ["a", "b", "a"]);
  });

  it("keep what was found of them while nothing can be said", async () => {
    const rounds = new Rounds<string>(5, () => now);
    const silent = (things: readonly string[]) =>
      rounds.check("owner", things, String, () => Promise.resolve(undefined));
    deepEqual(await silent(["a"]), []);
    deepEqual(await round(rounds, ["a"]), ["a@0"]);
    now = 1;
    deepEqual(await silent(["a", "b"]), ["a@0"]);
  });

  it("end the look when one of them throws", async () => {
    const rounds = new Rounds<string>(5, () => now);
    await rejects(
      rounds.check("owner", ["a"], String, () => Promise.reject(new Error("away"))),
      /away/,
    );
    deepEqual(await round(rounds, ["a"]), ["a@0"]);
  });
});

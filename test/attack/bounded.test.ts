import { equal, match, ok, rejects } from "node:assert/strict";
import { join } from "node:path";
import { bounded, BoundError } from "./bounded.ts";

const file = join(import.meta.dirname, "boundedExamples.ts");
const limits = { ms: 500, mb: 200 };

describe("Bounded work", () => {
  it("gives its value and tells what it took", async () => {
    const outcome = await bounded<string>({ file, name: "busy", input: 200 }, limits);
    equal(outcome.value, "done");
    ok(outcome.ms >= 200 && outcome.blockedMs >= 150, JSON.stringify(outcome));
  });

  it("is ended when it never comes back", async () => {
    await rejects(bounded({ file, name: "busy", input: Infinity }, limits), BoundError);
  });

  it("is ended when it takes too much memory, within its heap or outside", async () => {
    const long = { ms: 20_000, mb: 200 };
    await rejects(bounded({ file, name: "hoard" }, long), (error: unknown) => {
      ok(error instanceof BoundError);
      match(error.message, /MB/);
      return true;
    });
  });

  it("that throws says why", async () => {
    await rejects(bounded({ file, name: "thrower" }, limits), /to be thrown/);
  });
});

import { deepEqual, equal, match } from "node:assert/strict";
import type { AssistantSchemas } from "../../../../src/api/agentServer/wire.ts";
import { ApiError } from "../../../../src/api/errors.ts";
import { AgentSchemasCache } from "../../../../src/editor/threads/inputs/agentSchemas.ts";
import { TestClock } from "../../../support/testClock.ts";
import { TestMemento } from "../../../support/testMemento.ts";

const strict = { type: "object", properties: { topic: { type: "string" } }, required: ["topic"] };
const failure = new ApiError("server", { method: "GET", url: "http://127.0.0.1/schemas", status: 500 });

describe("What agents take", () => {
  let clock: TestClock;
  let memory: TestMemento;
  let asked: number;
  let answer: () => Promise<AssistantSchemas>;

  beforeEach(() => {
    clock = new TestClock();
    memory = new TestMemento();
    asked = 0;
    answer = () => Promise.resolve({ input_schema: strict, context_schema: null });
  });

  const made = () => new AgentSchemasCache(memory, clock);
  const ask = () => {
    asked += 1;
    return answer();
  };

  it("is asked for once, however many want to know, and again when it is old", async () => {
    const cache = made();
    deepEqual(cache.known("a"), { kind: "asking" });
    const both = await Promise.all([cache.load("a", ask), cache.load("a", ask)]);
    deepEqual(both, [cache.known("a"), { kind: "known", input: strict }]);
    await cache.load("a", ask);
    equal(asked, 1);
    let isOld = false;
    void clock.sleep(31_000).then(() => (isOld = true));
    await clock.until(() => isOld);
    answer = () => Promise.resolve({});
    deepEqual(await cache.load("a", ask), { kind: "known" });
    equal(asked, 2);
  });

  it("says why it could not be read, and is asked for again only by a person", async () => {
    const cache = made();
    answer = () => Promise.reject(failure);
    const failed = await cache.load("a", ask);
    match(failed.kind === "failed" ? failed.message : "", /500/);
    deepEqual(await cache.load("a", ask), failed);
    equal(asked, 1);
    answer = () => Promise.resolve({ input_schema: strict });
    deepEqual(await cache.load("a", ask, true), { kind: "known", input: strict });
  });

  it("is no schema where it is nested too deep to be passed on", async () => {
    const deep = Array.from({ length: 600 }).reduce<object>((inner) => ({ not: inner }), {});
    answer = () => Promise.resolve({ input_schema: deep as never });
    const found = await made().load("a", ask);
    match(found.kind === "failed" ? found.message : "", /nested deeper than 500 levels/);
  });

  it("remembers over windows whether an agent takes messages", async () => {
    await made().load("a", ask);
    deepEqual(made().known("a"), { kind: "asking", takesMessages: false });
    answer = () => Promise.reject(failure);
    const failed = await made().load("a", ask);
    equal("takesMessages" in failed && failed.takesMessages, false);
    answer = () => Promise.resolve({ input_schema: { properties: { messages: { type: "array" } } } });
    await made().load("a", ask);
    deepEqual(made().known("a"), { kind: "asking", takesMessages: true });
    deepEqual(made().known("b"), { kind: "asking" });
  });
});

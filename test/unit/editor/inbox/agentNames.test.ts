import { strict as assert } from "node:assert";
import { ApiError } from "../../../../src/api/errors.ts";
import type { ErrorKind } from "../../../../src/api/errors.ts";
import { AgentNames } from "../../../../src/editor/inbox/agentNames.ts";

/** Answers with one of these after the other, and counts how often it was asked. */
function asking(...answers: readonly (string | ApiError)[]) {
  const ask = () => {
    const answer = answers[ask.asked++] ?? "";
    return typeof answer === "string" ? Promise.resolve(answer) : Promise.reject(answer);
  };
  ask.asked = 0;
  return ask;
}

const failed = (kind: ErrorKind, status?: number): ApiError =>
  new ApiError(kind, { method: "GET", url: "http://127.0.0.1/agents/a", status });

describe("The names of managed agents", () => {
  it("are asked for once, also by all who ask at the same time", async () => {
    const [names, ask] = [new AgentNames(), asking("Postman", "Other")];
    const together = await Promise.all([names.of("c", "a", ask), names.of("c", "a", ask)]);
    assert.deepEqual([...together, await names.of("c", "a", ask)], ["Postman", "Postman", "Postman"]);
    assert.equal(ask.asked, 1);
    assert.equal(await names.of("another", "a", ask), "Other");
  });

  it("are asked for again after a transient failure is over", async () => {
    for (const error of [failed("aborted"), failed("refused"), failed("server", 503)]) {
      const [names, ask] = [new AgentNames(), asking(error, "Postman")];
      assert.equal(await names.of("c", "a", ask), "managed agent");
      assert.equal(await names.of("c", "a", ask), "Postman");
    }
  });

  it("are not asked for again where there is no such agent, and never where a thread names none", async () => {
    const [names, ask] = [new AgentNames(), asking(failed("notFound", 404))];
    for (let look = 1; look <= 2; look += 1) assert.equal(await names.of("c", "a", ask), "managed agent");
    assert.equal(await names.of("c", "", ask), "managed agent");
    assert.equal(ask.asked, 1);
  });
});

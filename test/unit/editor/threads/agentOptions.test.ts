import { deepEqual } from "node:assert/strict";
import { AgentOptionsMemory } from "../../../../src/editor/threads/inputs/agentOptions.ts";
import { TestClock } from "../../../support/testClock.ts";
import { TestMemento } from "../../../support/testMemento.ts";

describe("How agents are run", () => {
  const memory = new TestMemento();
  const clock = new TestClock();
  const window = () => new AgentOptionsMemory(memory, clock);

  it("is kept for each agent alone, and over windows", async () => {
    const first = window();
    deepEqual(first.get("a"), {});
    first.change("a", { streamModes: ["values"], recursionLimit: "7" });
    first.change("b", { mode: "json" });
    first.change("a", { recursionLimit: "8" });
    deepEqual(first.get("a"), { streamModes: ["values"], recursionLimit: "8" });
    await clock.until(() => window().get("b").mode === "json");
    deepEqual(window().get("a"), { streamModes: ["values"], recursionLimit: "8" });
    first.change("a", { streamModes: ["custom"] });
    first.dispose();
    await clock.until(() => window().get("a").streamModes?.[0] === "custom");
  });

  it("is what a saved input says as a whole, with nothing of before", async () => {
    const options = window();
    options.change("d", { context: "{}", recursionLimit: "7" });
    options.replace("d", { mode: "json", recursionLimit: "8" });
    deepEqual(options.get("d"), { mode: "json", recursionLimit: "8" });
    await clock.until(() => window().get("d").mode === "json");
    deepEqual(window().get("d"), { mode: "json", recursionLimit: "8" });
  });

  it("is kept without what holds a credential or is very long, which this window knows all the same", async () => {
    const options = window();
    const context = '{"openai_api_key": "sk-1234567890abcdefghij", "model": "large"}';
    options.change("c", { context, metadata: "x".repeat(30_000), feedbackKeys: "liked" });
    await clock.until(() => window().get("c").feedbackKeys === "liked");
    deepEqual(window().get("c"), { feedbackKeys: "liked" });
    deepEqual(options.get("c").context, context);
  });
});

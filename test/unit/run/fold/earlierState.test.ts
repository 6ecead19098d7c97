import { strict as assert } from "node:assert";
import type { ThreadState } from "../../../../src/api/agentServer/wire.ts";
import { earlierState } from "../../../../src/run/fold/threadState.ts";

const said = (role: string, content: string) => ({ messages: [{ type: role, content }] });
const plain: ThreadState = {
  values: {},
  next: [],
  tasks: [],
  metadata: { source: "loop", step: 3 },
  created_at: null,
  checkpoint: null,
  parent_checkpoint: null,
};

describe("A state out of a thread's history", () => {
  const cases: Readonly<Record<string, readonly [Partial<ThreadState>, readonly string[]]>> = {
    "a plain step by its number": [{}, ["Step 3", "", ""]],
    "what was said last, and what was to come": [
      { values: said("ai", "Two\n lines"), next: ["tools", "model"] },
      ["Step 3", "", "Agent: Two lines · then tools, model"],
    ],
    "a long message by its beginning": [
      { values: said("human", "x".repeat(500)) },
      ["Step 3", "", `You: ${"x".repeat(120)}…`],
    ],
    "a question to a person": [
      { next: ["ask"], tasks: [{ id: "t", name: "ask", interrupts: [{ id: "i", value: "Really?" }] }] },
      ["Step 3", "", "waits for an answer"],
    ],
    "the step before the first, which holds the input": [
      { metadata: { source: "input", step: -1 }, next: ["__start__"] },
      ["Step -1", "input", "then __start__"],
    ],
    "a state that was written, not run into": [
      { metadata: { source: "update", step: 4 } },
      ["Step 4", "state written", ""],
    ],
    "a source that nobody wrote down, as it is spelt": [
      { metadata: { source: "replay", step: 4 } },
      ["Step 4", "replay", ""],
    ],
    "a state of which the server tells nothing": [
      { metadata: null, values: null, next: null, tasks: null } as unknown as Partial<ThreadState>,
      ["State", "", ""],
    ],
  };
  for (const [what, [part, expected]] of Object.entries(cases)) {
    it(`tells ${what}`, () => {
      const { step, source, detail, waits } = earlierState({ ...plain, ...part });
      assert.deepEqual([step, source, detail], expected);
      assert.equal(waits, detail.includes("waits"));
    });
  }
});

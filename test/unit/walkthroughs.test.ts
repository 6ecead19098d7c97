import { strict as assert } from "node:assert";
import { completing, contributes, steps } from "./contributions.ts";

describe("Walkthroughs", () => {
  it("end each step by a command or a context key", () => {
    const events = steps.map(({ completionEvents }) => completionEvents);
    assert(events.every((some) => some.length > 0));
    assert.equal(events.flat().length, completing("onCommand").length + completing("onContext").length);
  });

  it("end what debugs graphs by what was achieved, since a command may fail", () => {
    const { steps: debug = [] } = contributes.walkthroughs.find(({ id }) => id === "debug") ?? {};
    // A folder that was open before is there already: it is shown.
    const [, ...later] = debug.map(({ completionEvents }) => completionEvents);
    assert.deepEqual(later, [
      ["onContext:agentOperations.graphsDebugged"],
      ["onContext:agentOperations.graphsHeld"],
      ["onContext:agentOperations.courseChanged"],
    ]);
  });
});

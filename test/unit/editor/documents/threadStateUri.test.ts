import { deepEqual, equal } from "node:assert/strict";
import "../fakeVscode.ts";

const { stateName, stateOfUri, threadStateUri } =
  await import("../../../../src/editor/documents/threadStateUri.ts");

const thread = {
  connectionId: "mine",
  server: { kind: "agentServer", url: "http://127.0.0.1:1/a" },
  threadId: "t/1",
} as const;
const nameOf = ({ path }: { readonly path: string }): string => path.slice(path.lastIndexOf("/") + 1);

describe("The tab of a document with a thread's state", () => {
  for (const [title, name] of Object.entries({
    Tides: "State of Tides.json",
    "a/b\\c: what?": "State of a b c what.json",
    '"Pay"\n<now>|*': "State of Pay now.json",
    [`A walk on the beach ${"x".repeat(99)}`]: `State of A walk on the beach xxxxxxxxxxx….json`,
  }))
    it(`says which state of which thread it is: ${JSON.stringify(title.slice(0, 20))}`, () => {
      const uri = threadStateUri({ thread }, stateName(title));
      equal(nameOf(uri), name);
      deepEqual(stateOfUri(uri)?.thread, thread);
    });

  it("says which step, and of a step which side of it, whatever that is called", () => {
    const step = { thread, checkpointId: "c/1", checkpointNs: "a:1|b:2" };
    const uri = threadStateUri(step, stateName("Tides", "Step 5"));
    equal(nameOf(uri), "Step 5 of Tides.json");
    deepEqual(stateOfUri(uri), { ...step, outcome: undefined });
    equal(nameOf(threadStateUri(step, "Before a/b")), "Before a b.json");
  });
});

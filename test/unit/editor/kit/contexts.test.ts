import { deepEqual } from "node:assert/strict";
import { CONTEXTS } from "../../../../src/editor/kit/ids.ts";
import { editor } from "../fakeVscode.ts";

const { setContext } = await import("../../../../src/editor/kit/contexts.ts");
const { setViewTexts } = await import("../../../../src/editor/views/platform/laterView.ts");

/** What the editor is asked for while something is done. */
function askedBy(work: () => void): readonly unknown[] {
  const before = editor.commands.length;
  work();
  return editor.commands.slice(before);
}

describe("What menus and keys ask for", () => {
  const key = CONTEXTS.agentFileConflicts;

  it("is set when it changes, and not again", () => {
    setContext(key, "something else");
    for (const value of [true, ["a", "b"], undefined, false]) {
      deepEqual(
        askedBy(() => setContext(key, value)),
        [["setContext", key, value]],
      );
      deepEqual(
        askedBy(() => setContext(key, structuredClone(value))),
        [],
      );
    }
  });

  it("is known by its name", () => {
    setContext(key, 1);
    deepEqual(
      askedBy(() => {
        setContext(CONTEXTS.toolsPicked, 1);
        setContext(key, 1);
      }),
      [["setContext", CONTEXTS.toolsPicked, 1]],
    );
  });
});

describe("The texts beside the rows of a view", () => {
  it("are given to the editor where they are others, each by itself", () => {
    const given: string[] = [];
    const texts = { description: "2 threads", message: "" };
    const view = {
      get description() {
        return texts.description;
      },
      set description(text) {
        given.push((texts.description = text));
      },
      get message() {
        return texts.message;
      },
      set message(text) {
        given.push((texts.message = text));
      },
    } as unknown as Parameters<typeof setViewTexts>[0];
    setViewTexts(view, { description: "2 threads" });
    setViewTexts(view, { description: "3 threads", message: "" });
    setViewTexts(view, { message: "Trying again in 5 s." });
    setViewTexts(view, { description: "", message: "Trying again in 5 s." });
    deepEqual(given, ["3 threads", "Trying again in 5 s.", ""]);
  });
});

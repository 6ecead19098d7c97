import { deepEqual, equal, rejects } from "node:assert/strict";
import { editor } from "./fakeVscode.ts";
import type { Form } from "../../../src/editor/kit/ask/form.ts";
import type { Reply } from "./fakeVscode.ts";

const { askSteps, choiceField, fillForm, reviewForm, textField } =
  await import("../../../src/editor/kit/ask/form.ts");
const { askThen, BackError } = await import("../../../src/editor/kit/ask/questions.ts");

interface Draft {
  readonly name: string;
  readonly size: number;
}

const form: Form<Draft, "name" | "size"> = {
  title: "Make",
  fields: {
    name: textField<Draft>(
      "Name",
      ({ name }) => name,
      (draft, name) => ({ ...draft, name }),
      { prompt: "What it is called." },
    ),
    size: choiceField<Draft, number>(
      "Size",
      ({ size }) => size,
      (draft, size) => ({ ...draft, size }),
      {
        placeholder: "How large?",
        choices: [
          { label: "$(dash) Small", value: 1 },
          { label: "$(add) Large", value: 9 },
        ],
      },
    ),
  },
  steps: () => ["name", "size"],
  summary: () => ["name", "size"],
  accept: ({ name }) => ({ label: "Save", description: name }),
};
const start: Draft = { name: "", size: 1 };
const back: Reply = { press: "Back" };
const escape: Reply = { press: "Escape" };

describe("A form", () => {
  beforeEach(() => {
    editor.asked.length = 0;
    editor.replies.length = 0;
  });

  it("asks step by step and ends in a summary", async () => {
    editor.replies.push("Ada", "$(add) Large", "Save");
    deepEqual(await fillForm(form, start), { name: "Ada", size: 9 });
    deepEqual(
      editor.asked.map(({ step, canGoBack }) => [step, canGoBack]),
      [
        [1, false],
        [2, true],
        [3, true],
      ],
    );
  });

  it("goes back to the question before with what was typed there", async () => {
    editor.replies.push("Ada", back, "Bob", "$(dash) Small", "Save");
    deepEqual(await fillForm(form, start), { name: "Bob", size: 1 });
    deepEqual(
      editor.asked.map(({ start: shown }) => shown),
      ["", "$(dash) Small", "Ada", "$(dash) Small", "Save"],
    );
  });

  it("ends with CancellationError when a question is left, so that nothing follows", async () => {
    editor.replies.push("Ada", escape);
    await rejects(fillForm(form, start), (error: Error) => !(error instanceof BackError));
    equal(editor.asked.length, 2);
  });

  it("asks a field of the summary again and comes back, also by Back", async () => {
    editor.replies.push("Name", "Eve", "Size", back, "Save");
    deepEqual(await reviewForm(form, start), { name: "Eve", size: 1 });
  });

  it("shows a choice by its label without the icon, and an empty text as none", () => {
    deepEqual(
      [form.fields.name.show(start), form.fields.size.show({ ...start, size: 9 })],
      ["none", "Large"],
    );
  });
});

describe("Steps inside another question", () => {
  it("lead out of their first step to the question before", async () => {
    editor.asked.length = 0;
    editor.replies.push("one", back, "two", "three");
    const name = form.fields.name.ask;
    const outer = () => name({ title: "Outer" }, start);
    const inner = (draft: Draft) => askSteps({ title: "Inner", canGoBack: true }, draft, () => [name]);
    equal((await askThen(outer, inner)).name, "three");
    deepEqual(
      editor.asked.map(({ title, start: shown }) => `${title}: ${shown}`),
      ["Outer: ", "Inner: one", "Outer: ", "Inner: two"],
    );
  });
});

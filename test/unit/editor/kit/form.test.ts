import { deepEqual, equal, rejects } from "node:assert/strict";
import { editor } from "../fakeVscode.ts";
import type { Form, FormField } from "../../../../src/editor/kit/ask/form.ts";
import type { Reply } from "../fakeVscode.ts";

const { askSteps, choiceField, decisive, fillForm, reviewForm, textField } =
  await import("../../../../src/editor/kit/ask/form.ts");
const { askThen, BackError } = await import("../../../../src/editor/kit/ask/questions.ts");

interface Draft {
  readonly name: string;
  readonly size: number;
}

const name: FormField<Draft> = textField("Name", "name", { prompt: "What it is called." });
const size: FormField<Draft> = choiceField("Size", "size", {
  placeholder: "How large?",
  choices: [
    { label: "$(dash) Small", value: 1 },
    { label: "$(add) Large", value: 9 },
  ],
});
const form: Form<Draft> = {
  title: "Make",
  fields: [name, size],
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

  it("says how many steps there are, but not before it is known", async () => {
    editor.replies.push("$(add) Large", "Ada", "Save");
    const first = { ...size, ask: decisive(size.ask) };
    await fillForm({ ...form, fields: [first, name] }, start);
    deepEqual(
      editor.asked.map(({ step, totalSteps }) => [step, totalSteps]),
      [
        [1, undefined],
        [2, 3],
        [3, 3],
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

  it("asks for what the draft has, and leaves to the summary what is only chosen there", async () => {
    const large = { ...name, label: "Nickname", has: (draft: Draft) => draft.size === 9 };
    const later = { ...name, label: "Later", isAsked: () => false };
    const wide: Form<Draft> = { ...form, fields: [size, large, later] };
    editor.replies.push("$(dash) Small", "Size", "$(add) Large", "Later", "Ada", "Save");
    deepEqual(await fillForm(wide, start), { name: "Ada", size: 9 });
    deepEqual(
      editor.asked.flatMap(({ labels }) => (labels.includes("Save") ? [labels] : [])),
      [
        ["Save", "Size", "Later"],
        ["Save", "Size", "Nickname", "Later"],
        ["Save", "Size", "Nickname", "Later"],
      ],
    );
  });

  it("shows a choice by its label without the icon, and an empty text as none", () => {
    deepEqual([name.show(start), size.show({ ...start, size: 9 })], ["none", "Large"]);
  });
});

describe("Steps inside another question", () => {
  it("lead out of their first step to the question before", async () => {
    editor.asked.length = 0;
    editor.replies.push("one", back, "two", "three");
    const outer = () => name.ask({ title: "Outer" }, start);
    const inner = (draft: Draft) => askSteps({ title: "Inner", canGoBack: true }, draft, () => [name.ask]);
    equal((await askThen(outer, inner)).name, "three");
    deepEqual(
      editor.asked.map(({ title, start: shown }) => `${title}: ${shown}`),
      ["Outer: ", "Inner: one", "Outer: ", "Inner: two"],
    );
  });
});

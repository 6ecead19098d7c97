/** A draft that is filled in step by step and ends in a summary where every field can be chosen again. */

import { askChoice } from "./steps.ts";
import type { Answer, Place } from "./steps.ts";

/** A field of a draft: how it is called, asked for and shown. */
export interface FormField<Draft> {
  readonly label: string;
  ask(place: Place, draft: Draft): Promise<Answer<Draft>>;
  /** One line for the summary. */
  show(draft: Draft): string;
}

/** One question about a draft; its answer is the draft with it. */
export type Step<Draft> = (place: Place, draft: Draft) => Promise<Answer<Draft>>;

/** What is asked for a draft, and in which order. */
export interface Form<Draft, Field extends string> {
  readonly title: string;
  readonly fields: Readonly<Record<Field, FormField<Draft>>>;
  /** What is asked before the summary. */
  steps(draft: Draft): readonly Field[];
  /** What stands in the summary. */
  summary(draft: Draft): readonly Field[];
  /** The summary's first row, which accepts the draft. */
  accept(draft: Draft): { readonly label: string; readonly description: string };
  /** Whether a new draft needs no further question and no summary. */
  isComplete?(draft: Draft): boolean;
}

/** Asks for everything, with Back; undefined when the person gave up. */
export function fillForm<Draft, Field extends string>(
  form: Form<Draft, Field>,
  start: Draft,
): Promise<Draft | undefined> {
  const summary: Step<Draft> = (place, draft) => summarize(form, place, draft);
  return askSteps(form.title, start, (draft) => {
    if (form.isComplete?.(draft) === true) return [];
    const fields = form.steps(draft).map((name) => form.fields[name]);
    return [
      ...fields.map(
        (field): Step<Draft> =>
          (place, now) =>
            field.ask(place, now),
      ),
      summary,
    ];
  });
}

/** Asks one step after the other, with Back; undefined when the person gave up. `later` steps follow elsewhere. */
export async function askSteps<Draft>(
  title: string,
  start: Draft,
  stepsOf: (draft: Draft) => readonly Step<Draft>[],
  later = 0,
): Promise<Draft | undefined> {
  let draft = start;
  for (let step = 0; ;) {
    const steps = stepsOf(draft);
    const ask = steps[step];
    if (ask === undefined) return draft;
    const place = { title, step: step + 1, totalSteps: steps.length + later, canGoBack: step > 0 };
    const answer = await ask(place, draft);
    if (answer.kind === "cancel") return undefined;
    if (answer.kind === "next") draft = answer.value;
    step += answer.kind === "next" ? 1 : -1;
  }
}

/** Shows the summary of a draft that is complete; undefined when the person gave up. */
export async function reviewForm<Draft, Field extends string>(
  form: Form<Draft, Field>,
  start: Draft,
): Promise<Draft | undefined> {
  const answer = await summarize(form, { title: form.title }, start);
  return answer.kind === "next" ? answer.value : undefined;
}

/** Accepting is the first row; any other row asks for that field again and comes back. */
async function summarize<Draft, Field extends string>(
  form: Form<Draft, Field>,
  place: Place,
  start: Draft,
): Promise<Answer<Draft>> {
  let draft = start;
  let active: Field | undefined;
  for (;;) {
    const rows = form.summary(draft).map((field) => ({
      value: field,
      label: form.fields[field].label,
      description: form.fields[field].show(draft),
    }));
    const accept = { value: undefined, ...form.accept(draft) };
    const answer: Answer<Field | undefined> = await askChoice<Field | undefined>(place, [accept, ...rows], {
      placeholder: "Go on, or choose what to change",
      ...(active === undefined ? {} : { active }),
    });
    if (answer.kind !== "next") return answer;
    if (answer.value === undefined) return { kind: "next", value: draft };
    active = answer.value;
    const asked = await form.fields[active].ask({ title: place.title, canGoBack: true }, draft);
    if (asked.kind === "cancel") return asked;
    if (asked.kind === "next") draft = asked.value;
  }
}

/** A draft that is filled in step by step and ends in a summary where every field can be chosen again. */

import { askChoice, askText, BackError, type Choice, type Place, type TextQuestion } from "./questions.ts";

/** One question about a draft; its answer is the draft with it. */
export type Step<Draft> = (place: Place, draft: Draft) => Promise<Draft>;

/** A field of a draft: how it is called, asked for and shown. */
export interface FormField<Draft> {
  readonly label: string;
  readonly ask: Step<Draft>;
  /** One line for the summary. */
  show(draft: Draft): string;
}

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

/** The choices for a field, and what is asked with them. */
export interface ChoiceQuestion<T> {
  readonly placeholder: string;
  readonly choices: readonly Choice<T>[];
}

/** The same for all drafts, or made of one. */
type PerDraft<Draft, T> = T | ((draft: Draft) => T);

/** A field that is typed; it is shown as it was typed, or "none". */
export function textField<Draft>(
  label: string,
  get: (draft: Draft) => string,
  set: (draft: Draft, typed: string) => Draft,
  question: PerDraft<Draft, Omit<TextQuestion, "value">>,
  show: (draft: Draft) => string = (draft) => get(draft) || "none",
): FormField<Draft> {
  const ask: Step<Draft> = async (place, draft) =>
    set(draft, await askText(place, { ...madeOf(question, draft), value: get(draft) }));
  return { label, ask, show };
}

/** A field that is chosen from a list; it is shown by the label of its choice. */
export function choiceField<Draft, T>(
  label: string,
  get: (draft: Draft) => T,
  set: (draft: Draft, chosen: NoInfer<T>) => Draft,
  question: PerDraft<Draft, ChoiceQuestion<NoInfer<T>>>,
  show: (draft: Draft) => string = (draft) => labelOf(madeOf(question, draft), get(draft)),
): FormField<Draft> {
  const ask: Step<Draft> = async (place, draft) => {
    const { choices, placeholder } = madeOf(question, draft);
    return set(draft, await askChoice(place, choices, { placeholder, active: get(draft) }));
  };
  return { label, ask, show };
}

/** Asks for everything, with Back, and ends in the summary. */
export function fillForm<Draft, Field extends string>(
  form: Form<Draft, Field>,
  start: Draft,
): Promise<Draft> {
  const summary: Step<Draft> = (place, draft) => summarize(form, place, draft);
  return askSteps({ title: form.title }, start, (draft) =>
    form.isComplete?.(draft) === true
      ? []
      : [...form.steps(draft).map((name) => form.fields[name].ask), summary],
  );
}

/** Shows the summary of a draft that is complete. */
export function reviewForm<Draft, Field extends string>(
  form: Form<Draft, Field>,
  start: Draft,
): Promise<Draft> {
  return summarize(form, { title: form.title }, start);
}

/** Asks one step after the other; Back in the first leads out where `place` has one. `later` steps follow elsewhere. */
export async function askSteps<Draft>(
  { title, canGoBack = false }: Place,
  start: Draft,
  stepsOf: (draft: Draft) => readonly Step<Draft>[],
  later = 0,
): Promise<Draft> {
  let draft = start;
  for (let step = 0; ;) {
    const steps = stepsOf(draft);
    const ask = steps[step];
    if (ask === undefined) return draft;
    const totalSteps = steps.length + later;
    try {
      draft = await ask({ title, step: step + 1, totalSteps, canGoBack: canGoBack || step > 0 }, draft);
      step += 1;
    } catch (error) {
      if (!(error instanceof BackError) || step === 0) throw error;
      step -= 1;
    }
  }
}

/** Accepting is the first row; any other row asks for that field again and comes back. */
async function summarize<Draft, Field extends string>(
  form: Form<Draft, Field>,
  place: Place,
  start: Draft,
): Promise<Draft> {
  let draft = start;
  let active: Field | undefined;
  for (;;) {
    const rows = form.summary(draft).map((field) => ({
      value: field,
      label: form.fields[field].label,
      description: form.fields[field].show(draft),
    }));
    const accept = { value: undefined, ...form.accept(draft) };
    const chosen: Field | undefined = await askChoice<Field | undefined>(place, [accept, ...rows], {
      placeholder: "Go on, or choose what to change",
      ...(active === undefined ? {} : { active }),
    });
    if (chosen === undefined) return draft;
    active = chosen;
    try {
      draft = await form.fields[chosen].ask({ title: place.title, canGoBack: true }, draft);
    } catch (error) {
      if (!(error instanceof BackError)) throw error;
    }
  }
}

function madeOf<Draft, T extends object>(value: PerDraft<Draft, T>, draft: Draft): T {
  return typeof value === "function" ? value(draft) : value;
}

/** Icons are left out: the summary's rows have none. */
function labelOf<T>({ choices }: ChoiceQuestion<T>, value: T): string {
  return choices.find((choice) => choice.value === value)?.label.replace(/^\$\([\w-]+\) /, "") ?? "none";
}

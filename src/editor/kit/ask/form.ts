/** A draft that is filled in step by step and ends in a summary where every field can be chosen again. */

import { askChoice, askText, BackError, type Choice, type Heading, type TextQuestion } from "./questions.ts";
import { withoutIcons } from "../words.ts";

/** One question about a draft; its answer is the draft with it. */
export type FormStep<Draft> = (heading: Heading, draft: Draft) => Promise<Draft>;

/** A field of a draft: how it is called, asked for and shown. */
export interface FormField<Draft> {
  readonly label: string;
  readonly ask: FormStep<Draft>;
  /** One line for the summary. */
  show(draft: Draft): string;
  /** Whether a draft has it; every draft has unless given. */
  has?(draft: Draft): boolean;
  /** Whether it is asked for before the summary, and not only when it is chosen there; it is unless given. */
  isAsked?(draft: Draft): boolean;
}

/** What is asked for a draft. */
export interface Form<Draft> {
  readonly title: string;
  /** In the order of the questions and of the summary. */
  readonly fields: readonly FormField<Draft>[];
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

/** Where in a draft an answer is kept, when it is not just a member of it. */
interface Lens<Draft, T> {
  readonly get: (draft: Draft) => T;
  readonly set: (draft: Draft, answer: T) => NoInfer<Draft>;
}

type FieldOptions<Draft> = Partial<Pick<FormField<Draft>, "show" | "has" | "isAsked">>;

/** A field that is typed; it is shown as it was typed, or "none". */
export function textField<Draft extends { readonly [key in Key]?: string }, Key extends keyof Draft>(
  label: string,
  key: Key,
  question: PerDraft<Draft, TextQuestion>,
  options?: FieldOptions<Draft>,
): FormField<Draft>;
export function textField<Draft>(
  label: string,
  lens: Lens<Draft, string>,
  question: PerDraft<Draft, TextQuestion>,
  options?: FieldOptions<Draft>,
): FormField<Draft>;
export function textField<Draft>(
  label: string,
  at: keyof Draft | Lens<Draft, string>,
  question: PerDraft<Draft, TextQuestion>,
  options?: FieldOptions<Draft>,
): FormField<Draft> {
  const { get, set } = lensOf<Draft, string>(at);
  const ask: FormStep<Draft> = async (heading, draft) =>
    set(draft, await askText(heading, { ...madeOf(question, draft), value: get(draft) || "" }));
  return { label, ask, show: (draft) => get(draft) || "none", ...options };
}

/** A field that is chosen from a list; it is shown by the label of its choice. */
export function choiceField<Draft, Key extends keyof Draft>(
  label: string,
  key: Key,
  question: PerDraft<Draft, ChoiceQuestion<Draft[Key]>>,
  options?: FieldOptions<Draft>,
): FormField<Draft>;
export function choiceField<Draft, T>(
  label: string,
  lens: Lens<Draft, T>,
  question: PerDraft<Draft, ChoiceQuestion<NoInfer<T>>>,
  options?: FieldOptions<Draft>,
): FormField<Draft>;
export function choiceField<Draft, T>(
  label: string,
  at: keyof Draft | Lens<Draft, T>,
  question: PerDraft<Draft, ChoiceQuestion<T>>,
  options?: FieldOptions<Draft>,
): FormField<Draft> {
  const { get, set } = lensOf<Draft, T>(at);
  const ask: FormStep<Draft> = async (heading, draft) => {
    const { choices, placeholder } = madeOf(question, draft);
    return set(draft, await askChoice(heading, choices, { placeholder, active: get(draft) }));
  };
  return { label, ask, show: (draft) => labelOf(madeOf(question, draft), get(draft)), ...options };
}

/** A question without a number of steps, since its answer decides how many follow. */
export function decisive<Draft>(ask: FormStep<Draft>): FormStep<Draft> {
  return ({ title, step, canGoBack }, draft) =>
    ask({ title, ...(step !== undefined && { step }), ...(canGoBack !== undefined && { canGoBack }) }, draft);
}

/** Asks for everything, with Back, and ends in the summary. */
export function fillForm<Draft>(form: Form<Draft>, start: Draft): Promise<Draft> {
  const { title, fields } = form;
  // What is changed in the summary may be asked with other steps: those are not for now.
  let isAccepted = false;
  const summary: FormStep<Draft> = async (heading, draft) => {
    const accepted = await reviewForm(form, draft, heading);
    isAccepted = true;
    return accepted;
  };
  return askSteps({ title }, start, (draft) => {
    if (isAccepted || form.isComplete?.(draft) === true) return [];
    const asked = fields.filter((field) => isPart(field, draft) && field.isAsked?.(draft) !== false);
    return [...asked.map(({ ask }) => ask), summary];
  });
}

/** Asks one step after the other; Back in the first leads out where `heading` has one. `later` steps follow elsewhere. */
export async function askSteps<Draft>(
  { title, canGoBack = false }: Heading,
  start: Draft,
  stepsOf: (draft: Draft) => readonly FormStep<Draft>[],
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

/** Shows the summary of a draft that is complete: any row but the first asks for its field again and comes back. */
export async function reviewForm<Draft>(
  form: Form<Draft>,
  start: Draft,
  heading: Heading = { title: form.title },
): Promise<Draft> {
  let draft = start;
  let active: FormField<Draft> | undefined;
  for (;;) {
    const rows = form.fields
      .filter((field) => isPart(field, draft))
      .map((field) => ({ value: field, label: field.label, description: withoutIcons(field.show(draft)) }));
    const { label, description } = form.accept(draft);
    const accept = { value: undefined, label, description: withoutIcons(description) };
    const options = { placeholder: "Continue, or choose what to change", active };
    active = await askChoice<FormField<Draft> | undefined>(heading, [accept, ...rows], options);
    if (active === undefined) return draft;
    try {
      draft = await active.ask({ title: heading.title, canGoBack: true }, draft);
    } catch (error) {
      if (!(error instanceof BackError)) throw error;
    }
  }
}

function isPart<Draft>(field: FormField<Draft>, draft: Draft): boolean {
  return field.has?.(draft) !== false;
}

function madeOf<Draft, T extends object>(value: PerDraft<Draft, T>, draft: Draft): T {
  return typeof value === "function" ? value(draft) : value;
}

/** Icons are left out: the summary's rows have none. */
function labelOf<T>({ choices }: ChoiceQuestion<T>, value: T): string {
  return choices.find((choice) => choice.value === value)?.label.replace(/^\$\([\w-]+\) /, "") ?? "none";
}

/** The signatures above let a key in only where its member is a T. */
function lensOf<Draft, T>(at: keyof Draft | Lens<Draft, T>): Lens<Draft, T> {
  if (typeof at === "object") return at;
  return { get: (draft) => draft[at] as T, set: (draft, answer) => ({ ...draft, [at]: answer }) };
}

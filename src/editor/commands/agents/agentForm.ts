/** The questions in which a managed agent is made or changed. */

import type { Backend } from "../../../api/managedAgents/wire.ts";
import { backendWords, secondsProblem, withSandbox } from "../../agents/agentDraft.ts";
import type { AgentDraft } from "../../agents/agentDraft.ts";
import { askSteps, reviewForm } from "../../kit/ask/form.ts";
import type { Form, FormField, Step } from "../../kit/ask/form.ts";
import { askChoice, askText } from "../../kit/ask/steps.ts";
import type { Answer, Place } from "../../kit/ask/steps.ts";

type Field = "name" | "description" | "model" | "backend" | "idle" | "removal";

/** What the form knows of the platform. */
export interface FormFacts {
  /** Models to choose from; another can always be typed. */
  readonly models: readonly string[];
}

const created: readonly Field[] = ["name", "description", "model", "backend"];

/** Asks step by step for a new agent; undefined when the person gave up. */
export function fillInAgent(
  title: string,
  start: AgentDraft,
  facts: FormFacts,
): Promise<AgentDraft | undefined> {
  const steps = created.map(
    (field): Step<AgentDraft> =>
      (place, draft) =>
        ask(field, place, draft, facts),
  );
  return askSteps(title, start, () => steps);
}

/** Shows an agent's fields for changes, and saves when that is chosen; undefined when the person gave up. */
export function changeAgent(
  title: string,
  start: AgentDraft,
  facts: FormFacts,
): Promise<AgentDraft | undefined> {
  const field = (name: Field): FormField<AgentDraft> => ({
    label: labels[name],
    ask: (place, draft) => ask(name, place, draft, facts),
    show: (draft) => shown(name, draft),
  });
  const form: Form<AgentDraft, Field> = {
    title,
    fields: {
      name: field("name"),
      description: field("description"),
      model: field("model"),
      backend: field("backend"),
      idle: field("idle"),
      removal: field("removal"),
    },
    steps: () => created,
    summary: ({ backend }) => (backend.type === "sandbox" ? [...created, "idle", "removal"] : created),
    accept: ({ name }) => ({ label: "$(check) Save", description: name }),
  };
  return reviewForm(form, start);
}

const labels: Readonly<Record<Field, string>> = {
  name: "Name",
  description: "Description",
  model: "Model",
  backend: "Backend",
  idle: "Sandbox stops after idle seconds",
  removal: "Sandbox is deleted so many seconds after it stopped",
};

function shown(field: Field, { name, description, model, backend }: AgentDraft): string {
  const { idle_ttl_seconds: idle, delete_after_stop_seconds: removal } = backend.sandbox_config ?? {};
  const texts = { name, description, model, backend: backendWords(backend), idle, removal };
  return String(texts[field] ?? "");
}

function ask(field: Field, place: Place, draft: AgentDraft, facts: FormFacts): Promise<Answer<AgentDraft>> {
  switch (field) {
    case "name":
      return text(place, draft, field, "What the agent is called.", (value) =>
        value === "" ? "Enter a name." : undefined,
      );
    case "description":
      return text(place, draft, field, "What it is for; may be empty.");
    case "model":
      return model(place, draft, facts);
    case "backend":
      return backend(place, draft);
    case "idle":
      return seconds(place, draft, "idle_ttl_seconds");
    case "removal":
      return seconds(place, draft, "delete_after_stop_seconds");
    default:
      return field satisfies never;
  }
}

async function text(
  place: Place,
  draft: AgentDraft,
  field: "name" | "description" | "model",
  prompt: string,
  problem?: (value: string) => string | undefined,
): Promise<Answer<AgentDraft>> {
  const question = { prompt, value: draft[field], ...(problem !== undefined && { problem }) };
  const answer = await askText(place, question);
  return answer.kind === "next" ? { kind: "next", value: { ...draft, [field]: answer.value } } : answer;
}

const another = "";

async function model(place: Place, draft: AgentDraft, { models }: FormFacts): Promise<Answer<AgentDraft>> {
  const prompt = "provider:model, or the name of a saved configuration. Empty: the platform's default.";
  const known = [...new Set([draft.model, ...models])].filter((name) => name !== "");
  if (known.length === 0) return text(place, draft, "model", prompt);
  for (;;) {
    const choices = known.map((name) => ({ label: name, value: name }));
    const other = { label: "$(edit) Another model…", value: another };
    const answer = await askChoice(place, [...choices, other], {
      placeholder: "Which model does it think with?",
      active: draft.model,
    });
    if (answer.kind !== "next") return answer;
    if (answer.value !== another) return { kind: "next", value: { ...draft, model: answer.value } };
    const typed = await text({ ...place, canGoBack: true }, draft, "model", prompt);
    if (typed.kind !== "back") return typed;
  }
}

async function backend(place: Place, draft: AgentDraft): Promise<Answer<AgentDraft>> {
  const sandbox = (scope: string): Backend => withSandbox(draft.backend, { scope });
  const choices = [
    { label: "No sandbox", description: "state", value: { type: "state" } satisfies Backend },
    { label: "A sandbox for each thread", description: "sandbox, scope thread", value: sandbox("thread") },
    { label: "One sandbox for the agent", description: "sandbox, scope agent", value: sandbox("agent") },
  ];
  const current = choices.find(({ value }) => backendWords(value) === backendWords(draft.backend))?.value;
  const answer = await askChoice<Backend>(place, choices, {
    placeholder: "Where does it work?",
    ...(current !== undefined && { active: current }),
  });
  return answer.kind === "next" ? { kind: "next", value: { ...draft, backend: answer.value } } : answer;
}

async function seconds(
  place: Place,
  draft: AgentDraft,
  setting: "idle_ttl_seconds" | "delete_after_stop_seconds",
): Promise<Answer<AgentDraft>> {
  const value = String(draft.backend.sandbox_config?.[setting] ?? "");
  const prompt = "Whole seconds. Empty: the platform's default.";
  const answer = await askText(place, { prompt, value, problem: secondsProblem });
  if (answer.kind !== "next") return answer;
  const change = { [setting]: answer.value === "" ? undefined : Number(answer.value) };
  return { kind: "next", value: { ...draft, backend: withSandbox(draft.backend, change) } };
}

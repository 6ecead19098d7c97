/** The questions in which a managed agent is made or changed. */

import type { Backend } from "../../../api/managedAgents/wire.ts";
import { type AgentDraft, backendWords, secondsProblem, withSandbox } from "../../agents/agentDraft.ts";
import { askSteps, choiceField, type FormField, reviewForm, textField } from "../../kit/ask/form.ts";
import { askChoice, askThen } from "../../kit/ask/questions.ts";

type Field = "name" | "description" | "model" | "backend" | "idle" | "removal";

/** What the form knows of the platform. */
export interface FormFacts {
  /** Models to choose from; another can always be typed. */
  readonly models: readonly string[];
}

const created: readonly Field[] = ["name", "description", "model", "backend"];

/** Asks step by step for a new agent. */
export function fillInAgent(title: string, start: AgentDraft, facts: FormFacts): Promise<AgentDraft> {
  const fields = fieldsOf(facts);
  const steps = created.map((name) => fields[name].ask);
  return askSteps({ title }, start, () => steps);
}

/** Shows an agent's fields for changes, and saves when that is chosen. */
export function changeAgent(title: string, start: AgentDraft, facts: FormFacts): Promise<AgentDraft> {
  return reviewForm(
    {
      title,
      fields: fieldsOf(facts),
      steps: () => created,
      summary: ({ backend }) => (backend.type === "sandbox" ? [...created, "idle", "removal"] : created),
      accept: ({ name }) => ({ label: "$(check) Save", description: name }),
    },
    start,
  );
}

function fieldsOf({ models }: FormFacts): Readonly<Record<Field, FormField<AgentDraft>>> {
  return {
    name: textField(
      "Name",
      ({ name }) => name,
      (draft, name) => ({ ...draft, name }),
      {
        prompt: "What the agent is called.",
        problem: (typed) => (typed === "" ? "Enter a name." : undefined),
      },
    ),
    description: textField(
      "Description",
      ({ description }) => description,
      (draft, description) => ({ ...draft, description }),
      { prompt: "What it is for; may be empty." },
      ({ description }) => description,
    ),
    model: modelField(models),
    backend: choiceField(
      "Backend",
      ({ backend }) => choiceOf(backend),
      (draft, choice) => ({ ...draft, backend: backendOf(draft, choice) }),
      {
        placeholder: "Where does it work?",
        choices: [
          { label: "No sandbox", description: "state", value: "state" },
          { label: "A sandbox for each thread", description: "sandbox, scope thread", value: "thread" },
          { label: "One sandbox for the agent", description: "sandbox, scope agent", value: "agent" },
        ],
      },
      ({ backend }) => backendWords(backend),
    ),
    idle: secondsField("Sandbox stops after idle seconds", "idle_ttl_seconds"),
    removal: secondsField("Sandbox is deleted so many seconds after it stopped", "delete_after_stop_seconds"),
  };
}

const another = "";

/** One of the models that the platform has, or one that is typed. */
function modelField(models: readonly string[]): FormField<AgentDraft> {
  const typed = textField<AgentDraft>(
    "Model",
    ({ model }) => model,
    (draft, model) => ({ ...draft, model }),
    { prompt: "provider:model, or the name of a saved configuration. Empty: the platform's default." },
    ({ model }) => model,
  );
  return {
    ...typed,
    ask: (place, draft) => {
      const known = [...new Set([draft.model, ...models])].filter((name) => name !== "");
      if (known.length === 0) return typed.ask(place, draft);
      const choices = known.map((name) => ({ label: name, value: name }));
      const other = { label: "$(edit) Another model…", value: another };
      const options = { placeholder: "Which model does it think with?", active: draft.model };
      return askThen(
        () => askChoice(place, [...choices, other], options),
        (model) =>
          model === another
            ? typed.ask({ ...place, canGoBack: true }, draft)
            : Promise.resolve({ ...draft, model }),
      );
    },
  };
}

type BackendChoice = "state" | "thread" | "agent";

function choiceOf({ type, sandbox_config }: Backend): BackendChoice | undefined {
  if (type !== "sandbox") return type === "state" ? "state" : undefined;
  const choices: readonly BackendChoice[] = ["thread", "agent"];
  return choices.find((choice) => choice === sandbox_config?.scope);
}

function backendOf({ backend }: AgentDraft, choice: BackendChoice | undefined): Backend {
  return choice === "state" ? { type: "state" } : withSandbox(backend, { scope: choice });
}

function secondsField(
  label: string,
  setting: "idle_ttl_seconds" | "delete_after_stop_seconds",
): FormField<AgentDraft> {
  const value = ({ backend }: AgentDraft): string => String(backend.sandbox_config?.[setting] ?? "");
  return textField(
    label,
    value,
    (draft, typed) => {
      const change = { [setting]: typed === "" ? undefined : Number(typed) };
      return { ...draft, backend: withSandbox(draft.backend, change) };
    },
    { prompt: "Whole seconds. Empty: the platform's default.", problem: secondsProblem },
    value,
  );
}

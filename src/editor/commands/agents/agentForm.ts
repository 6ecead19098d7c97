/** The questions in which a managed agent is made or changed. */

import type { Backend } from "../../../api/managedAgents/wire.ts";
import { type AgentDraft, backendWords, secondsProblem, withSandbox } from "../../agents/agentDraft.ts";
import { askSteps, choiceField, type Form, type FormField, textField } from "../../kit/ask/form.ts";
import { askChoice, askThen } from "../../kit/ask/questions.ts";

/** What the form knows of the platform. */
export interface FormFacts {
  /** Models to choose from; another can always be typed. */
  readonly models: readonly string[];
}

/** What is asked for of a new agent. */
export function newAgentForm(facts: FormFacts): Form<AgentDraft> {
  const [name, description, ...others] = fieldsOf(facts);
  return {
    title: "New Managed Agent",
    fields: [name, description, instructionsField, ...others].filter((field) => field !== undefined),
    accept: ({ name: label }) => ({ label: "$(check) Create", description: label }),
  };
}

/** Asks step by step for a new agent. */
export function fillInAgent({ title, fields }: Form<AgentDraft>, start: AgentDraft): Promise<AgentDraft> {
  const steps = fields.map(({ ask }) => ask);
  return askSteps({ title }, start, () => steps);
}

const instructionsField = textField<AgentDraft, "instructions">("Instructions", "instructions", {
  prompt: "What the agent is told before each thread. More than a line goes into its AGENTS.md later.",
  placeholder: "Answer in one sentence, and ask before you send anything.",
});

/** An agent's fields for changes, which are saved when that is chosen. */
export function changedAgentForm(title: string, facts: FormFacts): Form<AgentDraft> {
  return {
    title,
    fields: [
      ...fieldsOf(facts),
      secondsField("Sandbox stops after idle seconds", "idle_ttl_seconds"),
      secondsField("Sandbox is deleted so many seconds after it stopped", "delete_after_stop_seconds"),
    ],
    accept: ({ name }) => ({ label: "$(check) Save", description: name }),
  };
}

function fieldsOf({ models }: FormFacts): readonly FormField<AgentDraft>[] {
  return [
    textField("Name", "name", {
      prompt: "What the agent is called.",
      problem: (typed) => (typed === "" ? "Enter a name." : undefined),
    }),
    textField(
      "Description",
      "description",
      { prompt: "What it is for; may be empty." },
      { show: ({ description }) => description },
    ),
    modelField(models),
    choiceField(
      "Backend",
      {
        get: ({ backend }) => choiceOf(backend),
        set: (draft, choice) => ({ ...draft, backend: backendOf(draft, choice) }),
      },
      {
        placeholder: "Where does it work?",
        choices: [
          { label: "No sandbox", description: "state", value: "state" },
          { label: "A sandbox for each thread", description: "sandbox, scope thread", value: "thread" },
          { label: "One sandbox for the agent", description: "sandbox, scope agent", value: "agent" },
        ],
      },
      { show: ({ backend }) => backendWords(backend) },
    ),
  ];
}

const another = "";

/** One of the models that the platform has, or one that is typed. */
function modelField(models: readonly string[]): FormField<AgentDraft> {
  const typed = textField<AgentDraft, "model">(
    "Model",
    "model",
    { prompt: "provider:model, or the name of a saved configuration. Empty: the platform's default." },
    { show: ({ model }) => model },
  );
  return {
    ...typed,
    ask: (heading, draft) => {
      const known = [...new Set([draft.model, ...models])].filter((name) => name !== "");
      if (known.length === 0) return typed.ask(heading, draft);
      const choices = known.map((name) => ({ label: name, value: name }));
      const other = { label: "$(edit) Another model…", value: another };
      const options = { placeholder: "Which model does it use?", active: draft.model };
      return askThen(
        () => askChoice(heading, [...choices, other], options),
        (model) =>
          model === another
            ? typed.ask({ ...heading, canGoBack: true }, draft)
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
    {
      get: value,
      set: (draft, typed) => {
        const change = { [setting]: typed === "" ? undefined : Number(typed) };
        return { ...draft, backend: withSandbox(draft.backend, change) };
      },
    },
    { prompt: "Whole seconds. Empty: the platform's default.", problem: secondsProblem },
    { show: value, has: ({ backend }) => backend.type === "sandbox" },
  );
}

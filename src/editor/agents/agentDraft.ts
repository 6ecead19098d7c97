/** A managed agent as a person fills it in, and the change that makes of the real one. */

import type {
  Agent,
  AgentCreate,
  AgentUpdate,
  Backend,
  SandboxConfig,
} from "../../api/managedAgents/wire.ts";

/** The fields that the form asks for; empty texts are left out of what is sent. */
export interface AgentDraft {
  readonly name: string;
  readonly description: string;
  /** What a new one is told before each thread; that of an agent is its AGENTS.md. */
  readonly instructions?: string;
  /** `provider:model`, or the name of a saved configuration. */
  readonly model: string;
  readonly backend: Backend;
}

/** An agent of which nothing is filled in yet. */
export const emptyDraft: AgentDraft = { name: "", description: "", model: "", backend: { type: "state" } };

/** What the form shows of an agent. */
export function draftOf({ name, description, runtime, backend }: Agent): AgentDraft {
  return {
    name,
    description: description ?? "",
    model: runtime?.model?.model_id ?? "",
    backend: backend ?? { type: "state" },
  };
}

/** What makes the agent. */
export function creation({ name, description, instructions = "", model, backend }: AgentDraft): AgentCreate {
  return {
    name,
    ...(description === "" ? {} : { description }),
    ...(instructions === "" ? {} : { system_prompt: instructions }),
    ...(model === "" ? {} : { runtime: { model: { model_id: model } } }),
    backend,
  };
}

/** Only what differs from the agent as it is; undefined when nothing does. */
export function changes(agent: Agent, draft: AgentDraft): AgentUpdate | undefined {
  const before = draftOf(agent);
  const { name, description, model, backend } = draft;
  // The platform replaces a runtime whole, so what it has besides the model goes along.
  const runtime = { ...agent.runtime, model: { ...agent.runtime?.model, model_id: model } };
  const update: AgentUpdate = {
    ...(name === before.name ? {} : { name }),
    ...(description === before.description ? {} : { description }),
    ...(model === before.model || model === "" ? {} : { runtime }),
    ...(JSON.stringify(backend) === JSON.stringify(before.backend) ? {} : { backend }),
  };
  return Object.keys(update).length === 0 ? undefined : update;
}

/** The backend with one setting of its sandbox changed; an undefined value takes the setting away. */
export function withSandbox(
  backend: Backend,
  change: Partial<Record<keyof SandboxConfig, unknown>>,
): Backend {
  const config = Object.entries({ ...backend.sandbox_config, ...change });
  return {
    ...backend,
    type: "sandbox",
    sandbox_config: Object.fromEntries(config.filter(([, value]) => value !== undefined)),
  };
}

/** What is wrong with a number of seconds as typed; an empty text leaves it to the platform. */
export function secondsProblem(text: string): string | undefined {
  return text === "" || /^\d{1,9}$/.test(text) ? undefined : "Enter whole seconds, or nothing.";
}

/** The backend in words. */
export function backendWords({ type, sandbox_config }: Backend): string {
  if (type === "state") return "no sandbox";
  const scope = sandbox_config?.scope;
  return scope === undefined
    ? type
    : `${type}, one for ${scope === "thread" ? "each thread" : `the ${scope}`}`;
}

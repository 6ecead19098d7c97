/** `agent.json`: the settings of an agent that are no files of their own, as one JSON document. */

import { isDeepStrictEqual } from "node:util";
import type { Agent, AgentUpdate } from "../../../api/managedAgents/wire.ts";
import { isObject } from "../../../api/shape.ts";
import {
  type FileProblem,
  type JsonRecord,
  problemsOf,
  readRecord,
  type ValueProblem,
} from "./fileProblem.ts";

/** What a setting becomes when it is taken out of the file; the others stay as they are on the platform. */
const emptied: JsonRecord = {
  description: "",
  runtime: {},
  backend: { type: "state" },
  extras: {},
  configurable: {},
};
const settings = ["name", "description", "runtime", "backend", "permissions", "extras", "configurable"];
const known = new Set([...settings, "$schema", "agent_id", "model"]);

/** The settings of an agent as the text of its `agent.json`. */
export function settingsText(agent: Agent): string {
  const { id, name, description, runtime, backend, permissions, extras, configurable } = agent;
  const model = runtime?.model?.model_id;
  const shortened = model !== undefined && isDeepStrictEqual(runtime, { model: { model_id: model } });
  const filled = Object.entries({
    agent_id: id,
    name,
    description: description ?? "",
    model: shortened ? model : undefined,
    runtime: shortened ? undefined : runtime,
    backend,
    permissions,
    extras,
    configurable,
  }).filter(([, value]) => !isEmpty(value));
  return `${JSON.stringify(Object.fromEntries(filled), null, 2)}\n`;
}

/** What a request must say for an agent of the one text to get the settings of the other. Both must be valid. */
export function settingsChange(before: string, after: string): AgentUpdate {
  const [old, fresh] = [fieldsOf(before), fieldsOf(after)];
  const changed = settings.filter((name) => {
    return fresh[name] !== undefined && !isDeepStrictEqual(old[name], fresh[name]);
  });
  return Object.fromEntries(changed.map((name) => [name, fresh[name]]));
}

/** The agent that a text says it is of. */
export function agentIdIn(text: string): string | undefined {
  const id = readRecord(text)?.["agent_id"];
  return typeof id === "string" && id !== "" ? id : undefined;
}

/** What keeps an `agent.json` from being sent (docs/interface.md, "Managed agent backend object"). */
export function settingsProblems(text: string): readonly FileProblem[] {
  return problemsOf(text, (root) => [
    ...Object.keys(root)
      .filter((name) => !known.has(name))
      .map((name) =>
        problem([name], `An agent has no setting "${name}". Your own data belongs in "extras".`),
      ),
    ...textProblems(root),
    ...["runtime", "permissions", "extras", "configurable"].flatMap((name) =>
      root[name] === undefined || isObject(root[name]) ? [] : [problem([name], `"${name}" is an object.`)],
    ),
    ...("model" in root && "runtime" in root
      ? [problem(["model"], `Use either "model" or "runtime", not both.`)]
      : []),
    ...("backend" in root ? backendProblems(root["backend"]) : []),
  ]);
}

function textProblems(root: JsonRecord): readonly ValueProblem[] {
  const { name, description, model, agent_id: agentId } = root;
  const isFilled = (value: unknown): boolean => typeof value === "string" && value.trim() !== "";
  return [
    ...(isFilled(name) ? [] : [problem(["name"], "An agent needs a name.")]),
    ...(description === undefined || typeof description === "string"
      ? []
      : [problem(["description"], "The description is a text.")]),
    ...(model === undefined || isFilled(model)
      ? []
      : [problem(["model"], `The model is a text such as "provider:model".`)]),
    ...(agentId === undefined || isFilled(agentId)
      ? []
      : [problem(["agent_id"], "The agent's ID is a text.")]),
  ];
}

function backendProblems(backend: unknown): readonly ValueProblem[] {
  if (!isObject(backend)) return [problem(["backend"], "The backend is an object.")];
  const { type, sandbox_config: config } = backend;
  const typed =
    type === "state" || type === "sandbox"
      ? []
      : [problem(["backend", "type"], `The backend's type is "state" or "sandbox".`)];
  if (config === undefined) return typed;
  const at = ["backend", "sandbox_config"];
  if (type !== "sandbox") {
    const remedy = `Only a backend of type "sandbox" has a sandbox_config: change the type or remove this.`;
    return [...typed, problem(at, remedy)];
  }
  if (!isObject(config)) return [problem(at, "The sandbox_config is an object.")];
  return sandboxProblems(config).map(({ path, message }) => problem([...at, ...path], message));
}

function sandboxProblems(config: JsonRecord): readonly ValueProblem[] {
  const { scope, policy_ids: policies } = config;
  const isTexts = Array.isArray(policies) && policies.every((id) => typeof id === "string");
  return [
    ...(scope === undefined || scope === "thread" || scope === "agent"
      ? []
      : [problem(["scope"], `The scope is "thread" (a sandbox for each) or "agent" (one for all).`)]),
    ...(policies === undefined || isTexts
      ? []
      : [problem(["policy_ids"], "Policy IDs are a list of texts.")]),
    ...["idle_ttl_seconds", "delete_after_stop_seconds"].flatMap((name) => {
      const seconds = config[name];
      const isWhole = Number.isInteger(seconds) && Number(seconds) >= 0;
      return seconds === undefined || isWhole ? [] : [problem([name], "This is a whole number of seconds.")];
    }),
  ];
}

function problem(path: ValueProblem["path"], message: string): ValueProblem {
  return { path, message };
}

/** The settings in the interface's own form: `model` is short for a runtime. */
function fieldsOf(text: string): JsonRecord {
  const { model, ...rest } = readRecord(text) ?? {};
  const long = model === undefined ? rest : { ...rest, runtime: { model: { model_id: model } } };
  return { ...emptied, ...long };
}

function isEmpty(value: unknown): boolean {
  return value === undefined || value === null || (isObject(value) && Object.keys(value).length === 0);
}

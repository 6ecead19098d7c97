/** What the page knows of the agents: each is asked for when it is chosen. */

import { useEffect, useLayoutEffect, useMemo, useReducer } from "preact/hooks";

import type { AgentFacts, AgentOptions, SentInput } from "../../run/panel/agent.ts";
import { fieldOf, takesMessages } from "../../run/schema/fields.ts";
import { SchemaDocument } from "../../run/schema/schemaDocument.ts";
import { startingValue } from "../../run/schema/startingValue.ts";
import { post, receive } from "../kit/host.ts";

/** An agent, and what follows from what it takes. */
export interface Agent extends AgentFacts {
  readonly sent: readonly SentInput[];
  /** Of its input, as far as that is told. */
  readonly document: SchemaDocument | undefined;
  /** False for an agent that text means nothing to; undefined where nobody knows. */
  readonly takesMessages: boolean | undefined;
  /** Whether there are fields to fill in beside the messages. */
  readonly hasForm: boolean;
  /** The JSON text of an input that nobody has filled in yet. */
  readonly starting: string;
}

const facts = new Map<string, AgentFacts>();
/** Options as they are in this page, which may be newer than what the host sent first. */
const options = new Map<string, AgentOptions>();
const listeners = new Set<() => void>();

receive((message) => {
  if (message.type !== "agent") return;
  const { agent } = message;
  if (!facts.has(agent.assistantId))
    options.set(agent.assistantId, { ...agent.options, ...options.get(agent.assistantId) });
  facts.set(agent.assistantId, agent);
  for (const listener of listeners) listener();
});

/** Changes how an agent is run, here and wherever it is run next. */
export function changeOptions(assistantId: string, part: AgentOptions): void {
  options.set(assistantId, { ...options.get(assistantId), ...part });
  post({ type: "options", assistantId, options: part });
  for (const listener of listeners) listener();
}

/** Takes over how an agent is run; the host has it already. */
export function replaceOptions(assistantId: string, whole: AgentOptions): void {
  options.set(assistantId, whole);
  for (const listener of listeners) listener();
}

/** How an agent is run now, which may be newer than what was last drawn. */
export function optionsOf(assistantId: string): AgentOptions {
  return options.get(assistantId) ?? noOptions;
}

const noOptions: AgentOptions = {};

/** The chosen agent; what it takes is asked for as soon as it is chosen. */
export function useAgent(assistantId: string): Agent {
  const [, redraw] = useReducer<number, undefined>((count) => count + 1, 0);
  // As soon as it is drawn: what comes before that is what it was drawn with.
  useLayoutEffect(() => {
    const listener = (): void => redraw(undefined);
    listeners.add(listener);
    return () => void listeners.delete(listener);
  }, []);
  useEffect(() => {
    if (assistantId !== "") post({ type: "agent", assistantId });
  }, [assistantId]);
  const { schemas = undescribed, nodes, sent = none } = facts.get(assistantId) ?? {};
  const agent = useMemo(() => agentOf(assistantId, schemas), [assistantId, schemas]);
  return { ...agent, sent, options: optionsOf(assistantId), ...(nodes !== undefined && { nodes }) };
}

const undescribed = { kind: "undescribed" } as const;
const none: readonly SentInput[] = [];

function agentOf(assistantId: string, schemas: AgentFacts["schemas"]): Omit<Agent, "options" | "sent"> {
  if (schemas.kind !== "known" || schemas.input === undefined) {
    const takes = "takesMessages" in schemas ? schemas.takesMessages : undefined;
    return { assistantId, schemas, document: undefined, takesMessages: takes, hasForm: false, starting: "" };
  }
  const document = new SchemaDocument(schemas.input);
  const value = startingValue(document);
  const starting = value === undefined ? "" : JSON.stringify(value, undefined, 2);
  const takes = takesMessages(document);
  const hasForm = namesIn(document).some((name) => takes !== true || name !== "messages");
  return { assistantId, schemas, document, takesMessages: takes, hasForm, starting };
}

/** The names of the fields that a form of the whole has. */
export function namesIn(document: SchemaDocument): readonly string[] {
  const { control } = fieldOf(document, document.schema);
  return control.kind === "object" ? control.properties.map(({ name }) => name) : [];
}

/** What agents take, as their servers tell: asked for once, in the background, and kept for the window. */

import type { AssistantSchemas } from "../../../api/agentServer/wire.ts";
import type { Clock } from "../../../api/retry.ts";
import { inBackground } from "../../../api/turns.ts";
import type { AgentSchemas, KnownSchemas } from "../../../run/panel/agent.ts";
import { isNestedTooDeep, mostNested } from "../../../run/json/json.ts";
import { takesMessages } from "../../../run/schema/fields.ts";
import { SchemaDocument } from "../../../run/schema/schemaDocument.ts";
import { adviceFor } from "../../kit/remedies.ts";
import { KeptList, type Memory } from "../../kit/keptList.ts";

/** An agent under development changes: what is older is asked for again while it is used. */
const freshMs = 30_000;
const mostKept = 300;

interface Answer {
  readonly schemas: AgentSchemas;
  readonly at: number;
}

/** Asks the server of an agent. */
type Ask = () => Promise<AssistantSchemas>;

/** The schemas of all agents that are used in this window, by a key of server and assistant. */
export class AgentSchemasCache {
  readonly #clock: Pick<Clock, "now">;
  readonly #answers = new Map<string, Answer>();
  readonly #asked = new Map<string, Promise<AgentSchemas>>();
  /** Which agents take messages and which do not, over windows: else nobody could write before the first answer. */
  readonly #kinds: KeptList<readonly [key: string, takesMessages: boolean]>;

  constructor(memory: Memory, clock: Pick<Clock, "now">) {
    this.#clock = clock;
    this.#kinds = new KeptList(memory, "agents.takeMessages", ([key]) => key, mostKept);
  }

  /** What is known now. */
  known(key: string): AgentSchemas {
    return this.#answers.get(key)?.schemas ?? { kind: "asking", ...this.#kind(key) };
  }

  /** What the server says; it is asked where nothing is known, where that is old, and `again` after a failure. */
  load(key: string, ask: Ask, again = false): Promise<AgentSchemas> {
    const answer = this.#answers.get(key);
    const isFresh = answer !== undefined && this.#clock.now() - answer.at < freshMs;
    if (isFresh && !(again && answer.schemas.kind === "failed")) return Promise.resolve(answer.schemas);
    const asked = this.#asked.get(key) ?? this.#ask(key, ask);
    this.#asked.set(key, asked);
    return asked;
  }

  async #ask(key: string, ask: Ask): Promise<AgentSchemas> {
    const schemas = await inBackground(ask).then(schemasFrom, (error: unknown): AgentSchemas => {
      return { kind: "failed", message: adviceFor(error).message, ...this.#kind(key) };
    });
    this.#asked.delete(key);
    this.#answers.set(key, { schemas, at: this.#clock.now() });
    const takes = schemas.kind === "known" ? kindOf(schemas) : undefined;
    if (takes !== undefined && takes !== this.#kinds.get(key)?.[1]) await this.#kinds.keep([key, takes]);
    return schemas;
  }

  #kind(key: string): { readonly takesMessages?: boolean } {
    const takes = this.#kinds.get(key)?.[1];
    return takes === undefined ? {} : { takesMessages: takes };
  }
}

const tooDeep = `What the server tells of this agent is nested deeper than ${mostNested} levels.`;

function schemasFrom(answer: AssistantSchemas): AgentSchemas {
  const { input_schema: input, context_schema: context, config_schema: config } = answer;
  const named = Object.entries({ input, context, config });
  if (isNestedTooDeep(answer)) return { kind: "failed", message: tooDeep };
  return { kind: "known", ...Object.fromEntries(named.filter(([, schema]) => (schema ?? null) !== null)) };
}

function kindOf({ input }: KnownSchemas): boolean | undefined {
  return input === undefined ? undefined : takesMessages(new SchemaDocument(input));
}

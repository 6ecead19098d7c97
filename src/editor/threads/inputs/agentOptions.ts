/** How each agent is run, as a person left it: kept over windows, but for what holds credentials. */

import type { Clock } from "../../../api/retry.ts";
import type { AgentOptions } from "../../../run/panel/agent.ts";
import { redact } from "../../../run/json/redact.ts";
import { KeptList, type Memory } from "../../kit/keptList.ts";

const mostKept = 200;
const longestText = 20_000;
const pauseMs = 500;

/** The options of all agents, by a key of server and assistant. */
export class AgentOptionsMemory {
  readonly #clock: Pick<Clock, "sleep">;
  readonly #kept: KeptList<readonly [key: string, options: AgentOptions]>;
  /** Those that were changed in this window, whole. */
  readonly #changed = new Map<string, AgentOptions>();
  /** Those of them that are not written yet. */
  readonly #waiting = new Set<string>();

  constructor(memory: Memory, clock: Pick<Clock, "sleep">) {
    this.#clock = clock;
    this.#kept = new KeptList(memory, "agents.options", ([key]) => key, mostKept);
  }

  get(key: string): AgentOptions {
    return this.#changed.get(key) ?? this.#kept.get(key)?.[1] ?? {};
  }

  /** Takes over what was changed; it is written a moment later, together with what follows at once. */
  change(key: string, part: AgentOptions): void {
    this.replace(key, { ...this.get(key), ...part });
  }

  /** Takes over options as a whole: what they do not say is not chosen. */
  replace(key: string, options: AgentOptions): void {
    this.#changed.set(key, options);
    const isWaiting = this.#waiting.size > 0;
    this.#waiting.add(key);
    if (!isWaiting) void this.#clock.sleep(pauseMs).then(() => this.write());
  }

  dispose(): void {
    void this.write();
  }

  /** Writes what was changed. */
  async write(): Promise<void> {
    const keys = [...this.#waiting];
    this.#waiting.clear();
    for (const key of keys) await this.#kept.keep([key, keepable(this.get(key))]);
  }
}

/** Without texts that hold a credential, or are too long. */
function keepable(options: AgentOptions): AgentOptions {
  const parts = Object.entries(options) as readonly (readonly [string, unknown])[];
  return Object.fromEntries(
    parts.filter(
      ([, value]) => typeof value !== "string" || (value.length <= longestText && redact(value) === value),
    ),
  );
}

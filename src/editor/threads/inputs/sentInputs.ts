/** What agents were sent in this window, so that it can be recalled in any of their threads; it is written nowhere. */

import type { SentInput } from "../../../run/panel/agent.ts";

const mostOfAgent = 50;
/** Characters of all that is kept of an agent. */
const longest = 1_000_000;

/** The inputs of all agents, by a key of server and assistant. */
export class SentInputs {
  readonly #sent = new Map<string, readonly SentInput[]>();

  /** The newest last. */
  of(key: string): readonly SentInput[] {
    return this.#sent.get(key) ?? [];
  }

  /** What was sent before comes last again; the oldest go. */
  add(key: string, input: SentInput): void {
    const others = this.of(key).filter(({ mode, text }) => mode !== input.mode || text !== input.text);
    const kept = [...others, input].slice(-mostOfAgent);
    let length = kept.reduce((sum, { text }) => sum + text.length, 0);
    while (length > longest) length -= kept.shift()?.text.length ?? length;
    this.#sent.set(key, kept);
  }
}

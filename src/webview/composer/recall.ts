/** What was sent from the composer, and how it comes back into the box. */

import type { InputMode } from "../../run/panel/agent.ts";
import { memory } from "../kit/memory.ts";
import type { Agent } from "./agents.ts";

const mostSent = 50;

/** A text, by the way it was written. */
interface Written {
  readonly mode: InputMode;
}

/** What can be recalled, the newest last: what was sent from elsewhere, and then what was sent from here. */
export function sentBefore(writing: Written, agent: Agent): readonly string[] {
  const mode = writing.mode === "text" ? "text" : "json";
  const here = memory.get("sent")[recallKey(writing, agent)] ?? [];
  const known = new Set(here);
  const elsewhere = agent.sent.filter((input) => input.mode === mode && !known.has(input.text));
  return [...elsewhere.map(({ text }) => text), ...here];
}

/** What was sent is recalled by how it was written, and for whom. */
export function recallKey({ mode }: Written, { assistantId }: Pick<Agent, "assistantId">): string {
  return `${mode === "text" ? "text" : "json"} ${assistantId}`;
}

/** Keeps a text to be recalled, as the newest. */
export function keepSent(key: string, text: string): void {
  const sent = memory.get("sent");
  const others = (sent[key] ?? []).filter((earlier) => earlier !== text);
  memory.set("sent", { ...sent, [key]: [...others, text].slice(-mostSent) });
}

interface Recallable {
  readonly sent: readonly string[];
  readonly blank: string;
  readonly isAtStart: boolean;
}

/** Walks through the inputs that were sent, as a shell does, and back to what was written before. */
export class InputHistory {
  /** How far back the walk is; 0 is the box itself. */
  #back = 0;
  /** What was in the box when the walk began. */
  #written = "";

  /** The text that a key brings into the box; undefined when the key keeps its usual meaning. */
  recall(key: string, text: string, { sent, blank, isAtStart }: Recallable): string | undefined {
    if (this.#back === 0 || text !== sent.at(-this.#back)) {
      this.#back = text === sent.at(-1) ? 1 : 0;
      this.#written = this.#back === 1 ? blank : text;
    }
    switch (key) {
      case "ArrowUp":
        if (this.#back === 0 && text !== blank && !isAtStart) return undefined;
        return this.#back < sent.length ? sent.at(-++this.#back) : undefined;
      case "ArrowDown":
        if (this.#back === 0) return undefined;
        this.#back -= 1;
        return this.#back === 0 ? this.#written : sent.at(-this.#back);
      case "Escape":
        if (this.#back === 0) return undefined;
        this.#back = 0;
        return this.#written;
      default:
        return undefined;
    }
  }
}

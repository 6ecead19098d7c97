/** Names of the lanes that subagents write in: a namespace has only an id, the call that started it says who it is. */

import type { Json } from "../../api/agentServer/wire.ts";
import { isObject, parseJson, textOf } from "../json/json.ts";

/** Calls of the tool `task` and the namespaces that belong to them. */
export class Subagents {
  /** Calls whose namespace was not seen yet, in the order in which they began; by id. */
  readonly #waiting = new Map<string, string>();
  /** Segments as they are on the wire, and under the subagent's name. */
  readonly #names = new Map<string, string>();

  /** A tool was started: for `task`, its input says which subagent. */
  started(callId: string, tool: string, input: Json | undefined): void {
    if (tool !== "task") return;
    const args = typeof input === "string" ? parseJson(input) : input;
    const name = isObject(args) ? textOf(args["subagent_type"]) : undefined;
    this.#waiting.set(callId, name ?? "subagent");
  }

  /** A namespace says which call it came from. */
  caused(namespace: readonly string[], callId: string): void {
    const segment = namespace.at(-1);
    if (segment !== undefined) this.#bind(segment, callId);
  }

  /** The lane of a namespace. */
  lane(namespace: readonly string[]): string {
    return namespace.map((segment) => this.#segment(segment)).join("|");
  }

  /** A subagent's segment is `tools:<call>`, or `tools:<execution>` in the order of the calls. */
  #segment(segment: string): string {
    const known = this.#names.get(segment);
    if (known !== undefined) return known;
    const [, id = ""] = /^(?:tools|task):(.+)$/.exec(segment) ?? [];
    if (id === "") return segment;
    const [oldest] = this.#waiting.keys();
    const call = this.#waiting.has(id) ? id : oldest;
    if (call !== undefined) this.#bind(segment, call);
    return this.#names.get(segment) ?? segment;
  }

  #bind(segment: string, callId: string): void {
    const name = this.#waiting.get(callId);
    if (name === undefined) return;
    this.#waiting.delete(callId);
    this.#names.set(segment, `${name}:${segment.slice(segment.indexOf(":") + 1)}`);
  }
}

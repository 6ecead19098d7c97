/** Events of the streaming protocol as the events that agent servers stream, which is what transcripts are folded from. */

import type { Json, JsonObject, RunStatus } from "../../api/agentServer/wire.ts";
import type { SseEvent } from "../../api/exchange.ts";
import type { ProtocolEvent } from "../../api/threadProtocol/wire.ts";
import { isList, isNestedTooDeep, isObject, mostNested, parseJson, textOf } from "../json/json.ts";
import { MessageBlocks } from "./messageBlocks.ts";

/** An event before it has its name in the stream. */
interface Translated {
  readonly mode: string;
  readonly data: Json;
}

/** Translates the events of one run, in their order. */
export class ProtocolTranslator {
  readonly #blocks = new MessageBlocks();
  readonly #subagents = new Subagents();
  readonly #pending = new Map<string, readonly string[]>();
  /** Questions that only a tool's failure told of so far: where they are asked from is not known for sure. */
  readonly #guessed = new Set<string>();
  #started = false;
  #worked = false;
  #ending: RunStatus | undefined;

  /** How the run ended; undefined while it goes on. */
  get ending(): RunStatus | undefined {
    return this.#ending;
  }

  /** The interrupts that were reported, with the namespace that each asks from. */
  get pending(): ReadonlyMap<string, readonly string[]> {
    return this.#pending;
  }

  /** Whether another run of the thread begins with an event: this one is over, although nobody said so. */
  isNextRun({ method, params: { namespace, data } }: ProtocolEvent): boolean {
    if (!this.#worked || method !== "lifecycle" || namespace.length > 0 || !isObject(data)) return false;
    return data["event"] === "running" || data["event"] === "started";
  }

  /** At least one event, so that its number is known to have arrived. */
  translate(received: ProtocolEvent): readonly SseEvent[] {
    const event = isNestedTooDeep(received.params) ? tooDeep(received) : received;
    const said = [...this.#translated(event), ...this.#attached(event)];
    const lane = this.#subagents.lane(laneOf(event));
    const id = event.seq === undefined ? event.event_id : String(event.seq);
    const frames = said.length === 0 ? [{ mode: silent, data: null }] : said;
    return frames.map(({ mode, data }) => ({
      ...(id === undefined ? {} : { id }),
      event: lane === "" || mode === "error" ? mode : `${mode}|${lane}`,
      data: JSON.stringify(data),
    }));
  }

  #translated(event: ProtocolEvent): readonly Translated[] {
    const { method, params } = event;
    const { data, namespace, node } = params;
    if (method !== "lifecycle" && method !== "checkpoints") this.#started = this.#worked = true;
    switch (method) {
      case "lifecycle":
        return this.#lifecycle(namespace, data);
      case "messages":
        return this.#message(namespace, node, data);
      case "updates":
        return this.#update(namespace, node, data);
      case "values":
        return isObject(data) ? this.#interrupts(namespace, data["__interrupt__"]) : [];
      case "input":
      case "input.requested":
        return this.#interrupts(namespace, [data]);
      case "tools":
        return this.#tool(namespace, data);
      case "tasks":
        return [{ mode: "tasks", data }];
      case "checkpoints":
        return [];
      case "custom":
        return [{ mode: "custom", data: customData(data) }];
      default:
        return method.startsWith("custom:")
          ? [{ mode: "custom", data: customData(data) }]
          : [{ mode: method, data }];
    }
  }

  /** Core servers attach interrupts to whichever event came with them. */
  #attached({ method, params }: ProtocolEvent): readonly Translated[] {
    return method === "input" ? [] : this.#interrupts(params.namespace, params.interrupts);
  }

  #lifecycle(namespace: readonly string[], data: Json): readonly Translated[] {
    if (!isObject(data)) return [];
    const { event, cause } = data;
    if (namespace.length > 0) {
      const call = isObject(cause) ? textOf(cause["tool_call_id"]) : undefined;
      if (call !== undefined) this.#subagents.caused(namespace, call);
      return [];
    }
    switch (event) {
      case "started":
      case "running":
        this.#started = true;
        return [{ mode: "metadata", data: {} }];
      case "completed":
        this.#end("success");
        return [];
      case "interrupted":
        // A run that waits for a person did what it could, as agent servers say, too; others were stopped.
        this.#end(this.#pending.size > 0 ? "success" : "interrupted");
        return [];
      case "failed":
        if (!this.#started) return [];
        this.#end("error");
        return [{ mode: "error", data: errorData(data["error"]) }];
      default:
        return [{ mode: "lifecycle", data }];
    }
  }

  /** What ends before anything began is the end of an earlier run. */
  #end(status: RunStatus): void {
    if (this.#started) this.#ending = status;
  }

  #message(namespace: readonly string[], node: string | undefined, data: Json): readonly Translated[] {
    const pieces = this.#blocks.pieces(`${namespace.join("|")}\n${node ?? ""}`, data);
    if (pieces === undefined) return [{ mode: "messages/event", data }];
    return pieces.map((piece) => ({ mode: "messages", data: [piece, {}] }));
  }

  /** Example backends send the node beside its values, agent servers the values alone. */
  #update(namespace: readonly string[], node: string | undefined, data: Json): readonly Translated[] {
    const nested = isObject(data) && "values" in data && (node === undefined || "node" in data);
    const name = node ?? (nested ? textOf(data["node"]) : undefined);
    const delta = nested ? (data["values"] ?? null) : data;
    if (name === "__interrupt__") return this.#interrupts(namespace, delta);
    if (name !== undefined) return [{ mode: "updates", data: { [name]: delta } }];
    const asked = isObject(delta) ? delta["__interrupt__"] : undefined;
    return asked === undefined ? [{ mode: "updates", data: delta }] : this.#interrupts(namespace, asked);
  }

  #interrupts(namespace: readonly string[], value: Json | undefined): readonly Translated[] {
    if (value === undefined || value === null) return [];
    const interrupts = (isList(value) ? value : [value]).filter(isObject).map(interruptData);
    for (const interrupt of interrupts) {
      const id = textOf(interrupt["id"]);
      if (id === undefined || (this.#pending.has(id) && !this.#guessed.delete(id))) continue;
      this.#pending.set(id, namespace);
    }
    return interrupts.length === 0 ? [] : [{ mode: "updates", data: { __interrupt__: interrupts } }];
  }

  #tool(namespace: readonly string[], data: Json): readonly Translated[] {
    if (!isObject(data)) return [{ mode: "tools", data }];
    const { event, tool_call_id: id, tool_name: name, input, message } = data;
    switch (event) {
      case "tool-started":
        this.#subagents.started(textOf(id) ?? "", textOf(name) ?? "", input);
        this.#subagents.caused(namespace, textOf(id) ?? "");
        return [{ mode: "tools", data: { ...data, event: "on_tool_start", input: parsed(input) } }];
      case "tool-error": {
        const asked = askedIn(message);
        if (asked === undefined)
          return [{ mode: "tools", data: { ...data, event: "on_tool_error", error: message ?? "failed" } }];
        return this.#askedByTool(namespace, asked);
      }
      default:
        return [{ mode: "tools", data: { ...data, event: "on_tool_end" } }];
    }
  }

  /** What a tool runs waits for a person: servers say so as if the tool had failed. */
  #askedByTool(namespace: readonly string[], asked: readonly JsonObject[]): readonly Translated[] {
    const before = new Set(this.#pending.keys());
    const said = this.#interrupts(namespace, asked);
    for (const id of this.#pending.keys()) if (!before.has(id)) this.#guessed.add(id);
    return said;
  }
}

/** The questions that stand in the failure of a tool, as a list of interrupts in JSON; undefined when it did fail. */
function askedIn(message: Json | undefined): readonly JsonObject[] | undefined {
  const list = typeof message === "string" && message.startsWith("[") ? parseJson(message) : message;
  if (!isList(list) || list.length === 0 || !list.every(isObject)) return undefined;
  return list.every((one) => "value" in one && textOf(one["id"]) !== undefined) ? list : undefined;
}

/**
 * The namespace of the graph that an event comes from: messages and tools come with that of the task that made them,
 * unless the task is named beside it.
 */
function laneOf({ method, params: { namespace, node } }: ProtocolEvent): readonly string[] {
  const last = namespace.at(-1);
  if (last === undefined || (method !== "messages" && method !== "tools")) return namespace;
  return node === undefined || last.split(":", 1)[0] === node ? namespace.slice(0, -1) : namespace;
}

/** What stands for an event that could not be written as text again. */
function tooDeep({ method, params: { namespace, data }, ...head }: ProtocolEvent): ProtocolEvent {
  const event = method === "lifecycle" && isObject(data) ? textOf(data["event"]) : undefined;
  // Why a run failed may be lost, not that it did.
  if (event !== undefined) return { ...head, method, params: { namespace, data: { event } } };
  const words = `An event “${method}” is nested deeper than ${mostNested} levels.`;
  return { ...head, method: "unreadable", params: { namespace, data: words } };
}

/** A mode that says nothing to a transcript. */
const silent = "checkpoints";

function interruptData(value: JsonObject): JsonObject {
  const id = value["id"] ?? value["interrupt_id"] ?? value["interruptId"];
  return { ...(typeof id === "string" ? { id } : {}), value: value["value"] ?? value["payload"] ?? null };
}

function customData(data: Json): Json {
  if (!isObject(data) || !("payload" in data)) return data;
  return data["name"] === undefined || data["name"] === null ? (data["payload"] ?? null) : data;
}

/** Agent servers put JSON into the text. */
function errorData(error: Json | undefined): Json {
  const inner = typeof error === "string" ? parseJson(error) : error;
  if (isObject(inner)) return inner;
  return typeof error === "string" && error !== "" ? error : "The run failed; the backend does not say why.";
}

function parsed(input: Json | undefined): Json {
  return (typeof input === "string" ? parseJson(input) : undefined) ?? input ?? {};
}

/**
 * Names of the lanes that subagents write in: a namespace has only an id, and the call of the tool `task` that started it
 * says who it is.
 */
class Subagents {
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

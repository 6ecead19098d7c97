import { isObject } from "../kit/json.ts";

/** What an event of the streaming protocol is about. */
export type Method =
  | "values"
  | "updates"
  | "messages"
  | "tools"
  | "lifecycle"
  | "input.requested"
  | "checkpoints"
  | "tasks"
  | "custom";

/** An event of the streaming protocol before it has its place in a thread's sequence. */
export interface ProtocolEvent {
  readonly method: Method;
  /** Where in the tree of graphs it happened; `[]` is the thread's own graph. */
  readonly namespace: readonly string[];
  readonly node?: string;
  readonly data: unknown;
}

/** What a filter must know of an event that is already text. */
export interface EventHead {
  readonly seq: number;
  readonly channel: string;
  readonly namespace: readonly string[];
}

/** The line of JSON that goes over the wire; its members stand in the order that `headOf` reads. */
export function eventText(seq: number, event: ProtocolEvent): string {
  const { method, namespace, node, data } = event;
  const name = isObject(data) && method === "custom" && typeof data.name === "string" ? data.name : undefined;
  const params = [
    `"namespace":${JSON.stringify(namespace)}`,
    ...(name === undefined ? [] : [`"name":${JSON.stringify(name)}`]),
    `"timestamp":${Date.now()}`,
    ...(node === undefined ? [] : [`"node":${JSON.stringify(node)}`]),
    `"data":${JSON.stringify(data)}`,
  ].join();
  return `{"type":"event","event_id":"${seq}","seq":${seq},"method":"${method}","params":{${params}}}`;
}

const head =
  /^id: \d+\nevent: [\w.]+\ndata: \{"type":"event","event_id":"\d+","seq":(\d+),"method":"([\w.]+)","params":\{"namespace":(\[.*?\])(?:,"name":(".*?"))?,"timestamp":/;

/** Reads sequence number, channel and namespace from a stored frame without parsing the rest of it. */
export function headOf(frame: string): EventHead | undefined {
  const match = head.exec(frame);
  if (match === null) return undefined;
  const [, seq, method, namespace, name] = match;
  const base = method === "input.requested" ? "input" : (method ?? "");
  const channel = name === undefined ? base : `${base}:${String(JSON.parse(name))}`;
  return { seq: Number(seq), channel, namespace: JSON.parse(namespace ?? "[]") as string[] };
}

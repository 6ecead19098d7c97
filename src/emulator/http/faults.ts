import type { IncomingMessage, ServerResponse } from "node:http";
import { setTimeout as delay } from "node:timers/promises";
import * as z from "zod";

/** How the next matching answers fail. */
export const faultRule = z.object({
  match: z
    .object({
      method: z.string().optional(),
      path: z
        .string()
        .describe("The beginning of the path, or a regular expression if it starts with ^ or ends with $.")
        .refine((path) => !isPattern(path) || compiles(path), "This is not a regular expression.")
        .optional(),
    })
    .default({}),
  status: z
    .int()
    .min(200)
    .max(599)
    .optional()
    .describe("Answer with this status instead of the real answer."),
  headers: z.record(z.string(), z.string()).default({}),
  body: z.unknown().optional().describe("The answer's body: a text as it is, anything else as JSON."),
  delay_ms: z.number().min(0).max(600_000).default(0),
  drop_after_events: z
    .int()
    .min(0)
    .optional()
    .describe("Cut the connection after so many server-sent events."),
  drop_after_bytes: z.int().min(0).optional().describe("Cut the connection after so many bytes of the body."),
  times: z.int().min(1).default(1),
});

/** A fault as it was ordered. */
export type FaultRule = z.output<typeof faultRule>;

/** The faults that were asked for and have not all happened yet. */
export class Faults {
  #rules: { readonly rule: FaultRule; left: number }[] = [];

  add(rule: FaultRule): void {
    this.#rules.push({ rule, left: rule.times });
  }

  clear(): void {
    this.#rules = [];
  }

  list(): FaultRule[] {
    return this.#rules.map(({ rule, left }) => ({ ...rule, times: left }));
  }

  /**
   * Applies the first matching fault to a request; answers whether that was the whole answer. The faults' own
   * routes never fail.
   */
  async apply(request: IncomingMessage, response: ServerResponse): Promise<boolean> {
    const path = (request.url ?? "/").split("?", 1)[0] ?? "/";
    if (this.#rules.length === 0 || path === "/_local/faults") return false;
    const active = this.#rules.find(({ rule }) => matches(rule, request.method ?? "GET", path));
    if (active === undefined) return false;
    active.left -= 1;
    this.#rules = this.#rules.filter(({ left }) => left > 0);
    const { rule } = active;
    // Nobody waits for it when the server has been closed.
    if (rule.delay_ms > 0) await delay(rule.delay_ms, undefined, { ref: false });
    cutShort(response, rule);
    if (rule.status === undefined && rule.body === undefined) {
      for (const [name, value] of Object.entries(rule.headers)) response.setHeader(name, value);
      return false;
    }
    request.resume();
    const text = typeof rule.body === "string" ? rule.body : JSON.stringify(rule.body ?? { detail: "Fault" });
    const type = typeof rule.body === "string" ? "text/plain; charset=utf-8" : "application/json";
    response.writeHead(rule.status ?? 200, { "content-type": type, ...rule.headers });
    response.end(text);
    return true;
  }
}

/** Makes the response lose its connection once enough events or bytes of its body were sent. */
function cutShort(response: ServerResponse, rule: FaultRule): void {
  const { drop_after_events: events, drop_after_bytes: bytes } = rule;
  if (events === undefined && bytes === undefined) return;
  let left = { events: events ?? Infinity, bytes: bytes ?? Infinity };
  const write = response.write.bind(response) as (chunk: Buffer, done?: () => void) => boolean;
  const cut = (chunk: unknown): boolean => {
    if (response.destroyed || response.socket === null) return false;
    const data =
      Buffer.isBuffer(chunk) || chunk instanceof Uint8Array ? Buffer.from(chunk) : Buffer.from(String(chunk));
    const length = Math.min(afterEvents(data, left.events), left.bytes);
    left = { events: left.events - countEvents(data.subarray(0, length)), bytes: left.bytes - length };
    if (length === data.length && left.events > 0 && left.bytes > 0) return write(data);
    const { socket } = response;
    write(data.subarray(0, length), () => socket.destroySoon());
    return false;
  };
  response.write = cut as typeof response.write;
  const end = response.end.bind(response) as () => ServerResponse;
  response.end = ((chunk?: unknown) => {
    if (typeof chunk === "string" || chunk instanceof Uint8Array) cut(chunk);
    return left.events > 0 && left.bytes > 0 ? end() : response;
  }) as typeof response.end;
  if (events === 0 || bytes === 0) response.flushHeaders = () => response.destroy();
}

const eventEnd = Buffer.from("\n\n");

/** The length of the part of `data` that holds the given number of whole events. */
function afterEvents(data: Buffer, events: number): number {
  let end = 0;
  for (let seen = 0; seen < events; seen++) {
    const next = data.indexOf(eventEnd, end);
    if (next === -1) return data.length;
    end = next + eventEnd.length;
  }
  return end;
}

function countEvents(data: Buffer): number {
  let events = 0;
  for (let at = data.indexOf(eventEnd); at !== -1; at = data.indexOf(eventEnd, at + 2)) events += 1;
  return events;
}

function matches(rule: FaultRule, method: string, path: string): boolean {
  const wanted = rule.match;
  if (wanted.method !== undefined && wanted.method.toUpperCase() !== method) return false;
  if (wanted.path === undefined) return true;
  return isPattern(wanted.path) ? new RegExp(wanted.path).test(path) : path.startsWith(wanted.path);
}

function isPattern(path: string): boolean {
  return path.startsWith("^") || path.endsWith("$");
}

function compiles(path: string): boolean {
  try {
    return new RegExp(path) instanceof RegExp;
  } catch {
    return false;
  }
}

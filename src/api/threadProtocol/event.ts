/** Protocol events out of server-sent events: the JSON counts, not the name and id of the frame around it. */

import type { Json, JsonObject } from "../agentServer/wire.ts";
import type { SseEvent } from "../exchange.ts";
import type { ProtocolEvent } from "./wire.ts";

/** Each batch as it came; what is no protocol event becomes one of the method "unreadable". */
export async function* readEvents(
  batches: AsyncIterable<readonly SseEvent[]>,
): AsyncIterable<readonly ProtocolEvent[]> {
  for await (const batch of batches) yield batch.map(readEvent);
}

/** Reads one event; camel case is read, too. */
export function readEvent({ data }: SseEvent): ProtocolEvent {
  let value: Json;
  try {
    value = JSON.parse(data) as Json;
  } catch {
    return unreadable(data);
  }
  if (!isRecord(value) || typeof value["method"] !== "string") return unreadable(value);
  const params = isRecord(value["params"]) ? value["params"] : {};
  const { seq, method } = value;
  const { namespace, timestamp, node, interrupts } = params;
  const eventId = value["event_id"] ?? value["eventId"];
  return {
    method,
    ...(typeof seq === "number" ? { seq } : {}),
    ...(typeof eventId === "string" ? { event_id: eventId } : {}),
    params: {
      namespace: Array.isArray(namespace) ? namespace.map(String) : [],
      data: params["data"] ?? null,
      ...(typeof timestamp === "number" ? { timestamp } : {}),
      ...(typeof node === "string" ? { node } : {}),
      ...(interrupts === undefined || interrupts === null ? {} : { interrupts }),
    },
  };
}

function unreadable(data: Json): ProtocolEvent {
  return { method: "unreadable", params: { namespace: [], data } };
}

/** An object that is no array. */
export function isRecord(value: unknown): value is JsonObject {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}

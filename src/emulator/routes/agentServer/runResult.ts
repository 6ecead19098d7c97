import type { ServerResponse } from "node:http";
import { RESPONSE_ALREADY_SENT } from "@hono/node-server/utils/response";
import { whenClosed } from "../../http/sse.ts";
import type { JsonObject } from "../../kit/json.ts";
import type { Outcome } from "../../runtime/ticket.ts";

/** What a caller who waited for a run gets: the last values, what it asks a person, or why it failed. */
export function outcomeBody(outcome: Outcome): JsonObject | null {
  if (outcome.error !== null) return { __error__: outcome.error };
  if (outcome.interrupts.length === 0) return outcome.values;
  return { ...outcome.values, __interrupt__: outcome.interrupts };
}

/** Sends the outcome as JSON when there is one; newlines before it keep the connection alive. */
export function sendWhenDone(
  response: ServerResponse,
  headers: Record<string, string>,
  done: Promise<Outcome>,
  onClose: () => void,
  keepAliveMs = 5000,
): Response {
  response.writeHead(200, { "content-type": "application/json", ...headers });
  response.flushHeaders();
  const keepAlive = setInterval(() => response.write("\n"), keepAliveMs);
  whenClosed(response, () => {
    clearInterval(keepAlive);
    if (!response.writableFinished) onClose();
  });
  done.then(
    (outcome) => {
      clearInterval(keepAlive);
      response.end(JSON.stringify(outcomeBody(outcome)));
    },
    (error: unknown) => {
      console.error("The outcome of a run can't be told:", error);
      response.destroy();
    },
  );
  return RESPONSE_ALREADY_SENT;
}

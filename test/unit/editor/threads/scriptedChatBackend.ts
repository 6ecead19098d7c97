import type { ServerResponse } from "node:http";
import { setImmediate as nextTurn } from "node:timers/promises";
import type { ProtocolEvent } from "../../../../src/api/threadProtocol/wire.ts";
import { serve } from "../../../support/testServer.ts";
import type { TestServer } from "../../../support/testServer.ts";

/** What a backend does to the events of its one run. */
export interface Telling {
  /** What its first connection gets when the run is started. */
  readonly told: readonly unknown[];
  /** What its first connection gets at once, of runs that were started before. */
  readonly backlog?: readonly ProtocolEvent[];
  /** What a later connection gets, which asks for what came after an event. */
  readonly again?: readonly ProtocolEvent[];
  /** Whether the first connection is cut behind what was told, with the run still going on. */
  readonly cut?: boolean;
  readonly state: unknown;
}

/** A chat backend whose every event a test chooses; its streams stay open unless one is cut. */
export async function serveChat(telling: Telling): Promise<TestServer> {
  const { told, backlog = [], again = [], cut = false, state } = telling;
  const streams: ServerResponse[] = [];
  const send = async (response: ServerResponse | undefined, events: readonly unknown[]): Promise<void> => {
    for (const event of events) {
      const data = typeof event === "string" ? event : JSON.stringify(event);
      response?.write(`event: message\ndata: ${data}\n\n`);
      // One by one: what arrives together could be sorted by whoever reads it.
      await nextTurn();
    }
  };
  return serve(({ method, url, body }) => {
    const going = cut && streams.length === 1 ? { next: ["model"] } : {};
    if (url.endsWith("/state")) return { body: JSON.stringify({ ...Object(state), ...going }) };
    if (url.endsWith("/stream"))
      return (response) => {
        response.writeHead(200, { "content-type": "text/event-stream" }).flushHeaders();
        streams.push(response);
        const { since = -1 } = JSON.parse(body) as { since?: number };
        const kept = streams.length === 1 ? backlog : again;
        void send(
          response,
          kept.filter(({ seq = 0 }) => seq > since),
        );
      };
    if (!url.endsWith("/commands") || method !== "POST") return { status: 404, body: "{}" };
    void nextTurn()
      .then(() => send(streams[0], told))
      .then(() => (cut ? streams[0]?.end() : undefined));
    return { body: '{"type":"success","id":1,"result":{"run_id":"r"}}' };
  });
}

import type { ServerResponse } from "node:http";
import type { ProtocolEvent } from "../../../src/api/threadProtocol/wire.ts";
import { serve } from "../api/testServer.ts";
import type { TestServer } from "../api/testServer.ts";

/** What a backend does to the events of its one run. */
export interface Telling {
  /** What its first connection gets when the run is started. */
  readonly told: readonly unknown[];
  /** What a later connection gets, which asks for what came after an event. */
  readonly again?: readonly ProtocolEvent[];
  readonly state: unknown;
}

/** A chat backend whose every event a test chooses; its streams stay open. */
export async function serveChat({ told, again = [], state }: Telling): Promise<TestServer> {
  const streams: ServerResponse[] = [];
  const send = (response: ServerResponse | undefined, events: readonly unknown[]): void => {
    for (const event of events) {
      const data = typeof event === "string" ? event : JSON.stringify(event);
      response?.write(`event: message\ndata: ${data}\n\n`);
    }
  };
  return serve(({ method, url, body }) => {
    if (url.endsWith("/state")) return { body: JSON.stringify(state) };
    if (url.endsWith("/stream"))
      return (response) => {
        response.writeHead(200, { "content-type": "text/event-stream" }).flushHeaders();
        streams.push(response);
        if (streams.length === 1) return;
        const { since = -1 } = JSON.parse(body) as { since?: number };
        send(
          response,
          again.filter(({ seq = 0 }) => seq > since),
        );
      };
    if (!url.endsWith("/commands") || method !== "POST") return { status: 404, body: "{}" };
    setImmediate(() => send(streams[0], told));
    return { body: '{"type":"success","id":1,"result":{"run_id":"r"}}' };
  });
}

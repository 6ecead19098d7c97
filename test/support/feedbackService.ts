/** What the agent server asks for pre-signed feedback URLs, and where feedback then arrives. */

import { randomUUID } from "node:crypto";
import { createServer } from "node:http";
import type { IncomingMessage } from "node:http";
import { text } from "node:stream/consumers";

/** One request to a pre-signed URL. */
export interface ReceivedFeedback {
  readonly method: string;
  /** Path and query. */
  readonly url: string;
  readonly headers: IncomingMessage["headers"];
  readonly body: string;
}

/** The running service. */
export interface FeedbackService {
  readonly url: string;
  /** Everything that was posted to a pre-signed URL. */
  readonly received: readonly ReceivedFeedback[];
  stop(): Promise<void>;
}

/** Starts the service on a free port; `/feedback/tokens` creates tokens, `/api/v1/feedback/tokens/{id}` takes feedback. */
export async function startFeedbackService(): Promise<FeedbackService> {
  const received: ReceivedFeedback[] = [];
  const server = createServer((request, response) => {
    void text(request).then((body) => {
      const { method = "", url: target = "", headers } = request;
      response.setHeader("content-type", "application/json");
      if (target === "/feedback/tokens") {
        const id = randomUUID();
        response.end(
          JSON.stringify({
            id,
            url: `${url}/api/v1/feedback/tokens/${id}`,
            expires_at: "2999-01-01T00:00:00Z",
          }),
        );
      } else {
        received.push({ method, url: target, headers, body });
        response.end("null");
      }
    });
  });
  await new Promise<void>((listening) => server.listen(0, "127.0.0.1", listening));
  const address = server.address();
  const url = typeof address === "object" && address !== null ? `http://127.0.0.1:${address.port}` : "";
  const stop = async () => {
    server.closeAllConnections();
    await new Promise((closed) => server.close(closed));
  };
  return { url, received, stop };
}

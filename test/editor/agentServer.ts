import { createServer } from "node:http";
import type { IncomingMessage } from "node:http";
import type { AddressInfo } from "node:net";

export interface SeenRequest {
  readonly method: string;
  readonly url: string;
  readonly headers: IncomingMessage["headers"];
}

export interface TestServer {
  readonly url: string;
  readonly seen: readonly SeenRequest[];
  close(): Promise<void>;
}

/** A server that says it is an agent server, asks for the key if there is one, and remembers every request. */
export async function startAgentServer(key?: string): Promise<TestServer> {
  const seen: SeenRequest[] = [];
  const server = createServer(({ method = "", url = "", headers }, response) => {
    seen.push({ method, url, headers });
    const refused = key !== undefined && headers["x-api-key"] !== key && url !== "/info";
    response.writeHead(refused ? 403 : 200, {
      "content-type": "application/json",
      "x-request-id": "request-7",
    });
    const body = refused ? { error: "Forbidden" } : url === "/ok" ? { ok: true } : { version: "9.9.9" };
    response.end(JSON.stringify(body));
  });
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  return {
    url: `http://127.0.0.1:${String((server.address() as AddressInfo).port)}`,
    seen,
    close: () =>
      new Promise((resolve) => {
        server.closeAllConnections();
        server.close(() => resolve());
      }),
  };
}

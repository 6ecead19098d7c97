/** An HTTP server on a free loopback port whose answers a test scripts, and which remembers what it was asked. */

import { createServer } from "node:http";
import type { IncomingHttpHeaders, ServerResponse } from "node:http";
import type { Socket } from "node:net";
import { text } from "node:stream/consumers";

/** One request that was received. */
export interface Asked {
  readonly method: string;
  /** Path and query. */
  readonly url: string;
  readonly headers: IncomingHttpHeaders;
  readonly body: string;
}

/** A whole answer, or a function that writes one; `cut` destroys the socket after the body. */
export type Scripted =
  | {
      readonly status?: number;
      readonly headers?: Record<string, string>;
      readonly body?: string | Uint8Array;
      readonly cut?: boolean;
    }
  | ((response: ServerResponse, asked: Asked) => void);

/** The running server; disposing it ends its connections. */
export class TestServer implements AsyncDisposable {
  readonly asked: Asked[] = [];
  readonly #server;
  readonly #sockets = new Set<Socket>();

  /** `script` gives the answer to the n-th request. */
  constructor(script: (asked: Asked, index: number) => Scripted) {
    this.#server = createServer((request, response) => {
      void text(request).then((body) => {
        const asked = {
          method: request.method ?? "",
          url: request.url ?? "",
          headers: request.headers,
          body,
        };
        this.asked.push(asked);
        const answer = script(asked, this.asked.length - 1);
        if (typeof answer === "function") {
          answer(response, asked);
          return;
        }
        response.writeHead(answer.status ?? 200, { "content-type": "application/json", ...answer.headers });
        if (answer.cut === true) response.write(answer.body ?? "", () => response.destroy());
        else response.end(answer.body);
      });
    });
    this.#server.on("connection", (socket) => {
      this.#sockets.add(socket);
      socket.once("close", () => this.#sockets.delete(socket));
    });
  }

  get openSockets(): number {
    return this.#sockets.size;
  }

  get url(): string {
    const address = this.#server.address();
    return typeof address === "object" && address !== null ? `http://127.0.0.1:${address.port}` : "";
  }

  async listen(): Promise<this> {
    await new Promise<void>((listening) => this.#server.listen(0, "127.0.0.1", listening));
    return this;
  }

  async [Symbol.asyncDispose](): Promise<void> {
    this.#server.closeAllConnections();
    await new Promise((closed) => this.#server.close(closed));
  }
}

/** Starts a server that answers as `script` says. */
export async function serve(script: (asked: Asked, index: number) => Scripted): Promise<TestServer> {
  return new TestServer(script).listen();
}

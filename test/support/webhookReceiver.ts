import { createHmac } from "node:crypto";
import { once } from "node:events";
import { createServer } from "node:http";
import type { IncomingHttpHeaders, IncomingMessage, Server, ServerResponse } from "node:http";
import type { AddressInfo } from "node:net";
import type { Shape } from "./localPlatform.ts";
import { until } from "./until.ts";

/** One delivery as it arrived. */
export interface Received {
  readonly headers: IncomingHttpHeaders;
  readonly bytes: Buffer;
  readonly event: Shape;
  /** Epoch milliseconds. */
  readonly at: number;
}

/** How the receiver treats a delivery: a status to answer with, no answer at all, or a cut connection. */
export type Treatment = number | "silence" | "cut";

/** A real receiver of webhooks on a free port. */
export class WebhookReceiver {
  readonly url: string;
  readonly received: Received[] = [];
  /** Decides the treatment of the delivery with this number, from 0. */
  treat: (index: number, delivery: Received) => Treatment | Promise<Treatment> = () => 200;
  readonly #server: Server;

  private constructor(server: Server) {
    this.#server = server;
    this.url = `http://127.0.0.1:${(server.address() as AddressInfo).port}/hook`;
  }

  static async start(): Promise<WebhookReceiver> {
    const server = createServer();
    server.listen(0, "127.0.0.1");
    await once(server, "listening");
    const receiver = new WebhookReceiver(server);
    server.on("request", (request, response) => {
      const chunks: Buffer[] = [];
      request.on("data", (chunk: Buffer) => chunks.push(chunk));
      request.on("end", () => void receiver.#take(Buffer.concat(chunks), request, response));
    });
    return receiver;
  }

  async #take(bytes: Buffer, request: IncomingMessage, response: ServerResponse): Promise<void> {
    const event = JSON.parse(bytes.toString()) as Shape;
    const delivery = { headers: request.headers, bytes, event, at: Date.now() };
    const treatment = await this.treat(this.received.push(delivery) - 1, delivery);
    if (treatment === "cut") request.socket.destroy();
    else if (treatment !== "silence") response.writeHead(treatment, { location: "/moved" }).end("ignored");
  }

  /** Waits for so many deliveries in all. */
  async count(deliveries: number): Promise<Received[]> {
    await until(`${deliveries} deliveries were received`, () => this.received.length >= deliveries);
    return this.received;
  }

  async stop(): Promise<void> {
    if (!this.#server.listening) return;
    const closed = once(this.#server, "close");
    this.#server.close();
    this.#server.closeAllConnections();
    await closed;
  }
}

/** The signature that a receiver computes for itself. */
export function expectedSignature(secret: unknown, bytes: Buffer): string {
  return `sha256=${createHmac("sha256", String(secret)).update(bytes).digest("hex")}`;
}

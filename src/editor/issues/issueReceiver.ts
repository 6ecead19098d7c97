/** The loopback listener that webhook deliveries arrive at: verifies bytes, has them stored, answers by status alone. */

import { createServer, type IncomingMessage, type Server, type ServerResponse } from "node:http";
import type { AddressInfo, Socket } from "node:net";
import { type Envelope, EnvelopeError, readEnvelope } from "../../api/issueWebhooks/event.ts";
import {
  headerProblem,
  SIGNATURE_HEADERS,
  signatureProblem,
  type SignatureProblem,
  type WebhookDialect,
} from "../../api/issueWebhooks/signature.ts";
import { isNestedTooDeep } from "../../run/json/json.ts";
import { RemediableError } from "../kit/remedies.ts";

/** Why a delivery was turned away; nothing of it is kept. */
export type Refusal = SignatureProblem | "tooLarge" | "unreadable" | "secretMissing";

/** What a delivery is checked with. */
export interface Verifier {
  readonly secret: string | undefined;
  readonly dialect: WebhookDialect;
}

/** What the listener needs from who started it. */
export interface ReceiverHost {
  /** The subscription's own, read anew for each delivery; undefined for an unknown subscription. */
  verifier(subscription: string): Promise<Verifier | undefined>;
  /** Resolves when the event is stored for good, or was before. */
  accept(subscription: string, event: Envelope): Promise<void>;
  refused(subscription: string, refusal: Refusal): void;
  failed(error: unknown): void;
}

/** The listener could not be started; `remedy` says what to do. */
export class IssueReceiverError extends RemediableError {
  override readonly name = "IssueReceiverError";
  readonly code: string | undefined;

  constructor(message: string, remedy: string, code: string | undefined) {
    super(message, { remedy, actions: ["openReceiverPort", "retry"] });
    this.code = code;
  }
}

/** Far more than any event has. */
const mostBytes = 1024 * 1024;
/** How long a sender may take, and how often that is looked after; milliseconds. */
export interface SenderDeadlines {
  readonly headersTimeout: number;
  readonly requestTimeout: number;
  readonly connectionsCheckingInterval: number;
}

const usual: SenderDeadlines = {
  headersTimeout: 5_000,
  requestTimeout: 10_000,
  connectionsCheckingInterval: 1_000,
};
const mostUnfinished = 512;
const pathPattern = /^\/webhooks\/([0-9A-Za-z-]+)$/;

export class IssueReceiver {
  readonly #server: Server;
  readonly port: number;

  private constructor(server: Server) {
    this.#server = server;
    this.port = (server.address() as AddressInfo).port;
  }

  /** Listens on the loopback port, 0 for any free one; throws IssueReceiverError. */
  static async listen(port: number, host: ReceiverHost, deadlines = usual): Promise<IssueReceiver> {
    const server = createServer({ ...deadlines }, (request, response) => {
      void answer(request, response, host);
    });
    boundUnfinished(server, mostUnfinished);
    await new Promise<void>((resolve, reject) => {
      server.once("error", (error) => reject(listenError(port, error)));
      server.listen(port, "127.0.0.1", resolve);
    });
    return new IssueReceiver(server);
  }

  /** Takes no more deliveries, and lets those that have begun get their answer. */
  async close(): Promise<void> {
    await new Promise<void>((resolve) => {
      this.#server.close(() => resolve());
      this.#server.closeIdleConnections();
    });
  }
}

async function answer(request: IncomingMessage, response: ServerResponse, host: ReceiverHost): Promise<void> {
  const end = (status: number): void => {
    if (!response.headersSent) response.writeHead(status, { connection: "close" }).end();
    // What was not read is thrown away, so that the sender gets to read the answer.
    request.resume();
  };
  try {
    end(await receive(request, host));
  } catch (error) {
    host.failed(error);
    // The sender tries again.
    end(503);
  }
}

/** Takes one delivery; the status to answer with. */
async function receive(request: IncomingMessage, host: ReceiverHost): Promise<number> {
  const [, subscription] = pathPattern.exec(request.url ?? "") ?? [];
  const verifier = subscription === undefined ? undefined : await host.verifier(subscription);
  if (subscription === undefined || verifier === undefined) return 404;
  if (request.method !== "POST") return 405;
  const refuse = (refusal: Refusal, status: number): number => {
    host.refused(subscription, refusal);
    return status;
  };
  const { secret, dialect } = verifier;
  // Nobody can verify yet: the sender's next attempt may come after the secret was entered.
  if (secret === undefined) return refuse("secretMissing", 503);
  const signatures = request.headersDistinct[SIGNATURE_HEADERS[dialect].toLowerCase()];
  const headersOnly = headerProblem(signatures);
  if (headersOnly !== undefined) return refuse(headersOnly, 401);
  const body = await bodyOf(request);
  if (body === undefined) return refuse("tooLarge", 413);
  const problem = signatureProblem(secret, body, signatures);
  if (problem !== undefined) return refuse(problem, 401);
  try {
    const event = readEnvelope(body);
    if (isNestedTooDeep(event)) return refuse("unreadable", 400);
    await host.accept(subscription, event);
    return 204;
  } catch (error) {
    if (error instanceof EnvelopeError) return refuse("unreadable", 400);
    throw error;
  }
}

/** The exact bytes; undefined when there are too many. */
async function bodyOf(request: IncomingMessage): Promise<Buffer | undefined> {
  if (Number(request.headers["content-length"] ?? 0) > mostBytes) return undefined;
  const chunks: Buffer[] = [];
  let size = 0;
  return new Promise((resolve, reject) => {
    request.on("data", (chunk: Buffer) => {
      size += chunk.length;
      if (size > mostBytes) resolve(undefined);
      else chunks.push(chunk);
    });
    request.on("end", () => resolve(Buffer.concat(chunks)));
    request.on("error", reject);
    request.on("close", () => reject(new Error("The sender went away in the middle of a delivery.")));
  });
}

/** Why a port can't be listened on, in words; `error` is what the socket said. */
export function listenError(port: number, error: Error): IssueReceiverError {
  const code = "code" in error ? String(error.code) : undefined;
  const remedy = "Choose another port in the setting agentOperations.issues.port, or 0 for any free one.";
  if (code === "EADDRINUSE")
    return new IssueReceiverError(`Port ${String(port)} is in use by another program.`, remedy, code);
  if (code === "EACCES")
    return new IssueReceiverError(`Port ${String(port)} may not be opened by this user.`, remedy, code);
  return new IssueReceiverError(`Port ${String(port)} can't be opened: ${error.message}.`, remedy, code);
}

/** Senders that begin a request and never finish it, kept from taking the place of those that do. */

/** From now on at most so many connections are waited for; one more takes the place of the one that began first. */
function boundUnfinished(server: Server, most: number): void {
  const unfinished = new Set<Socket>();
  server.on("connection", (socket: Socket) => {
    unfinished.add(socket);
    socket.once("close", () => unfinished.delete(socket));
    const [first] = unfinished;
    if (unfinished.size > most) first?.destroy();
  });
  server.on("request", (request) => {
    request.once("end", () => unfinished.delete(request.socket));
  });
}

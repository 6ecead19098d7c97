import {
  type IncomingMessage,
  type OutgoingHttpHeaders,
  request as requestHttp,
  ServerResponse,
} from "node:http";
import { request as requestHttps } from "node:https";
import { type Duplex, pipeline } from "node:stream";
import { RESPONSE_ALREADY_SENT } from "@hono/node-server/utils/response";
import { HttpError } from "../kit/httpError.ts";
import { whenClosed } from "../http/sse.ts";

/** Where a request goes on to. */
export interface Onward {
  /** The agent server's address. */
  readonly upstream: string;
  /** The request's path and query within the deployment. */
  readonly path: string;
  /** Whether one of the Local Platform's own keys stands in a text: those go no further. */
  readonly hasOwnKey: (text: string) => boolean;
}

const probeTimeoutMs = 2000;

/** Whether an agent server answers its health check; one with authentication of its own may ask for that. */
export async function isUp(upstream: string, signal: AbortSignal): Promise<boolean> {
  try {
    const deadline = AbortSignal.any([signal, AbortSignal.timeout(probeTimeoutMs)]);
    const response = await fetch(addressOf(upstream, "/ok"), { signal: deadline });
    await response.body?.cancel();
    return [200, 401, 403].includes(response.status);
  } catch {
    return false;
  }
}

/**
 * Passes a request on to a running agent server and its answer back, byte by byte as they come, at the pace of
 * the slower side. When one side goes, the other is let go. The Local Platform's own keys go no further, and the answer
 * is no page of the Local Platform's own. Throws 502 when the server cannot be reached, 508 when the way leads in a circle.
 */
export async function forward(
  incoming: IncomingMessage,
  outgoing: ServerResponse,
  onward: Onward,
): Promise<Response> {
  const url = destinationOf(incoming, onward);
  const answer = await send(incoming, outgoing, url, onward).catch((error: unknown) => {
    throw unreachable(url, error);
  });
  passBack(answer, outgoing);
  return RESPONSE_ALREADY_SENT;
}

/** Passes a WebSocket on in the same way; without one, the server's answer comes back. */
export function forwardUpgrade(
  incoming: IncomingMessage,
  socket: Duplex,
  head: Buffer,
  onward: Onward,
): void {
  const url = destinationOf(incoming, onward);
  const headers = {
    ...headersOf(incoming, onward),
    connection: "Upgrade",
    upgrade: incoming.headers.upgrade,
  };
  const request = senderTo(url)(url, { method: incoming.method, headers });
  socket.once("close", () => request.destroy());
  request.on("error", (error) => {
    const { status, detail } = unreachable(url, error);
    responseOn(socket, incoming)
      .writeHead(status, { "content-type": "application/json" })
      .end(JSON.stringify({ detail }));
  });
  request.on("response", (answer) => passBack(answer, responseOn(socket, incoming)));
  request.on("upgrade", (answer, upstream, rest) => {
    const { rawHeaders } = answer;
    const lines = rawHeaders.flatMap((name, index) =>
      index % 2 === 1 || isForeign(name.toLowerCase()) ? [] : [`${name}: ${rawHeaders[index + 1] ?? ""}`],
    );
    socket.write(["HTTP/1.1 101 Switching Protocols", ...lines, "", ""].join("\r\n"));
    socket.write(rest);
    upstream.write(head);
    const end = (): void => {
      socket.destroy();
      upstream.destroy();
    };
    for (const side of [socket, upstream]) side.once("error", end).once("close", end);
    socket.pipe(upstream).pipe(socket);
  });
  request.end();
}

const pseudonym = "local-platform";

/** The address of the agent server; throws where a request must not go on, as in a circle. */
function destinationOf(incoming: IncomingMessage, { upstream, path, hasOwnKey }: Onward): URL {
  const hops = (incoming.headers.via ?? "").split(",").filter((hop) => hop.includes(pseudonym)).length;
  if (hops > 2) throw new HttpError(508, "The deployments front each other in a circle.");
  if (hasOwnKey(path))
    throw new HttpError(400, "An API key belongs in the header X-Api-Key, not in the address.");
  return addressOf(upstream, path);
}

/** Sends the request; resolves with the answer's head. */
async function send(
  incoming: IncomingMessage,
  outgoing: ServerResponse,
  url: URL,
  onward: Onward,
): Promise<IncomingMessage> {
  const headers = headersOf(incoming, onward);
  if (incoming.headers["transfer-encoding"] !== undefined) headers["transfer-encoding"] = "chunked";
  return await new Promise<IncomingMessage>((resolve, reject) => {
    const request = senderTo(url)(url, { method: incoming.method, headers }, resolve);
    whenClosed(outgoing, () => request.destroy());
    request.on("error", reject);
    pipeline(incoming, request, (error) => {
      if (error) reject(error);
    });
  });
}

/** An answer that a browser takes for no page of ours, and that no page elsewhere may read. */
function passBack(answer: IncomingMessage, outgoing: ServerResponse): void {
  const headers = Object.entries(withoutHopByHop(answer.headers)).filter(([name]) => !isForeign(name));
  outgoing.writeHead(answer.statusCode ?? 502, {
    ...Object.fromEntries(headers),
    "x-content-type-options": "nosniff",
    "content-security-policy": "sandbox",
  });
  outgoing.flushHeaders();
  pipeline(answer, outgoing, (error) => {
    if (error) outgoing.destroy();
  });
}

/** An agent server's CORS headers are meant for its own origin: they are not passed on. */
function isForeign(name: string): boolean {
  return name.startsWith("access-control-");
}

/** For answering on a connection whose request was to be an upgrade; it is closed then. */
function responseOn(socket: Duplex, incoming: IncomingMessage): ServerResponse {
  const response = new ServerResponse(incoming);
  response.shouldKeepAlive = false;
  response.assignSocket(incoming.socket);
  response.once("finish", () => socket.end());
  return response;
}

function senderTo(url: URL): typeof requestHttp {
  return url.protocol === "https:" ? requestHttps : requestHttp;
}

function unreachable(url: URL, error: unknown): HttpError {
  return new HttpError(502, `The agent server at ${url.origin} cannot be reached: ${reason(error)}`);
}

function headersOf(incoming: IncomingMessage, { hasOwnKey }: Onward): OutgoingHttpHeaders {
  const headers: OutgoingHttpHeaders = withoutHopByHop(incoming.headers);
  const own = ["host", "x-api-key", "x-tenant-id", "x-organization-id", "expect"];
  for (const [name, value] of Object.entries(incoming.headers))
    if (own.includes(name) || hasOwnKey(String(value))) Reflect.deleteProperty(headers, name);
  const before = incoming.headers.via === undefined ? "" : `${incoming.headers.via}, `;
  headers.via = `${before}1.1 ${pseudonym}`;
  return headers;
}

function addressOf(upstream: string, path: string): URL {
  const base = new URL(upstream);
  const prefix = base.pathname.replace(/\/+$/, "");
  const url = new URL(`${base.origin}${prefix}${path}`);
  if (!url.pathname.startsWith(`${prefix}/`)) throw new HttpError(404, "Not Found");
  return url;
}

/** Headers that speak of one connection only, and those named in `Connection`. */
function withoutHopByHop(headers: IncomingMessage["headers"]): OutgoingHttpHeaders {
  const named = (headers.connection ?? "").toLowerCase().split(/\s*,\s*/);
  const dropped = new Set([...hopByHop, ...named]);
  return Object.fromEntries(Object.entries(headers).filter(([name]) => !dropped.has(name)));
}

const hopByHop = [
  "connection",
  "keep-alive",
  "proxy-authenticate",
  "proxy-authorization",
  "te",
  "trailer",
  "transfer-encoding",
  "upgrade",
];

function reason(error: unknown): string {
  const code = error instanceof Error && "code" in error ? error.code : undefined;
  return typeof code === "string" ? code : "no answer";
}

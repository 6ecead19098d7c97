import {
  type IncomingMessage,
  type OutgoingHttpHeaders,
  request as requestHttp,
  type ServerResponse,
} from "node:http";
import { request as requestHttps } from "node:https";
import { pipeline } from "node:stream";
import { RESPONSE_ALREADY_SENT } from "@hono/node-server/utils/response";
import { HttpError } from "../kit/httpError.ts";
import { whenClosed } from "../http/sse.ts";

const probeTimeoutMs = 2000;

/** Whether an agent server answers its health check. */
export async function isUp(upstream: string, signal: AbortSignal): Promise<boolean> {
  try {
    const deadline = AbortSignal.any([signal, AbortSignal.timeout(probeTimeoutMs)]);
    const response = await fetch(addressOf(upstream, "/ok"), { signal: deadline });
    await response.body?.cancel();
    return response.status === 200;
  } catch {
    return false;
  }
}

/**
 * Passes a request on to a running agent server and its answer back, byte by byte as they come, at the pace of
 * the slower side. When one side goes, the other is let go. The Local Platform's own key goes no further.
 * Throws 502 when the server cannot be reached, 508 when the way leads in a circle.
 */
export async function forward(
  incoming: IncomingMessage,
  outgoing: ServerResponse,
  upstream: string,
  path: string,
): Promise<Response> {
  const hops = (incoming.headers.via ?? "").split(",").filter((hop) => hop.includes(pseudonym)).length;
  if (hops > 2) throw new HttpError(508, "The deployments front each other in a circle.");
  const url = addressOf(upstream, path);
  const answer = await send(incoming, outgoing, url).catch((error: unknown) => {
    throw new HttpError(502, `The agent server at ${url.origin} cannot be reached: ${reason(error)}`);
  });
  outgoing.writeHead(answer.statusCode ?? 502, withoutHopByHop(answer.headers));
  outgoing.flushHeaders();
  pipeline(answer, outgoing, (error) => {
    if (error) outgoing.destroy();
  });
  return RESPONSE_ALREADY_SENT;
}

const pseudonym = "local-platform";

/** Sends the request; resolves with the answer's head. */
async function send(incoming: IncomingMessage, outgoing: ServerResponse, url: URL): Promise<IncomingMessage> {
  const headers: OutgoingHttpHeaders = withoutHopByHop(incoming.headers);
  for (const own of ["host", "x-api-key", "x-tenant-id", "x-organization-id", "expect"]) {
    Reflect.deleteProperty(headers, own);
  }
  if (incoming.headers["transfer-encoding"] !== undefined) headers["transfer-encoding"] = "chunked";
  const before = incoming.headers.via === undefined ? "" : `${incoming.headers.via}, `;
  headers.via = `${before}1.1 ${pseudonym}`;
  const send = url.protocol === "https:" ? requestHttps : requestHttp;
  return await new Promise<IncomingMessage>((resolve, reject) => {
    const request = send(url, { method: incoming.method, headers }, resolve);
    whenClosed(outgoing, () => request.destroy());
    request.on("error", reject);
    pipeline(incoming, request, (error) => {
      if (error) reject(error);
    });
  });
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

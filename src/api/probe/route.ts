/** The route to a server: proxy, name, connection, certificate. */

import { lookup } from "node:dns/promises";
import { connect as connectTcp, isIP } from "node:net";
import { connect as connectTls } from "node:tls";
import type { Dispatcher } from "undici";
import { type CertificateFacts, chainOf } from "../certificate.ts";
import { ApiError, maskUrl } from "../errors.ts";
import { Http } from "../http.ts";
import { type Finding, type ProbeStep, timed } from "./step.ts";

/** How connections are made to an origin. */
export interface RouteOptions {
  readonly dispatcher?: Dispatcher | undefined;
  readonly proxyFor?: ((url: string) => string | undefined) | undefined;
  readonly signal?: AbortSignal | undefined;
}

const stepMs = 10_000;

/** Yields the steps from here to `origin`; a step that the one before makes pointless is left out. */
export async function* probeRoute(origin: string, options: RouteOptions): AsyncIterable<ProbeStep> {
  const target = new URL(origin);
  const chosen = options.proxyFor?.(origin);
  const proxy = chosen === undefined ? undefined : URL.parse(chosen);
  const detail =
    proxy === undefined ? `${target.host}: none, directly` : `${target.host}: by ${maskUrl(chosen ?? "")}`;
  yield { name: "Proxy", outcome: proxy === null ? "failed" : "ok", detail, ms: 0 };
  if (proxy === null) return;

  const next = proxy ?? target;
  const host = next.hostname.replace(/^\[|\]$/g, "");
  const port = Number(next.port || (next.protocol === "https:" ? 443 : 80));
  for (const [name, step] of [
    ["DNS", () => resolveName(host)],
    ["TCP", () => openConnection(host, port, options.signal)],
  ] as const) {
    const finished = await timed(name, step);
    yield finished;
    if (finished.outcome === "failed") return;
  }
  if (target.protocol === "https:")
    yield await timed("TLS", () => checkCertificate(target, proxy !== undefined, options));
}

async function resolveName(host: string): Promise<Finding> {
  if (isIP(host) !== 0) return { outcome: "skipped", detail: `${host} is an address` };
  const addresses = await lookup(host, { all: true });
  return { outcome: "ok", detail: `${host} is ${addresses.map(({ address }) => address).join(", ")}` };
}

async function openConnection(host: string, port: number, signal: AbortSignal | undefined): Promise<Finding> {
  const socket = connectTcp({ host, port, signal, timeout: stepMs });
  try {
    await new Promise((resolve, reject) => {
      socket.once("connect", resolve).once("error", reject);
      socket.once("timeout", () =>
        reject(new Error(`no connection to ${host}:${port} within ${stepMs / 1000} s`)),
      );
    });
    return { outcome: "ok", detail: `${host}:${port} accepts connections` };
  } finally {
    socket.destroy();
  }
}

/** Shows the chain, and lets the connection that is really used decide whether it is trusted. */
async function checkCertificate(target: URL, proxied: boolean, options: RouteOptions): Promise<Finding> {
  const chain = proxied ? [] : await presentedChain(target, options.signal).catch(() => []);
  const shown = chain
    .map(({ subject, issuer, validTo }) => `${subject} by ${issuer}, valid to ${validTo}`)
    .join(" ← ");
  const http = new Http({ baseUrl: target.origin, dispatcher: options.dispatcher, timeoutMs: stepMs });
  const refusal = await http
    .reply({ method: "HEAD", path: "/", idempotent: false, signal: options.signal })
    .then(
      () => undefined,
      (error: unknown) => (error instanceof ApiError && error.status === undefined ? error : undefined),
    );
  const because = refusal?.detail ?? refusal?.message;
  return {
    outcome: refusal === undefined ? "ok" : "failed",
    detail: [because ?? "trusted", shown].filter((part) => part !== "").join("; "),
  };
}

/** Only reads what the server presents: nothing is sent, so nothing needs to be trusted. */
async function presentedChain(
  target: URL,
  signal: AbortSignal | undefined,
): Promise<readonly CertificateFacts[]> {
  signal?.throwIfAborted();
  const host = target.hostname.replace(/^\[|\]$/g, "");
  const servername = isIP(host) === 0 ? host : "";
  const port = Number(target.port || 443);
  const socket = connectTls({ host, port, servername, rejectUnauthorized: false, timeout: stepMs });
  const abort = () => socket.destroy();
  signal?.addEventListener("abort", abort);
  try {
    await new Promise((resolve, reject) => {
      socket
        .once("secureConnect", resolve)
        .once("error", reject)
        .once("timeout", reject)
        .once("close", reject);
    });
    return chainOf(socket);
  } finally {
    signal?.removeEventListener("abort", abort);
    socket.destroy();
  }
}

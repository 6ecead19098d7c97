/** Sends an event the way the platform does (docs/interface.md, "Webhook delivery"): up to four attempts with the same bytes. */

import { sleep } from "../poll.ts";
import { growingPause } from "../retry.ts";
import { sign, SIGNATURE_HEADERS, type WebhookDialect } from "./signature.ts";

/** What is sent, where to, and what it is signed with. */
export interface Delivery {
  /** A loopback address: see `receiverProblem`. */
  readonly url: string;
  readonly body: Uint8Array;
  /** Absent for a delivery without a signature. */
  readonly secret?: string | undefined;
  readonly dialect: WebhookDialect;
}

/** How one attempt ended. */
export interface DeliveryAttempt {
  /** From 1. */
  readonly attempt: number;
  /** The status of the answer; absent when there was none. */
  readonly status?: number;
  /** Why there was no answer. */
  readonly error?: string;
  readonly ms: number;
  /** The pause before the next attempt; absent when this was the last one. */
  readonly nextMs?: number;
}

/** Deadlines and pauses of the sender, in milliseconds. */
export interface DeliveryOptions {
  readonly signal?: AbortSignal | undefined;
  /** The pause after the first attempt, doubled after each further one; 1 s unless given. */
  readonly backoffMs?: number;
  /** For each attempt; 20 s unless given. */
  readonly timeoutMs?: number;
}

const mostAttempts = 4;

/** Makes attempts until one gets a 2xx answer, one is refused for good, or four were made; yields each. Throws only on abort. */
export async function* deliver(
  delivery: Delivery,
  { signal, backoffMs = 1000, timeoutMs = 20_000 }: DeliveryOptions = {},
): AsyncIterable<DeliveryAttempt> {
  for (let attempt = 1; ; attempt++) {
    signal?.throwIfAborted();
    const { status, error, ms } = await send(delivery, signal, timeoutMs);
    const facts = {
      attempt,
      ms,
      ...(status === undefined ? {} : { status }),
      ...(error === undefined ? {} : { error }),
    };
    if (!isRetried(status) || attempt === mostAttempts) {
      yield facts;
      return;
    }
    const nextMs = growingPause(attempt - 1, { firstMs: backoffMs, mostMs: Infinity });
    yield { ...facts, nextMs };
    await sleep(nextMs, signal);
  }
}

/** What keeps a sample event from being sent there, in words for the input box: only this machine gets one. */
export function receiverProblem(text: string): string | undefined {
  const url = URL.parse(text.trim());
  if (url === null || !/^https?:$/.test(url.protocol))
    return "Enter an address, for example http://127.0.0.1:8080/hook.";
  if (url.username !== "" || url.password !== "") return "Leave user name and password out of the address.";
  const loopback = /^(localhost|127(\.\d{1,3}){3}|\[::1\])$/i.test(url.hostname);
  return loopback
    ? undefined
    : "Sample events are only sent to this machine: use localhost, 127.0.0.1 or [::1].";
}

/** The rule of the platform itself (docs/interface.md, "Webhook delivery"), which counts 501, too. */
function isRetried(status: number | undefined): boolean {
  return status === undefined || status === 408 || status === 425 || status === 429 || status >= 500;
}

async function send(
  { url, body, secret, dialect }: Delivery,
  signal: AbortSignal | undefined,
  timeoutMs: number,
): Promise<{ status?: number; error?: string; ms: number }> {
  const { Client } = await import("../undici.ts");
  const { origin, pathname, search } = new URL(url);
  const client = new Client(origin);
  const started = performance.now();
  const ms = (): number => Math.round(performance.now() - started);
  const timeout = AbortSignal.timeout(timeoutMs);
  try {
    const { statusCode } = await client.request({
      method: "POST",
      path: pathname + search,
      headers: {
        "content-type": "application/json",
        "user-agent": "agent-operations",
        ...(secret === undefined ? {} : { [SIGNATURE_HEADERS[dialect]]: sign(secret, body) }),
      },
      body,
      signal: signal === undefined ? timeout : AbortSignal.any([signal, timeout]),
    });
    return { status: statusCode, ms: ms() };
  } catch (error) {
    signal?.throwIfAborted();
    if (timeout.aborted) return { error: `no answer within ${String(timeoutMs / 1000)} s`, ms: ms() };
    return { error: reasonOf(error), ms: ms() };
  } finally {
    await client.destroy();
  }
}

function reasonOf(error: unknown): string {
  const code = error instanceof Error && "code" in error ? String(error.code) : "";
  if (code === "ECONNREFUSED") return "nothing listens there";
  return error instanceof Error && error.message !== "" ? error.message : String(error) || code;
}

import { createHmac } from "node:crypto";
import { type AddressRules, ForbiddenAddressError } from "../kit/webhookAddress.ts";
import { post } from "../kit/webhookPost.ts";
import type { Subscriber } from "./webhooks.ts";

/** How deliveries are made. */
export interface DeliveryOptions extends AddressRules {
  /** How long one attempt may take from the connection to the answer's head. */
  readonly timeoutMs: number;
  /** The wait before the second attempt; it doubles with each further one. */
  readonly backoffMs: number;
}

/** How one attempt ended. */
export interface Attempt {
  readonly status: number | null;
  readonly error: string | null;
  /** Whether it may go better another time. */
  readonly retry: boolean;
}

/** The platform stops: an attempt in progress ends without a result. */
export class ShutdownError extends Error {
  override readonly name = "ShutdownError";

  constructor() {
    super("The Local Platform stopped during this attempt.");
  }
}

/** An attempt took longer than it may. */
class DeliveryTimeoutError extends Error {
  override readonly name = "DeliveryTimeoutError";

  constructor(milliseconds: number) {
    super(`The receiver did not answer within ${milliseconds / 1000} s.`);
  }
}

/** The documented limits of the platform. */
export const usualDelivery: DeliveryOptions = { timeoutMs: 20_000, backoffMs: 1000, allowPrivate: false };

/** The value of `X-Service-Signature` for the exact bytes of a body. */
function signature(secret: string, body: Buffer): string {
  return `sha256=${createHmac("sha256", secret).update(body).digest("hex")}`;
}

/** Whether a status says that the receiver has taken the event. */
export function succeeded(status: number | null): boolean {
  return status !== null && status >= 200 && status < 300;
}

/**
 * Makes one attempt to deliver a body; decided by the status of the answer alone, whose body is ignored. Rejects
 * only with the reason of the signal.
 */
export async function deliver(
  subscriber: Subscriber,
  body: Buffer,
  options: DeliveryOptions,
  signal: AbortSignal,
): Promise<Attempt> {
  const timeout = new AbortController();
  const timer = setTimeout(
    () => timeout.abort(new DeliveryTimeoutError(options.timeoutMs)),
    options.timeoutMs,
  );
  const either = AbortSignal.any([signal, timeout.signal]);
  try {
    const headers = headersOf(subscriber, body);
    const status = await post(subscriber.url, { headers, body, rules: options, signal: either });
    return { status, error: statusError(status), retry: isTransient(status) };
  } catch (error) {
    signal.throwIfAborted();
    const thrown = error instanceof Error ? error : new Error(String(error));
    return { status: null, error: describe(thrown), retry: !(thrown instanceof ForbiddenAddressError) };
  } finally {
    clearTimeout(timer);
  }
}

/** The subscriber's own headers, except those that are not the subscriber's to choose. */
function headersOf(subscriber: Subscriber, body: Buffer): Record<string, string> {
  const ours: Record<string, string> = {
    "Content-Type": "application/json",
    "Content-Length": String(body.length),
    "X-Service-Signature": signature(subscriber.signingSecret, body),
  };
  const reserved = new Set([...Object.keys(ours), "Host", "Connection", "Transfer-Encoding"].map(lower));
  const theirs = Object.entries(subscriber.headers).filter(([name]) => !reserved.has(lower(name)));
  return { "User-Agent": "agent-operations-local-platform", ...Object.fromEntries(theirs), ...ours };
}

function lower(name: string): string {
  return name.toLowerCase();
}

function isTransient(status: number): boolean {
  return status === 408 || status === 425 || status === 429 || status >= 500;
}

function statusError(status: number): string | null {
  if (succeeded(status)) return null;
  const finality = isTransient(status) ? "" : ", which is final";
  return `The receiver answered ${status}${finality}.`;
}

function describe(error: Error): string {
  if (error.message !== "") return error.message;
  // A host with several addresses fails with one error for each of them.
  return error instanceof AggregateError ? error.errors.map(String).join("; ") : error.name;
}

/** The one error of the platform's interfaces: what failed, where, and what the server said. */

/** What went wrong, as far as it decides what a person does next. */
export type ErrorKind =
  | "dns"
  | "refused"
  | "unreachable"
  | "tls"
  | "proxy"
  | "timeout"
  | "aborted"
  | "redirected"
  | "unauthorized"
  | "forbidden"
  | "missingPermission"
  | "notFound"
  | "unsupported"
  | "conflict"
  | "invalid"
  /** The request is too large; for an answer see "answerTooLarge". */
  | "tooLarge"
  | "answerTooLarge"
  | "rateLimited"
  | "server"
  | "notJson"
  | "malformed"
  | "cut"
  | "runFailed";

/** One field that the server refused, as in a 422 body (docs/interface.md, "Validation error body"). */
export interface FieldError {
  readonly loc: readonly (string | number)[];
  readonly msg: string;
  readonly type: string;
}

/** What an ApiError is made of. */
export interface ApiErrorFacts {
  readonly method: string;
  /** Stored masked: without query values, user info and feedback tokens. */
  readonly url: string;
  readonly status?: number | undefined;
  readonly requestId?: string | undefined;
  /** The permission a 403 names. */
  readonly permission?: string | undefined;
  readonly fields?: readonly FieldError[] | undefined;
  readonly retryAfterMs?: number | undefined;
  /** One line: what the server or the network stack said. */
  readonly detail?: string | undefined;
  readonly cause?: unknown;
}

/**
 * A call that failed, whatever the reason: network, HTTP status, or an answer that isn't what it should be. The answer's
 * body is no part of it, since servers repeat in it what they were sent.
 */
export class ApiError extends Error {
  override readonly name = "ApiError";
  readonly kind: ErrorKind;
  readonly method: string;
  readonly url: string;
  readonly status: number | undefined;
  readonly requestId: string | undefined;
  readonly permission: string | undefined;
  readonly fields: readonly FieldError[] | undefined;
  readonly retryAfterMs: number | undefined;
  readonly detail: string | undefined;

  constructor(kind: ErrorKind, facts: ApiErrorFacts) {
    const url = maskUrl(facts.url);
    const what = [facts.status, facts.detail].filter((part) => part !== undefined).join(" ");
    super(`${facts.method} ${url}: ${what === "" ? kind : what}`, { cause: facts.cause });
    this.kind = kind;
    this.method = facts.method;
    this.url = url;
    this.status = facts.status;
    this.requestId = facts.requestId;
    this.permission = facts.permission;
    this.fields = facts.fields;
    this.retryAfterMs = facts.retryAfterMs;
    this.detail = facts.detail;
  }
}

/** Whether the server did not say what came of a request: it gave no answer, or one that blames itself. */
export function isUnanswered({ status }: ApiError): boolean {
  return status === undefined || status === 408 || status >= 500;
}

/** Whether what was asked for may have been done, though the call failed: the request left, and no answer to it was read. */
export function mayBeDone(error: unknown): boolean {
  if (!(error instanceof ApiError) || neverSent.has(error.kind)) return false;
  return isUnanswered(error) || (error.status ?? 0) < 300;
}

const neverSent: ReadonlySet<ErrorKind> = new Set(["dns", "refused", "tls", "proxy"]);

/** Whether a call failed because there is no such thing (any more). */
export function isGone(error: unknown): boolean {
  return error instanceof ApiError && error.kind === "notFound";
}

/** For `catch`: undefined where there is no such thing (any more); throws every other error. */
export function unlessGone(error: unknown): undefined {
  if (!isGone(error)) throw error;
}

/** The URL without anything that authorizes: query values, user info, feedback tokens. */
export function maskUrl(text: string): string {
  if (!URL.canParse(text)) return text.replace(/\?.*$/s, "");
  const url = new URL(text);
  const names = [...new Set(url.searchParams.keys())];
  const path = url.pathname.replace(/(\/feedback\/tokens\/)[^/]+/, "$1***");
  return url.origin + path + (names.length === 0 ? "" : `?${names.join("&")}`);
}

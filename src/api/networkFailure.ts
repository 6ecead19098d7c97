/** What the network stack throws, as ApiError. */

import { ApiError, type ErrorKind } from "./errors.ts";

/** The TLS peer was not accepted; carries what its certificate says. */
export class TlsError extends Error {
  override readonly name = "TlsError";
  readonly code: string;

  constructor(code: string, message: string, cause?: unknown) {
    super(message, { cause });
    this.code = code;
  }
}

/** The proxy could not be used; `message` names it without credentials. */
export class ProxyError extends Error {
  override readonly name = "ProxyError";
}

/** The bytes are no event stream; the message is the first line that is none, or what was too large. */
export class SseError extends Error {
  override readonly name = "SseError";
}

/** Which call failed, and when. */
export interface FailedCall {
  readonly method: string;
  readonly url: string;
  /** Whether the answer's head had arrived: then a broken connection is a cut. */
  readonly answered?: boolean;
  /** What could have aborted the call. */
  readonly signal?: AbortSignal | undefined;
}

/** The failure as an ApiError; an ApiError stays what it is. */
export function errorOfFailure(failure: unknown, call: FailedCall): ApiError {
  if (failure instanceof ApiError) return failure;
  const cause = failure instanceof Error ? failure : new Error(String(failure));
  const reason: unknown = call.signal?.aborted === true ? call.signal.reason : undefined;
  const aborted = reason !== undefined && !(reason instanceof Error && reason.name === "TimeoutError");
  return new ApiError(aborted ? "aborted" : kindOf(cause, call.answered ?? false), {
    method: call.method,
    url: call.url,
    detail: detailOf(cause),
    cause,
  });
}

const kinds: Readonly<Record<string, ErrorKind>> = {
  ENOTFOUND: "dns",
  EAI_AGAIN: "dns",
  ECONNREFUSED: "refused",
  ETIMEDOUT: "timeout",
  UND_ERR_CONNECT_TIMEOUT: "timeout",
  UND_ERR_HEADERS_TIMEOUT: "timeout",
  UND_ERR_BODY_TIMEOUT: "timeout",
  UND_ERR_ABORTED: "aborted",
  ABORT_ERR: "aborted",
  UND_ERR_INVALID_ARG: "invalid",
};

function kindOf(cause: Error, answered: boolean): ErrorKind {
  if (cause instanceof ProxyError) return "proxy";
  if (cause instanceof TlsError) return "tls";
  if (cause instanceof SseError) return "malformed";
  if (cause.name === "TimeoutError") return "timeout";
  if (cause.name === "AbortError") return "aborted";
  const code = codeOf(cause);
  // Another protocol answers: https where http was expected, or the other way round.
  if (/^HPE_|WRONG_VERSION_NUMBER|PACKET_LENGTH_TOO_LONG/.test(code)) return "malformed";
  if (/^(ERR_TLS|ERR_SSL|EPROTO|CERT_|UNABLE_TO|SELF_SIGNED|DEPTH_ZERO)/.test(code)) return "tls";
  return kinds[code] ?? (answered ? "cut" : "unreachable");
}

function codeOf(cause: Error): string {
  return "code" in cause && typeof cause.code === "string" ? cause.code : "";
}

/** One line. */
function detailOf(cause: Error): string {
  if (/WRONG_VERSION_NUMBER|PACKET_LENGTH_TOO_LONG/.test(codeOf(cause))) return "no TLS is spoken there";
  const message =
    cause instanceof AggregateError && cause.message === ""
      ? cause.errors.map((each) => (each instanceof Error ? each.message : String(each))).join("; ")
      : cause.message;
  return message.trim().split(/\r?\n/, 1)[0] || cause.name;
}

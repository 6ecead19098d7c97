import type { ContentfulStatusCode } from "hono/utils/http-status";

/** One entry of a 422 body. */
export interface ValidationIssue {
  readonly loc: readonly (string | number)[];
  readonly msg: string;
  readonly type: string;
  readonly input?: unknown;
}

/** An answer that is an error: its status, the `detail` of its body, and its `code` where bodies have one. */
export class HttpError extends Error {
  override readonly name = "HttpError";
  readonly status: ContentfulStatusCode;
  readonly detail: string | readonly ValidationIssue[];
  readonly code: string | undefined;

  constructor(status: ContentfulStatusCode, detail: string | readonly ValidationIssue[], code?: string) {
    super(typeof detail === "string" ? detail : detail.map(({ msg }) => msg).join("; "));
    this.status = status;
    this.detail = detail;
    this.code = code;
  }
}

/** The value, which must be there: else a 404. */
export function required<Value>(value: Value | undefined, detail: string, code?: string): Value {
  if (value === undefined) throw new HttpError(404, detail, code);
  return value;
}

/** A 422 about one wrong value of a request. */
export function wrongValue(loc: ValidationIssue["loc"], msg: string, input?: unknown): HttpError {
  return new HttpError(422, [{ loc, msg, type: "value_error", ...(input === undefined ? {} : { input }) }]);
}

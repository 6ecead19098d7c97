import type { ContentfulStatusCode } from "hono/utils/http-status";

/** One entry of a 422 body. */
export interface ValidationIssue {
  readonly loc: readonly (string | number)[];
  readonly msg: string;
  readonly type: string;
  readonly input?: unknown;
}

/** An answer that is an error: its status, and the `detail` of its body. */
export class HttpError extends Error {
  override readonly name = "HttpError";
  readonly status: ContentfulStatusCode;
  readonly detail: string | readonly ValidationIssue[];

  constructor(status: ContentfulStatusCode, detail: string | readonly ValidationIssue[]) {
    super(typeof detail === "string" ? detail : detail.map(({ msg }) => msg).join("; "));
    this.status = status;
    this.detail = detail;
  }
}

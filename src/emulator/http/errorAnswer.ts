import type { Context } from "hono";
import type { ContentfulStatusCode } from "hono/utils/http-status";
import type { Env } from "./env.ts";
import { HttpError, type ValidationIssue } from "../kit/httpError.ts";
import type { Operation } from "./route.ts";

/**
 * The answer for an error, in the form of the interface that was asked (docs/interface.md, "Errors"): `{type, code, detail,
 * status}` from the managed agents, `{detail}` from all others. An unexpected error is logged and a 500.
 */
export function errorAnswer(error: Error, c: Context<Env>): Response {
  if (error instanceof HttpError) {
    return isManaged(c) ? structured(c, error) : c.json({ detail: error.detail }, error.status);
  }
  console.error(`${c.req.method} ${c.req.path}:`, error);
  return errorAnswer(new HttpError(500, "Internal Server Error"), c);
}

/** The answer for a path that is not served. */
export function notFoundAnswer(c: Context<Env>): Response {
  return errorAnswer(new HttpError(404, "Not Found"), c);
}

const codes: Readonly<Record<number, string>> = {
  400: "bad_request",
  404: "not_found",
  409: "conflict",
  413: "request_too_large",
  500: "internal_error",
  502: "upstream_error",
  503: "unavailable",
};

function isManaged(c: Context<Env>): boolean {
  return c.req.path === "/v1/managed" || c.req.path.startsWith("/v1/managed/");
}

function structured(c: Context<Env>, error: HttpError): Response {
  const { detail } = error;
  if (typeof detail !== "string") {
    const [code, status] = verdict(detail, c.get("operation"));
    const text = detail.map(({ loc, msg }) => `${loc.join(".")}: ${msg}`).join("; ");
    return c.json({ type: `/errors/${code}`, code, detail: text, status, errors: detail }, status);
  }
  const code = error.code ?? codes[error.status] ?? "invalid_request";
  return c.json({ type: `/errors/${code}`, code, detail, status: error.status }, error.status);
}

/**
 * 400 for what is no JSON object or lacks a field; 422 for a wrong value, or 400 where the operation declares no 422.
 */
function verdict(
  issues: readonly ValidationIssue[],
  operation: Operation | undefined,
): [code: string, status: ContentfulStatusCode] {
  if (issues.some(({ loc }) => loc.length === 1 && loc[0] === "body")) return ["invalid_request_body", 400];
  if (issues.every(({ type }) => type === "missing")) return ["missing_required_field", 400];
  const processed = operation === undefined || 422 in operation.answers;
  return processed ? ["validation_failed", 422] : ["invalid_request", 400];
}

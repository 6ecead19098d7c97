/** Answers and requests that hold secrets: when something is wrong with them, the error keeps none of the body. */

import { ApiError } from "../errors.ts";
import type { Http, HttpRequest } from "../http.ts";

/** The JSON of an answer; throws ApiError without a body, also when `accept` does not take the answer. */
export async function secretJson<T>(http: Http, request: HttpRequest): Promise<T> {
  const { accept, ...rest } = request;
  const { status, text } = await http.reply(rest).catch((error: unknown) => {
    throw error instanceof ApiError ? withoutBody(error) : error;
  });
  const value = parsed(text);
  if (value !== undefined && accept?.(value) !== false) return value as T;
  throw new ApiError("malformed", {
    method: request.method,
    url: http.baseUrl + request.path,
    status,
    detail: "answered with JSON of an unexpected shape",
  });
}

/** Servers may repeat what they were sent in what they refuse. */
function withoutBody(error: ApiError): ApiError {
  const { kind, method, url, status, requestId, permission, fields, retryAfterMs, detail, cause } = error;
  const facts = { method, url, status, requestId, permission, fields, retryAfterMs, detail, cause };
  return new ApiError(kind, facts);
}

function parsed(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}

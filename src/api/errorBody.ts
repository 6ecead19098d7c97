/** The error bodies that the platform's interfaces send (docs/interface.md, "Errors"), all as one ApiError. */

import { isObject, parseJson } from "./shape.ts";
import { retryAfterMs } from "./retry.ts";
import { ApiError, type ErrorKind, type FieldError } from "./errors.ts";

/** An answer whose status is no success. */
export interface FailedReply {
  readonly method: string;
  readonly url: string;
  readonly status: number;
  readonly headers: Readonly<Record<string, string>>;
  readonly text: string;
}

/** Understands 422 `detail[]`, `{detail}`, `{error}`, `{message}`, validator issues, plain text and HTML. */
export function errorOfReply(reply: FailedReply): ApiError {
  const { method, url, status, headers, text } = reply;
  const said = read(text);
  const permission =
    status === 403 ? /missing permission:?\s+["'`]?([\w:.-]*\w)/i.exec(said.detail ?? "")?.[1] : undefined;
  return new ApiError(permission === undefined ? kindOf(status, said.detail) : "missingPermission", {
    method,
    url,
    status,
    permission,
    requestId: requestIdOf(headers),
    retryAfterMs: retryAfterMs(headers["retry-after"]),
    fields: said.fields,
    detail: status === 407 ? `it answered 407 ${said.detail ?? ""}`.trim() : said.detail,
  });
}

/** The id under which the server, or a gateway before it, logged the request. */
export function requestIdOf(headers: Readonly<Record<string, string>>): string | undefined {
  return headers["x-request-id"] ?? headers["request-id"] ?? headers["x-amzn-requestid"] ?? headers["cf-ray"];
}

/** What an answer's body says, in one line; undefined when it says nothing. */
export function detailIn(body: string): string | undefined {
  return read(body).detail;
}

/** The text inside however many layers of JSON strings and error objects a server wrapped it in. */
export function unwrapMessage(value: unknown): string | undefined {
  if (typeof value === "string") {
    const inner = /^\s*["{]/.test(value) ? parseJson(value) : undefined;
    return (inner === undefined ? undefined : unwrapMessage(inner)) ?? value;
  }
  if (!isObject(value)) return undefined;
  const { detail, message, error, title } = value;
  return unwrapMessage(detail) ?? unwrapMessage(message) ?? unwrapMessage(error) ?? unwrapMessage(title);
}

const longestDetail = 1000;

interface ReplyText {
  readonly detail?: string | undefined;
  readonly fields?: readonly FieldError[] | undefined;
}

function read(body: string): ReplyText {
  const trimmed = body.trim();
  if (trimmed === "") return {};
  if (trimmed.startsWith("<")) return { detail: htmlTitle(trimmed) };
  const value = parseJson(trimmed);
  if (value === undefined) return { detail: firstLine(trimmed) };
  const fields = fieldsOf(value);
  if (fields.length === 0) {
    const message = unwrapMessage(value);
    return { detail: message === undefined ? firstLine(trimmed) : oneLine(message) };
  }
  const said = fields.map(({ loc, msg }) => (loc.length === 0 ? msg : `${loc.join(".")}: ${msg}`));
  return { fields, detail: oneLine(said.join("; ")) };
}

/** `detail[]` as in the specification, or the issues of a schema validator. */
function fieldsOf(body: unknown): readonly FieldError[] {
  if (!isObject(body)) return [];
  const error = isObject(body["error"]) ? body["error"] : {};
  const list = [body["detail"], body["errors"], body["issues"], error["issues"], error["details"]].find(
    Array.isArray,
  );
  return (list ?? []).filter(isObject).map((issue) => ({
    loc: locOf(issue["loc"] ?? issue["path"]),
    msg: text(issue["msg"]) ?? text(issue["message"]) ?? "is not valid",
    type: text(issue["type"]) ?? text(issue["code"]) ?? "invalid",
  }));
}

function text(value: unknown): string | undefined {
  return typeof value === "string" ? value : undefined;
}

function locOf(loc: unknown): readonly (string | number)[] {
  const list = Array.isArray(loc) ? loc : loc === undefined ? [] : [loc];
  return list.filter((part): part is string | number => typeof part === "string" || typeof part === "number");
}

function kindOf(status: number, detail: string | undefined): ErrorKind {
  const known = kinds.get(status);
  if (known !== undefined) return known;
  if (status >= 500) return "server";
  return /already running a task|thread is busy/i.test(detail ?? "") ? "conflict" : "invalid";
}

const kinds: ReadonlyMap<number, ErrorKind> = new Map([
  [401, "unauthorized"],
  [403, "forbidden"],
  [404, "notFound"],
  [407, "proxy"],
  [408, "timeout"],
  [409, "conflict"],
  [410, "notFound"],
  [413, "tooLarge"],
  [429, "rateLimited"],
  [504, "timeout"],
]);

function htmlTitle(page: string): string {
  const title = (/<title[^<>]*>([^<]*)<\/title>/i.exec(page)?.[1] ?? "").trim();
  return title === "" ? "answered with an HTML page" : `answered with an HTML page: ${firstLine(title)}`;
}

function firstLine(text: string): string {
  return (text.split(/\r?\n/, 1)[0] ?? "").slice(0, 300);
}

/** A message of several lines, such as a traceback, in one; cut where it is long. */
function oneLine(text: string): string {
  const line = text.replace(/\s+/g, " ").trim();
  return line.length > longestDetail ? `${line.slice(0, longestDetail)}…` : line;
}

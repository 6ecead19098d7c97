import type { Context } from "hono";
import type { z } from "zod";
import type { Env } from "./env.ts";
import type { Operation } from "./route.ts";
import { HttpError } from "../kit/httpError.ts";
import { isUuid } from "../kit/ids.ts";
import { isDeeperThan, isObject } from "../kit/json.ts";

const maxBytes = 10 * 1024 * 1024;
const maxDepth = 100;

/** The request's JSON body in the form of the schema; no body counts as `{}`. Throws 413 and 422. */
export async function readBody<Schema extends z.ZodType>(
  c: Context<Env>,
  schema: Schema,
): Promise<z.output<Schema>> {
  requireDescribed(c.get("operation"), "body", schema);
  const text = await readText(c);
  return check("body", text.trim() === "" ? {} : parse(text), schema);
}

/** The request's query in the form of the schema. Throws 422. */
export function readQuery<Schema extends z.ZodType>(c: Context<Env>, schema: Schema): z.output<Schema> {
  requireDescribed(c.get("operation"), "query", schema);
  return check("query", c.req.query(), schema);
}

/** A path parameter that must be a UUID. Throws 422. */
export function readId(c: Context<Env>, name: string): string {
  const id = c.req.param(name) ?? "";
  if (isUuid(id)) return id.toLowerCase();
  throw new HttpError(422, [
    { loc: ["path", name], msg: "Input should be a valid UUID", type: "uuid_parsing", input: id },
  ]);
}

/** A route must check what it says that it checks. */
function requireDescribed(operation: Operation | undefined, part: "body" | "query", schema: z.ZodType): void {
  if (operation !== undefined && operation[part] !== schema) {
    throw new Error(`"${operation.summary}" describes another ${part} than it reads.`);
  }
}

async function readText(c: Context<Env>): Promise<string> {
  const chunks: Buffer[] = [];
  let bytes = 0;
  try {
    for await (const chunk of c.env.incoming as AsyncIterable<Buffer>) {
      bytes += chunk.length;
      // The rest is read and dropped, so that the client gets to see the answer.
      if (bytes <= maxBytes) chunks.push(chunk);
      else if (bytes > 20 * maxBytes) c.env.incoming.destroy();
    }
  } catch (error) {
    if (c.env.incoming.complete) throw error;
    throw new HttpError(400, "The body ended before its end: the client has gone.");
  }
  if (bytes > maxBytes) throw new HttpError(413, `The body is larger than ${maxBytes} bytes.`);
  return Buffer.concat(chunks).toString("utf8");
}

function parse(text: string): unknown {
  let value: unknown;
  try {
    value = JSON.parse(text);
  } catch (error) {
    // Only the position: the engine's words quote the body, which may hold a secret.
    const at = / at position \d+ \(line \d+ column \d+\)$/.exec(String(error))?.[0] ?? "";
    throw new HttpError(422, [{ loc: ["body"], msg: `JSON decode error${at}`, type: "json_invalid" }]);
  }
  if (isDeeperThan(value, maxDepth)) {
    const msg = `The body nests deeper than ${maxDepth} levels.`;
    throw new HttpError(422, [{ loc: ["body"], msg, type: "too_deep" }]);
  }
  return value;
}

function check<Schema extends z.ZodType>(part: string, value: unknown, schema: Schema): z.output<Schema> {
  const parsed = schema.safeParse(value);
  if (parsed.success) return parsed.data;
  throw new HttpError(
    422,
    parsed.error.issues.map((issue) => {
      const path = issue.path.map((key) => (typeof key === "symbol" ? String(key) : key));
      const loc = [part, ...path];
      const input = at(value, path);
      if (input === undefined) return { loc, msg: "Field required", type: "missing", input: null };
      const shown = path.some(isSecretName) ? "***" : withoutSecrets(input);
      return { loc, msg: issue.message, type: issue.code, input: shown };
    }),
  );
}

function at(value: unknown, path: readonly (string | number)[]): unknown {
  let current = value;
  for (const key of path) {
    if (Array.isArray(current)) current = (current as unknown[])[Number(key)];
    else current = isObject(current) ? current[key] : undefined;
  }
  return current;
}

const secretNames = new Set([
  "secrets",
  "credentials",
  "headers",
  "api_key",
  "authorization",
  "client_secret",
  "secret_access_key",
  "session_token",
  "signing_secret",
  "token",
]);

/** Whether a member of a request holds what no answer may repeat. */
function isSecretName(name: unknown): boolean {
  return typeof name === "string" && secretNames.has(name.toLowerCase());
}

/** The value with everything masked that is held under the name of a secret. */
function withoutSecrets(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(withoutSecrets);
  if (!isObject(value)) return value;
  return Object.fromEntries(
    Object.entries(value).map(([name, member]) => [
      name,
      isSecretName(name) ? "***" : withoutSecrets(member),
    ]),
  );
}

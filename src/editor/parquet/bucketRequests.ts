/**
 * Requests of the S3 client: made and signed in the process that reads the file, and sent by the host, by the editor's
 * proxy and certificates as all others are.
 */

import { Readable } from "node:stream";
import type { S3ClientConfig } from "@aws-sdk/client-s3";
import type { Dispatcher } from "undici";
import { mostBytes } from "../../table/bounds.ts";

/** A request as it leaves. */
export interface BucketRequest {
  readonly origin: string;
  /** With the query. */
  readonly path: string;
  readonly method: Dispatcher.HttpMethod;
  readonly headers: Readonly<Record<string, string>>;
  readonly body: string | Uint8Array | null;
}

/** What came back, or why nothing did. */
export type BucketAnswer =
  | {
      readonly status: number;
      readonly headers: Readonly<Record<string, string>>;
      readonly body: Uint8Array;
    }
  | { readonly problem: string };

const answerTimeoutMs = 30_000;

/** Sends a request, in the host. */
export async function sendBucketRequest(
  dispatcher: Dispatcher,
  request: BucketRequest,
): Promise<BucketAnswer> {
  try {
    const timeouts = { headersTimeout: answerTimeoutMs, bodyTimeout: answerTimeoutMs };
    const { statusCode, headers, body } = await dispatcher.request({ ...request, ...timeouts });
    const parts: Uint8Array[] = [];
    let length = 0;
    for await (const part of body as AsyncIterable<Uint8Array>) {
      length += part.length;
      if (length > mostBytes) throw new Error("the answer is larger than any part of a file");
      parts.push(part);
    }
    const texts: Record<string, string> = {};
    for (const [name, value] of Object.entries(headers)) texts[name] = String(value);
    return { status: statusCode, headers: texts, body: Buffer.concat(parts) };
  } catch (error) {
    return { problem: error instanceof Error ? error.message : String(error) };
  }
}

type Handler = Extract<NonNullable<S3ClientConfig["requestHandler"]>, { handle: unknown }>;

/** What the client hands over, as far as it is looked at. */
interface ClientRequest extends Omit<BucketRequest, "origin" | "body"> {
  readonly protocol: string;
  readonly hostname: string;
  readonly port?: number;
  readonly query?: Readonly<Record<string, string | readonly string[] | null>>;
  readonly body?: string | Uint8Array;
}

/** What the client sends its requests by, in the process that reads the file. */
export function requestHandler(send: (request: BucketRequest) => Promise<BucketAnswer>): Handler {
  return {
    // By it the clients that fetch credentials know that they may use it, too.
    metadata: { handlerProtocol: "http/1.1" },
    handle: async ({ protocol, hostname, port, path, query, method, headers, body }: ClientRequest) => {
      const answer = await send({
        origin: `${protocol}//${hostname}${port === undefined ? "" : `:${String(port)}`}`,
        path: path + queryText(query),
        ...{ method, headers, body: body ?? null },
      });
      if ("problem" in answer) throw new Error(answer.problem);
      const { status: statusCode, headers: received } = answer;
      return { response: { statusCode, headers: received, body: Readable.from([answer.body]) } };
    },
    updateHttpClientConfig: () => undefined,
    httpHandlerConfigs: () => ({}),
  };
}

/** The query as it was signed. */
function queryText(query: ClientRequest["query"]): string {
  const parts = Object.entries(query ?? {}).flatMap(([name, value]) =>
    (Array.isArray(value) ? value : [value]).map((one) => {
      return one === null ? escaped(name) : `${escaped(name)}=${escaped(String(one))}`;
    }),
  );
  return parts.length === 0 ? "" : `?${parts.join("&")}`;
}

/** More is escaped than `encodeURIComponent` does, as the signature is made of it. */
function escaped(text: string): string {
  return encodeURIComponent(text).replace(/[!'()*]/g, (sign) => {
    return `%${sign.charCodeAt(0).toString(16).toUpperCase()}`;
  });
}

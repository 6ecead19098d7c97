/** Recorded exchanges of an interface, served one at a time to a client that must ask exactly for them. */

import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { Http } from "../../../src/api/http.ts";
import { serve } from "../../support/testServer.ts";
import type { Asked } from "../../support/testServer.ts";

/** One request of an interface and its answer, in `test/fixtures/wire/<noun>/<name>.json`. */
export interface WireExchange {
  /** Method and path as they are specified. */
  readonly pair: string;
  readonly request: {
    /** With its query. */
    readonly path: string;
    /** Those that matter; names in lower case. */
    readonly headers?: Readonly<Record<string, string>>;
    /** Absent when none is sent. */
    readonly body?: unknown;
  };
  readonly response: {
    readonly status: number;
    readonly headers?: Readonly<Record<string, string>>;
    readonly body?: unknown;
    /** In place of a JSON body. */
    readonly text?: string;
  };
}

export function readExchange(noun: string, name: string): WireExchange {
  const file = join(import.meta.dirname, "../../fixtures/wire", noun, `${name}.json`);
  return JSON.parse(readFileSync(file, "utf8")) as WireExchange;
}

/** What `call` made of the recorded answer, once its one request was the recorded one. */
export async function play<T>(exchange: WireExchange, call: (http: Http) => Promise<T>): Promise<T> {
  const { status, headers, body, text } = exchange.response;
  await using server = await serve(() => ({
    status,
    ...(headers !== undefined && { headers: { ...headers } }),
    body: text ?? (body === undefined ? "" : JSON.stringify(body)),
  }));
  const key = () => Promise.resolve({ "x-api-key": "test-key" });
  const outcome = await call(new Http({ baseUrl: server.url, headers: key }));
  assert.equal(server.asked.length, 1);
  assertAsked(server.asked[0], exchange);
  return outcome;
}

function assertAsked(asked: Asked | undefined, { pair, request }: WireExchange): void {
  assert.ok(asked);
  assert.equal(asked.method, pair.split(" ")[0]);
  assert.equal(asked.url, request.path);
  assert.equal(asked.headers["x-api-key"], "test-key");
  for (const [name, value] of Object.entries(request.headers ?? {})) {
    assert.equal(asked.headers[name], value);
  }
  assert.deepEqual(asked.body === "" ? undefined : JSON.parse(asked.body), request.body);
}

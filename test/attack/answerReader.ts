/** Asks for an answer that may be too much, in a process of its own. */

import { ApiError } from "../../src/api/errors.ts";
import { Http } from "../../src/api/http.ts";

export interface AskedAnswer {
  readonly url: string;
  /** Whether an event stream is asked for. */
  readonly stream: boolean;
}

export interface AnswerReport {
  /** The kind of the error, or "value". */
  readonly kind: string;
}

export async function readAnswer({ url, stream }: AskedAnswer): Promise<AnswerReport> {
  const http = new Http({ baseUrl: url });
  const request = { method: "GET", path: "/answer" } as const;
  try {
    await (stream ? http.stream(request) : http.json(request));
    return { kind: "value" };
  } catch (error) {
    if (!(error instanceof ApiError)) throw error;
    return { kind: error.kind };
  }
}

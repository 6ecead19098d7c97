import assert from "node:assert/strict";
import { Agent } from "undici";
import { ApiError } from "../../../src/api/errors.ts";

/** A call that only reads. */
export const get = { method: "GET", path: "/x" } as const;

/** A call that changes something. */
export const post = { method: "POST", path: "/x", body: {} } as const;

/** How a call failed. */
export async function failure(promise: Promise<unknown>): Promise<ApiError> {
  return promise.then(
    () => assert.fail("did not fail"),
    (error: unknown) => (error instanceof ApiError ? error : assert.fail(String(error))),
  );
}

/** Reaches nothing, and counts how often it was asked to. */
export class FailingAgent extends Agent {
  asked = 0;
  readonly #cause: Error;

  constructor(cause: Error) {
    super();
    this.#cause = cause;
  }

  override request(): Promise<never> {
    this.asked += 1;
    return Promise.reject(this.#cause);
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await this.close();
  }
}

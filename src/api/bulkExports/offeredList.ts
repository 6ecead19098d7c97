/** A list that not every service publishes. */

import { isList } from "../shape.ts";
import type { CallOptions } from "../callOptions.ts";
import { ApiError } from "../errors.ts";
import type { Http } from "../http.ts";

/** One list of a service, which may turn out not to be there. */
export class OfferedList<Item> {
  readonly #http: Http;
  readonly #path: string;
  #missing = false;

  constructor(http: Http, path: string) {
    this.#http = http;
    this.#path = path;
  }

  /** Everything in it; undefined where the service has no such list, which it is asked only once. */
  async all({ signal }: CallOptions = {}): Promise<readonly Item[] | undefined> {
    if (this.#missing) return undefined;
    try {
      return await this.#http.json({ method: "GET", path: this.#path, signal, accept: isList });
    } catch (error) {
      if (!isMissing(error)) throw error;
      this.#missing = true;
      return undefined;
    }
  }
}

/** Whether the service has no such endpoint (404, 405 or 501): not all of them are published. */
export function isMissing(error: unknown): boolean {
  return error instanceof ApiError && [404, 405, 501].includes(error.status ?? 0);
}

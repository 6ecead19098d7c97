/** Destinations of bulk exports (docs/interface.md, "Bulk-export destinations"). */

import { hasText, isList } from "../shape.ts";
import { saysUnsupported } from "../capabilities.ts";
import { path } from "../http.ts";
import type { CallOptions, Http } from "../http.ts";
import type { Credentials, Destination, DestinationCreate } from "./wire.ts";

const root = "/api/v1/bulk-exports/destinations";
/** Both calls that write wait for a test write into the bucket. */
const testWriteDeadlineMs = 120_000;

/** The destinations of one workspace. */
export class Destinations {
  readonly #http: Http;

  constructor(http: Http) {
    this.#http = http;
  }

  /** Every destination; undefined where the service has no list, which it is asked only once. */
  async list({ signal }: CallOptions = {}): Promise<readonly Destination[] | undefined> {
    return this.#http.capabilities.tryAsk("list of destinations", () =>
      this.#http.json({ method: "GET", path: root, signal, accept: isList }),
    );
  }

  /** One destination; undefined where the service can't be asked for one, or has it no more. */
  async get(id: string, { signal }: CallOptions = {}): Promise<Destination | undefined> {
    try {
      const found = root + path`/${id}`;
      return await this.#http.json({ method: "GET", path: found, signal, accept: hasText("id") });
    } catch (error) {
      if (saysUnsupported(error)) return undefined;
      throw error;
    }
  }

  /** Makes a destination after a test write into its bucket; read a refusal with `bulkExportFailure`. */
  async create(body: DestinationCreate, { signal }: CallOptions = {}): Promise<Destination> {
    return this.#http.json({
      method: "POST",
      path: root,
      body,
      signal,
      timeoutMs: testWriteDeadlineMs,
      accept: hasText("id"),
    });
  }

  /** Replaces the credentials and nothing else, after a test write with the new ones. */
  async rotate(id: string, credentials: Credentials, { signal }: CallOptions = {}): Promise<Destination> {
    return this.#http.json({
      method: "PATCH",
      path: root + path`/${id}`,
      body: { credentials },
      signal,
      timeoutMs: testWriteDeadlineMs,
      accept: hasText("id"),
    });
  }
}

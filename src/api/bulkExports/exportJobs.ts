/** Export jobs, schedules of them, and the runs they consist of; not every service has them. */

import { hasText, isList } from "../shape.ts";
import { type CallOptions, type Http, path } from "../http.ts";
import type { BulkExport, BulkExportRun, ExportCreate } from "./bulkExport.ts";

const root = "/api/v1/bulk-exports";

/** The export jobs of one workspace; each call throws an ApiError when it fails. */
export class ExportJobs {
  readonly #http: Http;

  constructor(http: Http) {
    this.#http = http;
  }

  /** Every job and schedule; undefined where the service has none to list, which it is asked only once. */
  async list({ signal }: CallOptions = {}): Promise<readonly BulkExport[] | undefined> {
    return this.#http.capabilities.tryAsk("list of exports", () =>
      this.#http.json({ method: "GET", path: root, signal, accept: isList }),
    );
  }

  async get(id: string, { signal }: CallOptions = {}): Promise<BulkExport> {
    return this.#http.json({ method: "GET", path: root + path`/${id}`, signal, accept: hasText("id") });
  }

  async create(body: ExportCreate, { signal }: CallOptions = {}): Promise<BulkExport> {
    return this.#http.json({ method: "POST", path: root, body, signal, accept: hasText("id") });
  }

  /** Ends a job or a schedule for good; the jobs that a schedule made already go on. */
  async cancel(id: string, { signal }: CallOptions = {}): Promise<BulkExport> {
    const body = { status: "Cancelled" };
    return this.#http.json({
      method: "PATCH",
      path: root + path`/${id}`,
      body,
      signal,
      accept: hasText("id"),
    });
  }

  /** The parts of a job, and how far each has come. */
  async runs(id: string, { signal }: CallOptions = {}): Promise<readonly BulkExportRun[]> {
    return this.#http.json({ method: "GET", path: root + path`/${id}/runs`, signal, accept: isList });
  }
}

/** Build and deploy logs of a control plane. */

import { isList, isObject } from "../agentServer/shape.ts";
import type { CallOptions } from "../agentServer/threads.ts";
import { path } from "../http.ts";
import type { Http } from "../http.ts";
import { cursorPages } from "../pagination.ts";
import type { Offers } from "./offers.ts";
import type { LogEntry, LogPage, LogQuery } from "./wire.ts";

/** Which of a revision's two logs. */
export type LogType = "build" | "deploy";

/** The logs of one control plane's deployments. */
export class Logs {
  readonly #http: Http;
  readonly #offers: Offers;

  constructor(http: Http, offers: Offers) {
    this.#http = http;
    this.#offers = offers;
  }

  /** One page of a revision's log. */
  async ofRevision(
    deploymentId: string,
    revisionId: string,
    query: LogQuery & { readonly type: LogType },
    options: CallOptions = {},
  ): Promise<LogPage> {
    const revision = path`/v2/deployments/${deploymentId}/revisions/${revisionId}`;
    return this.#page(revision, query, options);
  }

  /** One page of a deployment's deploy log, over all its revisions. */
  async ofDeployment(
    deploymentId: string,
    query: LogQuery = {},
    options: CallOptions = {},
  ): Promise<LogPage> {
    return this.#page(path`/v2/deployments/${deploymentId}`, query, options);
  }

  /** All lines of a revision's log, page by page as they are consumed. */
  list(
    deploymentId: string,
    revisionId: string,
    query: Omit<LogQuery, "offset"> & { readonly type: LogType },
    options: CallOptions = {},
  ): AsyncIterable<LogEntry> {
    return cursorPages(async (offset) => {
      const page = await this.ofRevision(deploymentId, revisionId, { ...query, offset }, options);
      return { items: page.logs, next_cursor: page.next_offset ?? null };
    });
  }

  async #page(owner: string, query: object, { signal }: CallOptions): Promise<LogPage> {
    return this.#offers.ask(
      "log",
      () =>
        this.#http.json<LogPage>({
          method: "GET",
          path: `${owner}/logs`,
          query: { ...query },
          signal,
          accept: (value) => isObject(value) && isList(value["logs"]),
        }),
      () => this.#http.json({ method: "GET", path: owner, signal }),
    );
  }
}

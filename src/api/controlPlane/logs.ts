/** Build and deploy logs of a control plane. */

import { isList, isObject } from "../shape.ts";
import { type CallOptions, type Http, path } from "../http.ts";
import type { LogPage, LogQuery } from "./wire.ts";

/** Which of a revision's two logs. */
export type LogType = "build" | "deploy";

/** The logs of one control plane's deployments. */
export class Logs {
  readonly #http: Http;

  constructor(http: Http) {
    this.#http = http;
  }

  /** One page of a revision's log. Throws an ApiError, "unsupported" where the server has no logs. */
  async ofRevision(
    deploymentId: string,
    revisionId: string,
    query: LogQuery & { readonly type: LogType },
    options: CallOptions = {},
  ): Promise<LogPage> {
    const revision = path`/v2/deployments/${deploymentId}/revisions/${revisionId}`;
    return this.#page(revision, query, options);
  }

  async #page(owner: string, query: object, { signal }: CallOptions): Promise<LogPage> {
    return this.#http.capabilities.ask(
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

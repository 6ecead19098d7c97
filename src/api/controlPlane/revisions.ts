/** Revisions of a deployment (docs/interface.md, "Control plane"): read, made again, stopped. */

import { hasText, isObject } from "../shape.ts";
import { type CallOptions, type Http, path } from "../http.ts";
import { isResources, offsetAfter, type Resources } from "./resources.ts";
import type { Deployment, Revision, RevisionQuery } from "./wire.ts";

/** One page of a list, newest first. */
export interface RevisionPage {
  readonly revisions: readonly Revision[];
  /** Where the next page begins; undefined on the last. */
  readonly nextOffset: number | undefined;
}

const defaultLimit = 20;

/** The revisions of one control plane's deployments; each call throws an ApiError when it fails. */
export class Revisions {
  readonly #http: Http;

  constructor(http: Http) {
    this.#http = http;
  }

  /** One page. Throws an ApiError "unsupported" where the server has no list. */
  async page(
    deploymentId: string,
    query: RevisionQuery = {},
    { signal }: CallOptions = {},
  ): Promise<RevisionPage> {
    const { limit = defaultLimit, offset = 0 } = query;
    const page = await this.#http.capabilities.ask(
      "list of revisions",
      () =>
        this.#http.json<Resources<Revision>>({
          method: "GET",
          path: path`/v2/deployments/${deploymentId}/revisions`,
          query: { ...query, limit, offset },
          signal,
          accept: isResources,
        }),
      () => this.#deployment(deploymentId, signal),
    );
    return { revisions: page.resources, nextOffset: offsetAfter(page, offset, limit) };
  }

  async get(deploymentId: string, revisionId: string, { signal }: CallOptions = {}): Promise<Revision> {
    const accept = hasText("id");
    const where = path`/v2/deployments/${deploymentId}/revisions/${revisionId}`;
    return this.#http.json({ method: "GET", path: where, signal, accept });
  }

  /** Makes a revision like this one and deploys it, which is the way back to an older one; answers the deployment. */
  async redeploy(
    deploymentId: string,
    revisionId: string,
    { signal }: CallOptions = {},
  ): Promise<Pick<Deployment, "id" | "latest_revision_id"> | undefined> {
    const where = path`/v2/deployments/${deploymentId}/revisions/${revisionId}/redeploy`;
    const answer = await this.#http.capabilities.ask(
      "redeployment",
      () => this.#http.json<unknown>({ method: "POST", path: where, signal }),
      () => this.get(deploymentId, revisionId, { signal }),
    );
    if (!isObject(answer) || answer["id"] !== deploymentId) return undefined;
    const { latest_revision_id: latest } = answer;
    return { id: deploymentId, latest_revision_id: typeof latest === "string" ? latest : null };
  }

  /** Stops one that is on its way; in which status it ends is up to the server. */
  async interrupt(deploymentId: string, revisionId: string, { signal }: CallOptions = {}): Promise<void> {
    const where = path`/v2/deployments/${deploymentId}/revisions/${revisionId}/interruption`;
    await this.#http.capabilities.ask(
      "interruption of revisions",
      () => this.#http.reply({ method: "POST", path: where, signal }),
      () => this.get(deploymentId, revisionId, { signal }),
    );
  }

  async #deployment(deploymentId: string, signal: AbortSignal | undefined): Promise<unknown> {
    return this.#http.json({ method: "GET", path: path`/v2/deployments/${deploymentId}`, signal });
  }
}

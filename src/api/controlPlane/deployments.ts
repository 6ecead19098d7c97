/** Deployments of a control plane (docs/interface.md, "Control plane"). */

import { hasText, isList } from "../shape.ts";
import { type CallOptions, type Http, path } from "../http.ts";
import { isResources, offsetAfter, type Resources } from "./resources.ts";
import type { Deployment, DeploymentCreate, DeploymentPatch, DeploymentQuery } from "./wire.ts";

/** One page of a list. */
export interface DeploymentPage {
  readonly deployments: readonly Deployment[];
  /** Where the next page begins; undefined on the last. */
  readonly nextOffset: number | undefined;
}

/** How a deployment is deleted. */
export interface DeletionOptions extends CallOptions {
  /** Deletes the traces, too. */
  readonly deleteTracingProject?: boolean | undefined;
  /** Only for a deployment that is already being deleted: do not wait any longer. */
  readonly force?: boolean | undefined;
}

const defaultLimit = 20;

/** The deployments of one control plane; each call throws an ApiError when it fails. */
export class Deployments {
  readonly #http: Http;

  constructor(http: Http) {
    this.#http = http;
  }

  /** One page. Throws an ApiError "unsupported" where the server has no list. */
  async page(query: DeploymentQuery = {}, { signal }: CallOptions = {}): Promise<DeploymentPage> {
    const { limit = defaultLimit, offset = 0 } = query;
    const request = { method: "GET", path: "/v2/deployments", signal, accept: isResources } as const;
    const page = await this.#http.capabilities.ask("list of deployments", () =>
      this.#http.json<Resources<Deployment>>({ ...request, query: { ...query, limit, offset } }),
    );
    const deployments = page.resources.map(withoutValues);
    return { deployments, nextOffset: offsetAfter(page, offset, limit) };
  }

  async create(body: DeploymentCreate, { signal }: CallOptions = {}): Promise<Deployment> {
    const request = { method: "POST", path: "/v2/deployments", body, signal, accept: hasText("id") } as const;
    return withoutValues(await this.#http.json<Deployment>(request));
  }

  async get(deploymentId: string, { signal }: CallOptions = {}): Promise<Deployment> {
    const accept = hasText("id");
    const request = { method: "GET", path: path`/v2/deployments/${deploymentId}`, signal, accept } as const;
    return withoutValues(await this.#http.json<Deployment>(request));
  }

  /** Changes it; a different `latest_revision_id` afterwards means that a revision was made. */
  async patch(
    deploymentId: string,
    body: DeploymentPatch,
    { signal }: CallOptions = {},
  ): Promise<Deployment | undefined> {
    const request = { method: "PATCH", path: path`/v2/deployments/${deploymentId}`, body, signal } as const;
    const accept = (value: unknown) => value === undefined || hasText("id")(value);
    const changed = await this.#http.json<Deployment | undefined>({ ...request, accept });
    return changed && withoutValues(changed);
  }

  /** Begins to delete it: it is gone when `get` throws "notFound". Throws an ApiError "unsupported" where the server deletes none. */
  async delete(deploymentId: string, options: DeletionOptions = {}): Promise<void> {
    const { signal, deleteTracingProject: delete_tracing_project, force } = options;
    await this.#http.capabilities.ask(
      "deletion of deployments",
      () =>
        this.#http.reply({
          method: "DELETE",
          path: path`/v2/deployments/${deploymentId}`,
          query: { delete_tracing_project, force },
          signal,
          // Repeated, it would answer 404 for what was done.
          idempotent: false,
        }),
      () => this.get(deploymentId, { signal }),
    );
  }
}

/** Nobody needs the values of secrets that a server sends back, and so nobody gets them. */
function withoutValues(deployment: Deployment): Deployment {
  const { secrets } = deployment;
  if (!isList(secrets)) return deployment;
  return { ...deployment, secrets: secrets?.map(({ name }) => ({ name })) ?? null };
}

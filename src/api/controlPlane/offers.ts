/** What a control plane turned out not to offer. */

import { ApiError } from "../errors.ts";

/** What the spec does not promise, so that a server may lack it. */
export type ControlPlaneFeature =
  | "list of deployments"
  | "deletion of deployments"
  | "list of revisions"
  | "redeployment"
  | "interruption of revisions"
  | "log";

/** Remembers what is not offered, so that it is asked for only once. */
export class Offers {
  readonly #missing = new Map<ControlPlaneFeature, ApiError>();

  /**
   * Calls, unless the feature is known to be missing; that it is missing is an ApiError of the kind "notOffered".
   * A 404 may also mean that the thing itself is gone: `exists` asks for it, and throws when it is.
   */
  async ask<T>(
    feature: ControlPlaneFeature,
    call: () => Promise<T>,
    exists: () => Promise<unknown> = () => Promise.resolve(),
  ): Promise<T> {
    const known = this.#missing.get(feature);
    if (known !== undefined) throw notOffered(feature, known);
    try {
      return await call();
    } catch (error) {
      if (!(error instanceof ApiError) || ![404, 405, 501].includes(error.status ?? 0)) throw error;
      if (error.status === 404) await exists();
      this.#missing.set(feature, error);
      throw notOffered(feature, error);
    }
  }
}

function notOffered(feature: ControlPlaneFeature, cause: ApiError): ApiError {
  const { method, url, status, requestId } = cause;
  return new ApiError("notOffered", { method, url, status, requestId, detail: `no ${feature}`, cause });
}

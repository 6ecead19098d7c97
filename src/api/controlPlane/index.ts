/** A client of one control plane (docs/interface.md, "Control plane"). */

import type { CallOptions, Http } from "../http.ts";
import { isObject } from "../shape.ts";
import { Deployments } from "./deployments.ts";
import { Logs } from "./logs.ts";
import { Revisions } from "./revisions.ts";
import type { TokenStatus } from "./wire.ts";

/** Everything that one control plane offers; each call throws an ApiError when it fails, "unsupported" where the server has no such endpoint. */
export class ControlPlane {
  readonly deployments: Deployments;
  readonly revisions: Revisions;
  readonly logs: Logs;
  readonly tokens: Tokens;

  constructor(http: Http) {
    this.deployments = new Deployments(http);
    this.revisions = new Revisions(http);
    this.logs = new Logs(http);
    this.tokens = new Tokens(http);
  }
}

/** The OAuth tokens that one control plane keeps for the current user (docs/interface.md, "Token status response"). */
export class Tokens {
  readonly #http: Http;

  constructor(http: Http) {
    this.#http = http;
  }

  /** Whether the user holds tokens of an OAuth provider; a provider id that cannot be one is "invalid". */
  async exists(providerId: string, { signal }: CallOptions = {}): Promise<TokenStatus> {
    return this.#http.json({
      method: "GET",
      path: "/v2/auth/tokens/exists",
      query: { provider_id: providerId },
      signal,
      accept: (value) => isObject(value) && typeof value["has_token"] === "boolean",
    });
  }
}

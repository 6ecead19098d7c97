/** OAuth tokens of the current user (spec "Token status response"). */

import { isObject } from "../shape.ts";
import type { CallOptions, Http } from "../http.ts";
import type { TokenStatus } from "./wire.ts";

/** The OAuth tokens that one control plane keeps for the current user. */
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

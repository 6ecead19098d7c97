import type { Store } from "./store.ts";

/** The OAuth tokens that users hold for providers, sealed by whoever obtains them. */
export class OAuthTokens {
  readonly #store: Store;

  constructor(store: Store) {
    this.#store = store;
  }

  /** Whether the user holds a token for the provider. */
  has(providerId: string, userId: string): boolean {
    const sql = "SELECT 1 FROM oauth_tokens WHERE provider_id = ? AND user_id = ? LIMIT 1";
    return this.#store.get(sql, providerId, userId) !== undefined;
  }
}

import { randomUUID } from "node:crypto";
import { type JsonObject, parseObject } from "../kit/json.ts";
import { reader, type Store } from "../store/store.ts";

/** The right to give feedback on one run under one key, for anyone who has the URL, until it expires. */
export interface FeedbackToken {
  readonly id: string;
  readonly run_id: string;
  readonly feedback_key: string;
  readonly expires_at: string;
  readonly feedback_config: JsonObject | null;
}

/** Feedback that was given. */
export interface Feedback {
  readonly id: string;
  readonly run_id: string;
  readonly key: string;
  readonly created_at: string;
  readonly [field: string]: unknown;
}

const defaultLifetimeMs = 3 * 60 * 60 * 1000;

const toToken = reader<FeedbackToken>(["feedback_config"]);

/** Feedback tokens, and the feedback given through them. */
export class FeedbackTokens {
  readonly #store: Store;
  readonly #baseUrl: () => string;

  constructor(store: Store, baseUrl: () => string) {
    this.#store = store;
    this.#baseUrl = baseUrl;
  }

  /** One token per key for a run that has ended; answers their URLs by key. */
  createAll(runId: string, keys: readonly string[]): Record<string, string> {
    return Object.fromEntries(keys.map((key) => [key, this.url(this.create(runId, key))]));
  }

  create(runId: string, key: string, expiresAt?: Date, config?: JsonObject): FeedbackToken {
    const token = {
      id: randomUUID(),
      run_id: runId,
      feedback_key: key,
      expires_at: (expiresAt ?? new Date(Date.now() + defaultLifetimeMs)).toISOString(),
      feedback_config: config ?? null,
    };
    this.#store.insert("feedback_tokens", token);
    return token;
  }

  /** The token, unless it is unknown or expired. */
  find(id: string): FeedbackToken | undefined {
    const row = this.#store.get("SELECT * FROM feedback_tokens WHERE id = ?", id.toLowerCase());
    if (row === undefined || Date.parse(String(row.expires_at)) <= Date.now()) return undefined;
    return toToken(row);
  }

  ofRun(runId: string): FeedbackToken[] {
    return this.#store
      .all("SELECT * FROM feedback_tokens WHERE run_id = ? ORDER BY rowid", runId)
      .map(toToken);
  }

  /** The pre-signed URL of a token. */
  url(token: FeedbackToken): string {
    return `${this.#baseUrl()}/api/v1/feedback/tokens/${token.id}`;
  }

  /** Stores what somebody thinks of a run. */
  give(token: FeedbackToken, body: JsonObject): void {
    this.#store.insert("feedback", {
      id: randomUUID(),
      run_id: token.run_id,
      key: token.feedback_key,
      body,
      created_at: new Date().toISOString(),
    });
  }

  /** The feedback on a run, or all of it, newest first. */
  given(runId: string | undefined, limit: number): Feedback[] {
    return this.#store
      .all(
        "SELECT * FROM feedback WHERE ? IS NULL OR run_id = ? ORDER BY rowid DESC LIMIT ?",
        runId ?? null,
        runId ?? null,
        limit,
      )
      .map((row) => ({
        id: String(row.id),
        run_id: String(row.run_id),
        key: String(row.key),
        created_at: String(row.created_at),
        ...parseObject(row.body),
      }));
  }
}

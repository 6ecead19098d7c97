/**
 * What the Local Platform has instead of a settings page: webhook subscriptions, and issues that are made on request
 * (`/_local`).
 */

import { isList } from "./shape.ts";
import { type CallOptions, type Http, path } from "./http.ts";

/** A subscription as the Local Platform lists it; its secret is answered once, when it is made or rolled. */
export interface LocalWebhook {
  readonly id: string;
  readonly url: string;
  readonly severity_threshold: number;
  readonly event_types: readonly string[];
}

/** One attempt to deliver an event; attempt 0 of a delivery that was not tried yet. */
export interface LocalDelivery {
  readonly event_id: string;
  readonly type: string;
  readonly attempt: number;
  /** The status of the receiver's answer, if there was one. */
  readonly status: number | null;
  readonly error?: string;
  readonly at: string;
  /** The state of the delivery as a whole. */
  readonly state: "pending" | "delivered" | "failed";
}

/** What makes or changes a subscription. */
export type LocalWebhookOrder = Omit<LocalWebhook, "id">;

/** An issue to open, with the traces that are linked to it at once. */
export interface LocalIssueOrder {
  readonly name: string;
  readonly description: string;
  readonly severity: number;
  readonly traces: readonly { readonly run_id?: string; readonly comment?: string }[];
}

/** The issues and webhooks of one Local Platform, whose base address is that of `http`; each call throws an ApiError when it fails. */
export class LocalIssues {
  readonly #http: Http;

  constructor(http: Http) {
    this.#http = http;
  }

  async webhooks({ signal }: CallOptions = {}): Promise<readonly LocalWebhook[]> {
    return this.#http.json({ method: "GET", path: "/_local/webhooks", signal });
  }

  async subscribe(
    body: LocalWebhookOrder,
    { signal }: CallOptions = {},
  ): Promise<LocalWebhook & { readonly signing_secret: string }> {
    return this.#http.json({ method: "POST", path: "/_local/webhooks", body, signal });
  }

  async change(
    id: string,
    body: Partial<LocalWebhookOrder>,
    { signal }: CallOptions = {},
  ): Promise<LocalWebhook> {
    return this.#http.json({ method: "PATCH", path: path`/_local/webhooks/${id}`, body, signal });
  }

  async unsubscribe(id: string, { signal }: CallOptions = {}): Promise<void> {
    await this.#http.reply({ method: "DELETE", path: path`/_local/webhooks/${id}`, signal });
  }

  /** The attempts to deliver to a subscriber. */
  async deliveries(id: string, { signal }: CallOptions = {}): Promise<readonly LocalDelivery[]> {
    return this.#http.json({
      method: "GET",
      path: path`/_local/webhooks/${id}/deliveries`,
      signal,
      accept: isList,
    });
  }

  /** Answers the new secret, with which everything is signed from now on. */
  async rollSecret(id: string, { signal }: CallOptions = {}): Promise<string> {
    const request = { method: "POST", path: path`/_local/webhooks/${id}/roll-secret`, signal } as const;
    return (await this.#http.json<{ signing_secret: string }>(request)).signing_secret;
  }

  async report(body: LocalIssueOrder, { signal }: CallOptions = {}): Promise<{ readonly id: string }> {
    return this.#http.json({ method: "POST", path: "/_local/issues", body, signal });
  }

  /** Reports that a detection run did not complete. */
  async reportFailure(
    body: { readonly thread_id?: string; readonly error_message?: string },
    { signal }: CallOptions = {},
  ): Promise<void> {
    await this.#http.json({ method: "POST", path: "/_local/agent-run-failures", body, signal });
  }
}

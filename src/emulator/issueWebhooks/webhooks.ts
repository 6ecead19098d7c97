import { randomBytes, randomUUID } from "node:crypto";
import { parseObject } from "../kit/json.ts";
import type { Row, Store } from "../store/store.ts";
import type { Vault } from "../access/vault.ts";

/** The complete set of events that a subscription can ask for. */
export const eventTypes = ["issue.created", "issue.trace.added", "issue.agent_run.failed"] as const;
/** One of them. */
export type EventType = (typeof eventTypes)[number];

/** What a subscription says about itself; its secret and the values of its headers are not among it. */
export interface Webhook {
  readonly id: string;
  readonly url: string;
  /** Issues of a higher number, thus less severe ones, are not delivered: 0 urgent to 3 low. */
  readonly severity_threshold: number;
  readonly event_types: readonly EventType[];
  readonly header_names: readonly string[];
  readonly has_signing_secret: true;
  readonly created_at: string;
  readonly updated_at: string;
}

/** The members of a subscription that its owner chooses. */
export interface WebhookOrder {
  readonly url: string;
  readonly severity_threshold: number;
  readonly event_types: readonly EventType[];
  readonly headers: Readonly<Record<string, string>>;
}

/** What a delivery needs to know of its subscription at the moment of an attempt. */
export interface Subscriber {
  readonly url: string;
  readonly headers: Readonly<Record<string, string>>;
  readonly signingSecret: string;
}

/** The subscriptions to issue events. Signing secrets and header values are sealed at rest. */
export class Webhooks {
  readonly #store: Store;
  readonly #vault: Vault;

  constructor(store: Store, vault: Vault) {
    this.#store = store;
    this.#vault = vault;
  }

  /** Stores a subscription; answers its id and the secret, which is shown this once. */
  insert(order: WebhookOrder): { readonly id: string; readonly signingSecret: string } {
    const id = randomUUID();
    const signingSecret = newSecret();
    const now = new Date().toISOString();
    this.#store.run(
      "INSERT INTO webhooks VALUES (?, ?, ?, ?, ?, ?, ?, ?)",
      id,
      order.url,
      order.severity_threshold,
      JSON.stringify(order.event_types),
      this.#vault.seal(JSON.stringify(order.headers), `headers of webhook ${id}`),
      this.#vault.seal(signingSecret, `webhook ${id}`),
      now,
      now,
    );
    return { id, signingSecret };
  }

  get(id: string): Webhook | undefined {
    const row = this.#store.get("SELECT * FROM webhooks WHERE id = ?", id);
    return row === undefined ? undefined : this.#toWebhook(row);
  }

  /** All subscriptions, oldest first. */
  list(): Webhook[] {
    return this.#store
      .all("SELECT * FROM webhooks ORDER BY created_at, rowid")
      .map((row) => this.#toWebhook(row));
  }

  /** Changes the members given and keeps the others. */
  update(
    id: string,
    change: { readonly [Name in keyof WebhookOrder]?: WebhookOrder[Name] | undefined },
  ): void {
    const sealed =
      change.headers === undefined
        ? null
        : this.#vault.seal(JSON.stringify(change.headers), `headers of webhook ${id}`);
    this.#store.run(
      `UPDATE webhooks SET url = coalesce(?, url), severity_threshold = coalesce(?, severity_threshold),
         event_types = coalesce(?, event_types), headers = coalesce(?, headers), updated_at = ? WHERE id = ?`,
      change.url ?? null,
      change.severity_threshold ?? null,
      change.event_types === undefined ? null : JSON.stringify(change.event_types),
      sealed,
      new Date().toISOString(),
      id,
    );
  }

  /** Replaces the signing secret; every attempt from now on is signed with the new one. */
  rollSecret(id: string): string {
    const signingSecret = newSecret();
    this.#store.run(
      "UPDATE webhooks SET signing_secret = ?, updated_at = ? WHERE id = ?",
      this.#vault.seal(signingSecret, `webhook ${id}`),
      new Date().toISOString(),
      id,
    );
    return signingSecret;
  }

  delete(id: string): void {
    this.#store.run("DELETE FROM webhooks WHERE id = ?", id);
  }

  subscriber(id: string): Subscriber | undefined {
    const row = this.#store.get("SELECT * FROM webhooks WHERE id = ?", id);
    if (row === undefined) return undefined;
    const signingSecret = this.#vault.open(row.signing_secret as Uint8Array, `webhook ${id}`);
    return { url: String(row.url), headers: this.#headers(row), signingSecret };
  }

  #toWebhook(row: Row): Webhook {
    return {
      id: String(row.id),
      url: String(row.url),
      severity_threshold: Number(row.severity_threshold),
      event_types: JSON.parse(String(row.event_types)) as EventType[],
      header_names: Object.keys(this.#headers(row)),
      has_signing_secret: true,
      created_at: String(row.created_at),
      updated_at: String(row.updated_at),
    };
  }

  #headers(row: Row): Record<string, string> {
    const sealed = row.headers as Uint8Array;
    const headers = parseObject(this.#vault.open(sealed, `headers of webhook ${String(row.id)}`));
    return Object.fromEntries(Object.entries(headers).map(([name, value]) => [name, String(value)]));
  }
}

function newSecret(): string {
  return `whsec_${randomBytes(32).toString("base64url")}`;
}

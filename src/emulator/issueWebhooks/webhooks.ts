import { randomBytes, randomUUID } from "node:crypto";
import { validateHeaderName, validateHeaderValue } from "node:http";
import * as z from "zod";
import { parseObject } from "../kit/json.ts";
import { reader, type Row, type Store } from "../store/store.ts";
import type { Vault } from "../access/vault.ts";

/** The complete set of events that a subscription can ask for. */
export const eventTypes = ["issue.created", "issue.trace.added", "issue.agent_run.failed"] as const;
/** One of them. */
export type EventType = (typeof eventTypes)[number];

const headers = z
  .record(z.string().refine(isHeaderName, "This is not the name of a header."), z.string())
  .refine((record) => Object.values(record).every(isHeaderValue), "A value cannot be sent in a header.")
  .describe("Sent with each delivery; Content-Type and the signature are the platform's own.");

const order = {
  url: z.string().min(1).max(2048),
  severity_threshold: z.int().min(0).max(3).describe("Issues of a higher number are not delivered."),
  event_types: z.array(z.enum(eventTypes)).min(1),
  headers,
};

/** What makes a subscription: the members that its owner chooses. */
export const webhookBody = z.looseObject({
  url: order.url,
  severity_threshold: order.severity_threshold.default(3),
  event_types: order.event_types.default(["issue.created"]),
  headers: headers.default({}),
});
type WebhookOrder = z.output<typeof webhookBody>;

/** What changes one. */
export const webhookPatch = z.looseObject(order).partial();

/** A subscription as clients see it, without its secret and the values of its headers. */
export const webhook = z.object({
  id: z.uuid(),
  url: order.url,
  severity_threshold: order.severity_threshold,
  event_types: order.event_types,
  header_names: z.array(z.string()),
  has_signing_secret: z.literal(true),
  created_at: z.string(),
  updated_at: z.string(),
});

/** A subscription as clients see it. */
export type Webhook = z.output<typeof webhook>;

/** What a delivery needs to know of its subscription at the moment of an attempt. */
export interface Subscriber {
  readonly url: string;
  readonly headers: Readonly<Record<string, string>>;
  readonly signingSecret: string;
}

const readRow = reader<Omit<Webhook, "header_names" | "has_signing_secret">>(["event_types"]);

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
    const { url, severity_threshold, event_types } = order;
    this.#store.insert("webhooks", {
      ...{ id, url, severity_threshold, event_types, created_at: now, updated_at: now },
      headers: this.#sealHeaders(id, order.headers),
      signing_secret: this.#vault.seal(signingSecret, `webhook ${id}`),
    });
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
  update(id: string, change: z.output<typeof webhookPatch>): void {
    const { url, severity_threshold, event_types } = change;
    const headers = change.headers && this.#sealHeaders(id, change.headers);
    const members = Object.entries({ url, severity_threshold, event_types, headers });
    this.#store.update(
      "webhooks",
      { id },
      {
        ...Object.fromEntries(members.filter(([, value]) => value !== undefined)),
        updated_at: new Date().toISOString(),
      },
    );
  }

  /** Replaces the signing secret; every attempt from now on is signed with the new one. */
  rollSecret(id: string): string {
    const signingSecret = newSecret();
    const sealed = this.#vault.seal(signingSecret, `webhook ${id}`);
    this.#store.update("webhooks", { id }, { signing_secret: sealed, updated_at: new Date().toISOString() });
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
    return { ...readRow(row), header_names: Object.keys(this.#headers(row)), has_signing_secret: true };
  }

  #sealHeaders(id: string, headers: WebhookOrder["headers"]): Buffer {
    return this.#vault.seal(JSON.stringify(headers), `headers of webhook ${id}`);
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

function isHeaderName(name: string): boolean {
  return passes(() => validateHeaderName(name));
}

function isHeaderValue(value: string): boolean {
  return passes(() => validateHeaderValue("x", value));
}

function passes(check: () => void): boolean {
  try {
    check();
    return true;
  } catch {
    return false;
  }
}

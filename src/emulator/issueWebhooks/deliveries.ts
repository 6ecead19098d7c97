import { randomUUID } from "node:crypto";
import * as z from "zod";
import { type Attempt, deliver, type DeliveryOptions, ShutdownError, succeeded } from "./delivery.ts";
import type { JsonObject } from "../kit/json.ts";
import { reader, type Row, type Store } from "../store/store.ts";
import { eventTypes, type EventType, type Webhooks } from "./webhooks.ts";

/** An event before it is addressed to anyone. */
export interface IssueEvent {
  readonly type: EventType;
  /** Shared by all events that come from the same action. */
  readonly requestId: string;
  readonly data: JsonObject;
  /** Absent for events to which the severity filter does not apply. */
  readonly severity?: number;
}

/** One attempt of a delivery, or attempt 0 of a delivery that was not tried yet. */
export const deliveryRecord = z.object({
  event_id: z.uuid(),
  type: z.enum(eventTypes),
  attempt: z.int().describe("0 for a delivery that was not tried yet."),
  status: z.int().nullable().describe("The status of the receiver's answer, if there was one."),
  error: z.string().optional(),
  at: z.string(),
  state: z.enum(["pending", "delivered", "failed"]).describe("The state of the delivery as a whole."),
});
type DeliveryRecord = z.output<typeof deliveryRecord>;

const readRow = reader<Omit<DeliveryRecord, "error"> & { readonly error: string | null }>([]);

const maxAttempts = 4;
/** How many deliveries go to one subscriber at a time; a slow subscriber delays only itself. */
const atOnce = 8;

/**
 * The deliveries to all subscribers: rows written together with what they tell of, sent until one attempt succeeds,
 * fails for good, or is the fourth. An attempt that a stopped process cut short is made again.
 */
export class Deliveries {
  readonly #store: Store;
  readonly #webhooks: Webhooks;
  readonly #options: DeliveryOptions;
  readonly #active = new Map<string, string>();
  readonly #stopping = new AbortController();
  readonly #working = new Set<Promise<void>>();
  #timer: NodeJS.Timeout | undefined;
  #running = false;

  constructor(store: Store, webhooks: Webhooks, options: DeliveryOptions) {
    this.#store = store;
    this.#webhooks = webhooks;
    this.#options = options;
  }

  get options(): DeliveryOptions {
    return this.#options;
  }

  /** Addresses an event to everyone who subscribed to it; part of the caller's transaction. */
  enqueue(event: IssueEvent): void {
    const { type, requestId, data, severity = 0 } = event;
    for (const { id, event_types, severity_threshold } of this.#webhooks.list()) {
      if (!event_types.includes(type) || severity > severity_threshold) continue;
      const eventId = randomUUID();
      const now = Date.now();
      const envelope = { id: eventId, type, created: Math.floor(now / 1000), request_id: requestId, data };
      this.#store.insert("webhook_deliveries", {
        event_id: eventId,
        webhook_id: id,
        type,
        body: envelope,
        state: "pending",
        next_at: now,
        created_at: new Date(now).toISOString(),
      });
    }
    this.#wakeAfter(0);
  }

  /** Begins to send, first what an earlier process left. */
  start(): void {
    this.#running = true;
    this.#wakeAfter(0);
  }

  /** Ends the attempts in progress; they are made again after the next start. */
  async stop(): Promise<void> {
    this.#running = false;
    clearTimeout(this.#timer);
    this.#stopping.abort(new ShutdownError());
    await Promise.all(this.#working);
  }

  /** The attempts of a subscription's deliveries, oldest event first. */
  list(webhookId: string): DeliveryRecord[] {
    return this.#store
      .all(
        `SELECT d.event_id, d.type, d.state, coalesce(a.attempt, 0) AS attempt, a.status, a.error,
           coalesce(a.at, d.created_at) AS at
         FROM webhook_deliveries d LEFT JOIN webhook_attempts a ON a.event_id = d.event_id
         WHERE d.webhook_id = ? ORDER BY d.rowid, a.attempt`,
        webhookId,
      )
      .map(toRecord);
  }

  /** The latest attempts of all subscriptions, newest first; only of events about an issue or project, if given. */
  recent(limit: number, about?: string): (DeliveryRecord & { readonly webhook_id: string })[] {
    const subject = about ?? null;
    return this.#store
      .all(
        `SELECT d.webhook_id, d.event_id, d.type, d.state, coalesce(a.attempt, 0) AS attempt, a.status, a.error,
           coalesce(a.at, d.created_at) AS at
         FROM (SELECT rowid AS place, * FROM webhook_deliveries
           WHERE ? IS NULL OR ? IN (body ->> '$.data.object.id', body ->> '$.data.object.session_id')
           ORDER BY rowid DESC LIMIT ?) d
         LEFT JOIN webhook_attempts a ON a.event_id = d.event_id
         ORDER BY at DESC, d.place DESC LIMIT ?`,
        subject,
        subject,
        limit,
        limit,
      )
      .map((row) => ({ webhook_id: String(row.webhook_id), ...toRecord(row) }));
  }

  /** Removes a subscription's deliveries, sent or not. */
  deleteOf(webhookId: string): void {
    this.#store.run(
      `DELETE FROM webhook_attempts WHERE event_id IN
         (SELECT event_id FROM webhook_deliveries WHERE webhook_id = ?)`,
      webhookId,
    );
    this.#store.run("DELETE FROM webhook_deliveries WHERE webhook_id = ?", webhookId);
  }

  #wakeAfter(milliseconds: number): void {
    if (!this.#running) return;
    clearTimeout(this.#timer);
    this.#timer = setTimeout(() => {
      // Nothing is sent before it is on disk: an event keeps the id that a subscriber has received.
      this.#store
        .flushed()
        .then(() => this.#sendDue())
        .catch((error: unknown) => {
          console.error("The deliveries are put off:", error);
          this.#wakeAfter(1000);
        });
    }, milliseconds);
  }

  #sendDue(): void {
    if (!this.#running) return;
    const now = Date.now();
    let soonest = Infinity;
    for (const { id } of this.#webhooks.list()) {
      let free = atOnce - [...this.#active.values()].filter((webhookId) => webhookId === id).length;
      for (const { eventId, nextAt } of this.#pending(id)) {
        if (this.#active.has(eventId)) continue;
        if (free === 0) break;
        if (nextAt > now) {
          soonest = Math.min(soonest, nextAt);
          break;
        }
        free -= 1;
        this.#begin(id, eventId);
      }
    }
    if (soonest !== Infinity) this.#wakeAfter(Math.max(1, soonest - now));
  }

  #pending(webhookId: string): { readonly eventId: string; readonly nextAt: number }[] {
    return this.#store
      .all(
        `SELECT event_id, next_at FROM webhook_deliveries WHERE webhook_id = ? AND state = 'pending'
         ORDER BY next_at, rowid LIMIT ?`,
        webhookId,
        2 * atOnce,
      )
      .map((row) => ({ eventId: String(row.event_id), nextAt: Number(row.next_at) }));
  }

  #begin(webhookId: string, eventId: string): void {
    this.#active.set(eventId, webhookId);
    const work = this.#attempt(webhookId, eventId)
      .then(
        () => 0,
        (error: unknown) => {
          if (!(error instanceof ShutdownError)) console.error(`Delivery ${eventId} is put off:`, error);
          return 1000;
        },
      )
      .then((pause) => {
        this.#active.delete(eventId);
        this.#working.delete(work);
        this.#wakeAfter(pause);
      });
    this.#working.add(work);
  }

  async #attempt(webhookId: string, eventId: string): Promise<void> {
    const row = this.#store.get("SELECT body FROM webhook_deliveries WHERE event_id = ?", eventId);
    const subscriber = this.#webhooks.subscriber(webhookId);
    if (row === undefined || subscriber === undefined) return;
    const body = Buffer.from(String(row.body));
    const attempt = await deliver(subscriber, body, this.#options, this.#stopping.signal);
    this.#record(eventId, attempt);
  }

  #record(eventId: string, { status, error, retry }: Attempt): void {
    this.#store.atomically(() => {
      const row = this.#store.get("SELECT count(*) AS n FROM webhook_attempts WHERE event_id = ?", eventId);
      const attempt = Number(row?.n) + 1;
      const again = retry && attempt < maxAttempts;
      const state = succeeded(status) ? "delivered" : again ? "pending" : "failed";
      const nextAt = Date.now() + this.#options.backoffMs * 2 ** (attempt - 1);
      const key = { event_id: eventId };
      // When nothing changes, its subscription, and with it the delivery, was deleted meanwhile.
      if (this.#store.update("webhook_deliveries", key, { state, next_at: nextAt }) === 0) return;
      const at = new Date().toISOString();
      this.#store.insert("webhook_attempts", { ...key, attempt, status, error, at });
    });
  }
}

function toRecord(row: Row): DeliveryRecord {
  const { error, ...record } = readRow(row);
  return error === null ? record : { ...record, error };
}

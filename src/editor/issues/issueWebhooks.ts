/** Issue webhooks: what was received, and the receiver, as the windows of one editor share them. */

import { join } from "node:path";
import * as vscode from "vscode";
import type { Envelope } from "../../api/issueWebhooks/event.ts";
import { SECTION, SETTINGS } from "../kit/ids.ts";
import { issuesFolder } from "../kit/remembered.ts";
import { compacted, IssueStore, type ReceivedFacts } from "./issueStore.ts";
import { IssueJournal, type JournalEntry } from "./issueJournal.ts";
import type { Refusal } from "./issueReceiver.ts";
import { IssueSubscriptions } from "./issueSubscriptions.ts";
import { type ReceiverState, SharedReceiver } from "./sharedReceiver.ts";

/** What of the extension's context it needs. */
export type IssueWebhooksContext = Pick<
  vscode.ExtensionContext,
  "globalState" | "globalStorageUri" | "secrets"
>;

const mostEvents = 20_000;
const keptRows = 2_000;

/** One window's part in what all windows share. */
export class IssueWebhooks implements vscode.Disposable {
  readonly store = new IssueStore();
  readonly subscriptions: IssueSubscriptions;
  readonly #path: string;
  readonly #journal: IssueJournal;
  readonly #receiver: SharedReceiver;
  readonly #log: Pick<vscode.LogOutputChannel, "warn">;
  readonly #changed = new vscode.EventEmitter<void>();
  readonly onDidChange = this.#changed.event;
  readonly #refused = new Map<string, Map<Refusal, number>>();
  /** Events that are being stored, by id. */
  readonly #storing = new Map<string, Promise<void>>();
  readonly #settings: vscode.Disposable;
  #unwatch: (() => void) | undefined;
  #loaded: Promise<void> | undefined;

  constructor(context: IssueWebhooksContext, log: Pick<vscode.LogOutputChannel, "warn">) {
    this.subscriptions = new IssueSubscriptions(context.secrets, context.globalState);
    const directory = issuesFolder(context);
    this.#path = join(directory, "received.jsonl");
    this.#journal = new IssueJournal(this.#path);
    this.#log = log;
    this.#receiver = this.#createReceiver(directory);
    this.#settings = vscode.workspace.onDidChangeConfiguration((change) => {
      if (change.affectsConfiguration(`${SECTION}.${SETTINGS.issuesPort}`)) void this.#receiver.move();
    });
  }

  get state(): ReceiverState {
    return this.#receiver.state;
  }

  /** Deliveries that were turned away since the window was opened, by reason. */
  refusals(subscription: string): ReadonlyMap<Refusal, number> {
    return this.#refused.get(subscription) ?? new Map<Refusal, number>();
  }

  /** Reads what was received before, and keeps up with what other windows receive. */
  load(): Promise<void> {
    this.#loaded ??= this.#load().catch((error: unknown) => {
      // The next who asks tries again.
      this.#loaded = undefined;
      throw error;
    });
    return this.#loaded;
  }

  /** Goes on receiving after a reload or when another window ends, once a person asked for it; a failure is left in the state. */
  async resume(): Promise<void> {
    await this.load();
    await this.#receiver.resume();
  }

  /** Receives, here or in the window that does already; throws IssueReceiverError. */
  async receive(): Promise<ReceiverState> {
    await this.load();
    return this.#receiver.receive();
  }

  /** Receives no more, in no window, also not after the next reload; what was received stays. */
  async stop(): Promise<void> {
    await this.#receiver.stop();
  }

  /** Ends this window's listener; another window takes over. */
  async shutdown(): Promise<void> {
    await this.#receiver.shutdown();
  }

  /** Marks rows, or times in which nobody listened, as read, in all windows. */
  async markRead(rows: readonly Pick<ReceivedFacts, "id" | "unread">[]): Promise<void> {
    const unread = rows.filter((row) => row.unread).map(({ id }) => id);
    if (unread.length > 0) await this.#write({ kind: "read", at: new Date().toISOString(), rows: unread });
  }

  /** Takes rows out, in all windows; their events stay known, so that a replay doesn't bring them back. */
  async remove(rows: readonly ReceivedFacts[]): Promise<void> {
    await this.#write({ kind: "removed", at: new Date().toISOString(), rows: rows.map(({ id }) => id) });
  }

  dispose(): void {
    this.#settings.dispose();
    this.#receiver.dispose();
    this.#unwatch?.();
    this.#changed.dispose();
    this.subscriptions.dispose();
  }

  #createReceiver(directory: string): SharedReceiver {
    return new SharedReceiver(directory, {
      verifier: (id) => this.subscriptions.verifier(id),
      accept: (id, event) => this.#accept(id, event),
      refused: (id, refusal) => this.#count(id, refusal),
      failed: (error) => this.#log.warn(`Receiving issue webhooks: ${String(error)}`),
      port: () => vscode.workspace.getConfiguration(SECTION).get<number>(SETTINGS.issuesPort, 0),
      prepare: () => this.#prepare(),
      missed: (from, to) => this.#missed(from, to),
      changed: () => this.#changed.fire(),
    });
  }

  async #load(): Promise<void> {
    await this.#catchUp();
    this.#unwatch = await this.#journal.watch(() => {
      this.#catchUp().catch((error: unknown) => this.#log.warn(`Reading issues: ${String(error)}`));
    });
  }

  async #catchUp(): Promise<void> {
    const { anew, entries } = await this.#journal.read();
    if (anew) this.store.clear();
    const changes = entries.map((entry) => this.store.take(entry));
    if (anew || changes.includes(true)) this.#changed.fire();
  }

  async #write(entry: JournalEntry): Promise<void> {
    await this.#journal.append(entry);
    await this.#catchUp();
  }

  /** Stores an event that was not stored before; a retry that comes meanwhile waits for the same flush. */
  async #accept(subscription: string, event: Envelope): Promise<void> {
    if (this.store.has(event.id)) return;
    const known = this.#storing.get(event.id);
    const at = new Date().toISOString();
    const storing = known ?? this.#write({ kind: "event", at, subscription, event });
    this.#storing.set(event.id, storing);
    try {
      await storing;
    } finally {
      this.#storing.delete(event.id);
    }
  }

  /** Without a subscription nothing was sent. */
  async #missed(from: Date, to: Date): Promise<void> {
    if (this.subscriptions.list().length === 0) return;
    await this.#write({ kind: "gap", from: from.toISOString(), to: to.toISOString() });
  }

  #count(subscription: string, refusal: Refusal): void {
    const counts = this.#refused.get(subscription) ?? new Map<Refusal, number>();
    this.#refused.set(subscription, counts.set(refusal, (counts.get(refusal) ?? 0) + 1));
    this.#changed.fire();
  }

  /** Knows what the window before has stored, and keeps the journal small: nobody writes to it just now. */
  async #prepare(): Promise<void> {
    await this.#catchUp();
    if (this.store.size <= mostEvents) return;
    const { entries } = await new IssueJournal(this.#path).read();
    if (entries.filter(({ kind }) => kind === "event").length <= mostEvents) return;
    await this.#journal.replace(compacted(this.store, entries, keptRows));
    await this.#catchUp();
  }
}

/** Issue webhooks: what was received, and the receiver, as the windows of one editor share them. */

import { join } from "node:path";
import * as vscode from "vscode";
import { type Envelope, eventFactsOf } from "../../api/issueWebhooks/event.ts";
import { focusView } from "../kit/commands.ts";
import { SECTION, SETTINGS } from "../kit/ids.ts";
import { showWarning } from "../kit/notice.ts";
import { issuesFolder } from "../kit/remembered.ts";
import { oneLine } from "../kit/words.ts";
import { compactionOf } from "./issueCompaction.ts";
import { IssueJournal } from "./issueJournal.ts";
import { IssueStore, type ReceivedFacts } from "./issueStore.ts";
import type { JournalEntry } from "./journalEntry.ts";
import type { Refusal } from "./issueReceiver.ts";
import { IssueSubscriptions } from "./issueSubscriptions.ts";
import { type ReceiverState, SharedReceiver } from "./sharedReceiver.ts";

/** What of the extension's context it needs. */
export type IssueWebhooksContext = Pick<
  vscode.ExtensionContext,
  "globalState" | "globalStorageUri" | "secrets"
>;

/** What a journal may have before it is made smaller, and what then stays. */
const most = { events: 20_000, bytes: 64 * 1024 * 1024 };
/** How long after one notification no other is shown, in milliseconds. */
const quietMs = 10_000;
const kept = { rows: 2_000, bytes: 32 * 1024 * 1024 };

/** One window's part in what all windows share. */
export class IssueWebhooks implements vscode.Disposable {
  readonly store = new IssueStore();
  readonly subscriptions: IssueSubscriptions;
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
  /** How many events the journal has. */
  #events = 0;
  #compacting = false;
  /** When an urgent issue was told last, epoch milliseconds. */
  #notifiedAt = 0;
  #loaded: Promise<void> | undefined;

  constructor(context: IssueWebhooksContext, log: Pick<vscode.LogOutputChannel, "warn">) {
    this.subscriptions = new IssueSubscriptions(context.secrets, context.globalState);
    const directory = issuesFolder(context);
    this.#journal = new IssueJournal(join(directory, "received.jsonl"));
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
    // Until all of it was read, what was known before counts.
    const reading = { store: this.store, isChanged: false };
    await this.#journal.read({
      anew: () => {
        reading.store = new IssueStore();
        reading.isChanged = true;
        this.#events = 0;
      },
      take: (entry, bytes) => {
        if (entry.kind === "event") this.#events += 1;
        if (reading.store.take(entry, bytes)) reading.isChanged = true;
      },
    });
    if (reading.store !== this.store) this.store.replaceBy(reading.store);
    if (reading.isChanged) this.#changed.fire();
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
    if (known === undefined) void this.#notifyUrgent(event);
    this.#keepSmall().catch((error: unknown) =>
      this.#log.warn(`Making the journal smaller: ${String(error)}`),
    );
  }

  /** Only the window that receives says so; others that come at once stand in the view. */
  async #notifyUrgent(event: Envelope): Promise<void> {
    const facts = eventFactsOf(event);
    const isUrgent = facts.kind === "issue" && facts.issue.severity === 0;
    const isWanted = vscode.workspace.getConfiguration(SECTION).get<boolean>(SETTINGS.issuesUrgent, true);
    if (!isUrgent || !isWanted || Date.now() - this.#notifiedAt < quietMs) return;
    this.#notifiedAt = Date.now();
    const { name, session_name: project } = facts.issue;
    const where = project === undefined ? "" : ` in “${oneLine(project)}”`;
    const show = { title: "Show Issues" };
    const answer = await showWarning(`Urgent issue${where}: “${oneLine(name)}”.`, show);
    if (answer === show) await focusView("issues");
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

  /** Knows what the window before has stored. */
  async #prepare(): Promise<void> {
    await this.#catchUp();
    await this.#keepSmall();
  }

  /** Makes the journal smaller when it has too much; the window that receives does so. */
  async #keepSmall(): Promise<void> {
    if (this.#compacting) return;
    this.#compacting = true;
    try {
      if (this.#events <= most.events && (await this.#journal.size()) <= most.bytes) return;
      await this.#journal.compact(compactionOf(this.store, kept));
      await this.#catchUp();
    } finally {
      this.#compacting = false;
    }
  }
}

/** The issue inbox: what was received, and the receiver, as the windows of one editor share them. */

import { join } from "node:path";
import * as vscode from "vscode";
import type { Envelope } from "../../api/issueWebhooks/event.ts";
import { SECTION, SETTINGS } from "../ids.ts";
import { compacted, IssueInbox } from "./issueInbox.ts";
import type { InboxRow } from "./issueInbox.ts";
import { IssueJournal } from "./issueJournal.ts";
import type { JournalEntry } from "./issueJournal.ts";
import { IssueReceiver, IssueReceiverError } from "./issueReceiver.ts";
import type { Refusal } from "./issueReceiver.ts";
import { endReceiving, noteReceiving, receivingWindow } from "./receivingWindow.ts";
import { IssueSubscriptions } from "./issueSubscriptions.ts";

export type ReceiverState =
  | { readonly kind: "stopped" }
  | {
      readonly kind: "receiving";
      readonly port: number;
      /** The port that deliveries were sent to before, when it could not be had again. */
      readonly movedFrom?: number;
    }
  /** Another window receives; this one shows what it stores. */
  | { readonly kind: "elsewhere"; readonly port: number }
  | { readonly kind: "failed"; readonly error: IssueReceiverError };

/** What of the extension's context it needs. */
export type IssueWebhooksContext = Pick<
  vscode.ExtensionContext,
  "globalState" | "globalStorageUri" | "secrets"
>;

/** The port that was last received on, and whether to receive again after a reload. */
interface Remembered {
  readonly port: number;
  readonly wanted: boolean;
}

const memoryName = "agentOperations.issueReceiver";
const takeOverMs = 2_000;
const mostEvents = 20_000;
const keptRows = 2_000;

export class IssueWebhooks implements vscode.Disposable {
  readonly inbox = new IssueInbox();
  readonly subscriptions: IssueSubscriptions;
  readonly #memory: vscode.Memento;
  readonly #directory: string;
  readonly #journal: IssueJournal;
  readonly #log: Pick<vscode.LogOutputChannel, "warn">;
  readonly #changed = new vscode.EventEmitter<void>();
  readonly onDidChange = this.#changed.event;
  readonly #refused = new Map<string, Map<Refusal, number>>();
  /** Events that are being stored, by id. */
  readonly #storing = new Map<string, Promise<void>>();
  #state: ReceiverState = { kind: "stopped" };
  #receiver: IssueReceiver | undefined;
  #unwatch: (() => void) | undefined;
  #loaded: Promise<void> | undefined;
  #takeOver: NodeJS.Timeout | undefined;

  constructor(context: IssueWebhooksContext, log: Pick<vscode.LogOutputChannel, "warn">) {
    this.subscriptions = new IssueSubscriptions(context.secrets, context.globalState);
    this.#memory = context.globalState;
    this.#directory = join(context.globalStorageUri.fsPath, "issues");
    this.#journal = new IssueJournal(join(this.#directory, "received.jsonl"));
    this.#log = log;
  }

  get state(): ReceiverState {
    return this.#state;
  }

  /** Deliveries that were turned away since the window was opened, by reason. */
  refusals(subscription: string): ReadonlyMap<Refusal, number> {
    return this.#refused.get(subscription) ?? new Map<Refusal, number>();
  }

  /** Reads what was received before, and keeps up with what other windows receive. */
  load(): Promise<void> {
    this.#loaded ??= this.#load();
    return this.#loaded;
  }

  /** Goes on receiving after a reload, when somebody asked for it before; a failure is left in the state. */
  async resume(): Promise<void> {
    if (this.#remembered?.wanted === true) await this.receive().catch(() => undefined);
  }

  /** Receives, here or in the window that does already; throws IssueReceiverError. */
  async receive(): Promise<ReceiverState> {
    if (this.#receiver !== undefined) return this.#state;
    await this.load();
    const other = await receivingWindow(this.#directory);
    if (other !== undefined && other.pid !== process.pid) {
      this.#set({ kind: "elsewhere", port: other.port });
      this.#takeOver ??= setInterval(() => void this.#takeOverFrom(), takeOverMs);
      return this.#state;
    }
    this.#endTakeOver();
    try {
      await this.#compact();
      this.#receiver = await this.#listen();
      await noteReceiving(this.#directory, this.#receiver.port);
      const { port } = this.#receiver;
      const before = this.#remembered?.port;
      await this.#remember({ port, wanted: true });
      const moved = before !== undefined && before !== port && this.subscriptions.list().length > 0;
      this.#set({ kind: "receiving", port, ...(moved ? { movedFrom: before } : {}) });
    } catch (error) {
      if (error instanceof IssueReceiverError) this.#set({ kind: "failed", error });
      throw error;
    }
    return this.#state;
  }

  /** Receives no more, also not after the next reload; what was received stays. */
  async stop(): Promise<void> {
    if (this.#remembered !== undefined) await this.#remember({ ...this.#remembered, wanted: false });
    await this.shutdown();
  }

  /** Ends this window's listener; another window takes over when it has one that wants to. */
  async shutdown(): Promise<void> {
    this.#endTakeOver();
    const receiver = this.#receiver;
    this.#receiver = undefined;
    await receiver?.close();
    if (receiver !== undefined) await endReceiving(this.#directory);
    this.#set({ kind: "stopped" });
  }

  /** Marks rows as read, in all windows. */
  async markRead(rows: readonly InboxRow[]): Promise<void> {
    const unread = rows.filter((row) => row.unread).map(({ id }) => id);
    if (unread.length > 0) await this.#write({ kind: "read", at: new Date().toISOString(), rows: unread });
  }

  /** Takes rows out, in all windows; their events stay known, so that a replay doesn't bring them back. */
  async remove(rows: readonly InboxRow[]): Promise<void> {
    await this.#write({ kind: "removed", at: new Date().toISOString(), rows: rows.map(({ id }) => id) });
  }

  dispose(): void {
    this.#endTakeOver();
    this.#unwatch?.();
    this.#changed.dispose();
    this.subscriptions.dispose();
  }

  get #remembered(): Remembered | undefined {
    return this.#memory.get<Remembered>(memoryName);
  }

  async #remember(remembered: Remembered): Promise<void> {
    await this.#memory.update(memoryName, remembered);
  }

  async #load(): Promise<void> {
    await this.#catchUp();
    this.#unwatch = await this.#journal.watch(() => void this.#catchUp());
  }

  async #catchUp(): Promise<void> {
    const { anew, entries } = await this.#journal.read();
    if (anew) this.inbox.clear();
    const news = entries.map((entry) => this.inbox.take(entry));
    if (anew || news.includes(true)) this.#changed.fire();
  }

  async #write(entry: JournalEntry): Promise<void> {
    await this.#journal.append(entry);
    await this.#catchUp();
  }

  /** Stores an event that was not stored before; a retry that comes meanwhile waits for the same flush. */
  async #accept(subscription: string, event: Envelope): Promise<void> {
    if (this.inbox.has(event.id)) return;
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

  /** The port that was used before, so that the subscriptions' addresses go on being right; else a free one. */
  async #listen(): Promise<IssueReceiver> {
    const wanted = vscode.workspace.getConfiguration(SECTION).get<number>(SETTINGS.issuesPort, 0);
    const before = wanted === 0 ? this.#remembered?.port : undefined;
    const host = {
      verifier: (id: string) => this.subscriptions.verifier(id),
      accept: (id: string, event: Envelope) => this.#accept(id, event),
      refused: (id: string, refusal: Refusal) => this.#count(id, refusal),
      failed: (error: unknown) => this.#log.warn(`A webhook delivery was not taken: ${String(error)}`),
    };
    if (before === undefined) return IssueReceiver.listen(wanted, host);
    return IssueReceiver.listen(before, host).catch(() => IssueReceiver.listen(0, host));
  }

  async #takeOverFrom(): Promise<void> {
    if ((await receivingWindow(this.#directory)) !== undefined) return;
    await (this.#remembered?.wanted === true ? this.receive() : this.shutdown()).catch(() => undefined);
  }

  #endTakeOver(): void {
    clearInterval(this.#takeOver);
    this.#takeOver = undefined;
  }

  #count(subscription: string, refusal: Refusal): void {
    const counts = this.#refused.get(subscription) ?? new Map<Refusal, number>();
    this.#refused.set(subscription, counts.set(refusal, (counts.get(refusal) ?? 0) + 1));
    this.#changed.fire();
  }

  /** Keeps the journal small: only the window that receives rewrites it, before it does. */
  async #compact(): Promise<void> {
    if (this.inbox.size <= mostEvents) return;
    const { entries } = await new IssueJournal(join(this.#directory, "received.jsonl")).read();
    if (entries.filter(({ kind }) => kind === "event").length <= mostEvents) return;
    await this.#journal.replace(compacted(this.inbox, entries, keptRows));
    await this.#catchUp();
  }

  #set(state: ReceiverState): void {
    this.#state = state;
    this.#changed.fire();
  }
}

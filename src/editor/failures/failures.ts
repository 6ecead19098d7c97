/** What is broken on any connection, the newest first, and which of it a person has seen. */

import * as vscode from "vscode";
import type { Clock } from "../../api/retry.ts";
import { type ConnectionSetting, isPlatform } from "../connections/connection.ts";
import type { Connections } from "../connections/connections.ts";
import type { Deployments } from "../deployments/deployments.ts";
import type { IssueWebhooks } from "../issues/issueWebhooks.ts";
import { KeptList, type Memory } from "../kit/keptList.ts";
import { adviceFor } from "../kit/remedies.ts";
import type { PollResult } from "../kit/fetching/pollSchedule.ts";
import { firstLine } from "../kit/words.ts";
import type { Inbox } from "../inbox/inbox.ts";
import { DeploymentFailures, type DeploymentFailureNeeds } from "./deploymentFailures.ts";
import { cannotBeAsked, type ListedFailure } from "./listedFailure.ts";
import { PlatformFailures, type PlatformFailureNeeds } from "./platformFailures.ts";
import { Rounds } from "./rounds.ts";

interface Needs extends Omit<DeploymentFailureNeeds, "now">, Omit<PlatformFailureNeeds, "now" | "platforms"> {
  readonly platforms: DeploymentFailureNeeds["platforms"] & PlatformFailureNeeds["platforms"];
  readonly connections: Pick<Connections, "list" | "heldUntil">;
  readonly deployments: Pick<Deployments, "all" | "allKnown">;
  readonly inbox: Pick<Inbox, "contents" | "onDidChange">;
  readonly issueWebhooks: Pick<IssueWebhooks, "state" | "onDidChange">;
  /** Which failures were seen, in all windows. */
  readonly memory: Memory;
  readonly clock: Pick<Clock, "now">;
}

/** The parts of a connection that are checked, each by itself: one that can't be asked hides no other. */
type Part = "revisions" | "servers" | "exports" | "agents" | "deliveries";

/** What a part had when it was last read, and what has kept it from being read since then. */
interface Reading {
  readonly found: readonly ListedFailure[];
  readonly error?: unknown;
}

interface Job {
  readonly part: Part;
  readonly find: () => Promise<readonly ListedFailure[]>;
}

const mostServers = 30;
const mostAgents = 5;
const agentRestMs = 10 * 60_000;
const mostRead = 500;

/** Checks while somebody sees the view; what others found out meanwhile counts, too. */
export class Failures implements vscode.Disposable {
  readonly #needs: Needs;
  readonly #ofDeployments: DeploymentFailures;
  readonly #ofPlatforms: PlatformFailures;
  readonly #readings = new Map<string, Map<Part, Reading>>();
  /** When what does not say since when it is broken was first found so, by key. */
  readonly #since = new Map<string, number>();
  readonly #read: KeptList<string>;
  readonly #changed = new vscode.EventEmitter<void>();
  readonly onDidChange = this.#changed.event;
  readonly #subscriptions: vscode.Disposable;
  #checked = false;

  constructor(needs: Needs) {
    this.#needs = needs;
    const now = (): number => needs.clock.now();
    this.#ofDeployments = new DeploymentFailures({ ...needs, now }, new Rounds(mostServers, now));
    this.#ofPlatforms = new PlatformFailures({ ...needs, now }, new Rounds(mostAgents, now, agentRestMs));
    this.#read = new KeptList(needs.memory, "failures.read", (key) => key, mostRead);
    this.#subscriptions = vscode.Disposable.from(
      this.#changed,
      needs.inbox.onDidChange(() => this.#takeOver()),
      needs.issueWebhooks.onDidChange(() => this.#changed.fire()),
    );
  }

  /** Whether the connections were ever checked whole. */
  get checked(): boolean {
    return this.#checked;
  }

  /** The newest first. */
  get items(): readonly ListedFailure[] {
    const known = this.#needs.connections.list().flatMap((setting) => this.#onConnection(setting));
    return [...known, ...this.#receiver].sort((one, other) => other.at - one.at);
  }

  /** Whether nobody has marked it as read. */
  isUnread({ key }: Pick<ListedFailure, "key">): boolean {
    return !this.#read.items.includes(key);
  }

  async markRead(failures: readonly Pick<ListedFailure, "key">[]): Promise<void> {
    const keys = failures.map(({ key }) => key);
    await this.#read.replace([...this.#read.items.filter((key) => !keys.includes(key)), ...keys]);
    this.#changed.fire();
  }

  /** Checks every connection; never rejects. */
  async load(signal: AbortSignal): Promise<void> {
    const { connections } = this.#needs;
    // One that a debugger holds is no failure, and would keep the others waiting.
    const going = connections.list().filter(({ id }) => connections.heldUntil(id) === undefined);
    await Promise.all(going.map((setting) => this.#check(setting, signal)));
    if (signal.aborted) return;
    this.#checked = true;
    await this.#forgetMended();
    this.#changed.fire();
  }

  /** Like `load`, and says whether anything changed. */
  async poll(signal: AbortSignal): Promise<PollResult> {
    const before = JSON.stringify(this.items.map(({ key, reason }) => [key, reason]));
    await this.load(signal);
    return {
      changed: before !== JSON.stringify(this.items.map(({ key, reason }) => [key, reason])),
      busy: false,
    };
  }

  dispose(): void {
    this.#subscriptions.dispose();
  }

  async #check(setting: ConnectionSetting, signal: AbortSignal): Promise<void> {
    const jobs = this.#jobs(setting, signal);
    const answers = await Promise.allSettled(jobs.map(({ find }) => find()));
    if (signal.aborted) return;
    answers.forEach((answer, index) => {
      const { part } = jobs[index] as Job;
      if (answer.status === "fulfilled") this.#setFound(setting.id, part, answer.value);
      else this.#setError(setting.id, part, answer.reason);
    });
  }

  #jobs(setting: ConnectionSetting, signal: AbortSignal): readonly Job[] {
    const { id, kind } = setting;
    const listed = this.#needs.deployments.all(id, signal);
    const onDeployments: readonly Job[] = [
      {
        part: "revisions",
        find: async () => {
          const facts = await listed;
          await this.#ofDeployments.readReasons(id, facts, signal);
          return this.#ofDeployments.revisions(id, facts);
        },
      },
      { part: "servers", find: async () => this.#ofDeployments.servers(setting, await listed, signal) },
    ];
    if (!isPlatform(setting)) return onDeployments;
    const ofPlatform: readonly Job[] = [
      { part: "exports", find: () => this.#ofPlatforms.exports(setting, signal) },
      { part: "agents", find: () => this.#ofPlatforms.agents(setting, signal) },
    ];
    const local: readonly Job[] = [
      { part: "deliveries", find: () => this.#ofPlatforms.deliveries(setting, signal) },
    ];
    return [...onDeployments, ...ofPlatform, ...(kind === "localPlatform" ? local : [])];
  }

  /** The inbox has asked every connection, too: what it found out costs no request. */
  #takeOver(): void {
    const { connections, deployments, inbox } = this.#needs;
    const { failures = [] } = inbox.contents ?? {};
    for (const setting of connections.list()) {
      const { id } = setting;
      const { items, error } = deployments.allKnown(id);
      const failed = failures.find(({ connectionId }) => !isPlatform(setting) && connectionId === id);
      this.#setFound(id, "revisions", this.#ofDeployments.revisions(id, items));
      this.#setError(id, "revisions", error);
      this.#setError(id, "servers", error ?? failed?.error);
    }
    this.#changed.fire();
  }

  /** Where a connection can't be asked, that stands in place of what it had, beside what its other parts have. */
  #onConnection({ id: connectionId, name }: ConnectionSetting): readonly ListedFailure[] {
    const readings = [...(this.#readings.get(connectionId)?.values() ?? [])];
    const shown = readings.filter(({ error }) => !cannotBeAsked(error)).flatMap(({ found }) => found);
    const error = readings.map((reading) => reading.error).find(cannotBeAsked);
    if (error === undefined) return shown;
    const { message, blockedBy } = adviceFor(error);
    const failure: ListedFailure = {
      key: `connection ${connectionId}`,
      kind: "connection",
      ref: { connectionId },
      name,
      what: blockedBy === "key" ? "refuses the key" : "can't be used",
      reason: firstLine(message),
      at: this.#needs.clock.now(),
      error,
    };
    return [...shown, this.#sinceFirst(failure)];
  }

  #setFound(connectionId: string, part: Part, found: readonly ListedFailure[]): void {
    const ongoing = found.map((one) => (isOngoing(one) ? this.#sinceFirst(one) : one));
    this.#readingsOf(connectionId).set(part, { found: ongoing });
  }

  #setError(connectionId: string, part: Part, error: unknown): void {
    const readings = this.#readingsOf(connectionId);
    readings.set(part, { found: readings.get(part)?.found ?? [], error });
  }

  #readingsOf(connectionId: string): Map<Part, Reading> {
    const readings = this.#readings.get(connectionId) ?? new Map<Part, Reading>();
    this.#readings.set(connectionId, readings);
    return readings;
  }

  #sinceFirst(failure: ListedFailure): ListedFailure {
    const at = this.#since.get(failure.key) ?? failure.at;
    this.#since.set(failure.key, at);
    return { ...failure, at };
  }

  /** A failure that comes back after it was resolved is a new one; what can't be read now is not known to be resolved. */
  async #forgetMended(): Promise<void> {
    const unread = this.#needs.connections
      .list()
      .flatMap(({ id }) => [...this.#readingsOf(id).values()].flatMap(({ found }) => found));
    const broken = new Set([...this.items, ...unread].map(({ key }) => key));
    const mended = [...this.#since.keys()].filter((key) => !broken.has(key));
    for (const key of mended) {
      this.#since.delete(key);
      await this.#read.forget(key);
    }
  }

  /** This window can't receive issues. */
  get #receiver(): readonly ListedFailure[] {
    const { state } = this.#needs.issueWebhooks;
    if (state.kind !== "failed") return [];
    const { error } = state;
    const failure: ListedFailure = {
      key: "receiver",
      kind: "delivery",
      ref: { connectionId: "" },
      name: "Issue webhooks",
      what: "can't be received",
      reason: firstLine(error.message),
      at: this.#needs.clock.now(),
      error,
    };
    return [this.#sinceFirst(failure)];
  }
}

/** Whether it says of itself only that it is broken, and not since when. */
function isOngoing({ kind }: ListedFailure): boolean {
  return kind === "server" || kind === "agent";
}

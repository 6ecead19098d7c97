/**
 * A part of a change of many deployments: each is looked at, changed once and followed to its end. What is written down
 * before a request leaves tells afterwards, in any window, whether it may have been done.
 */

import type { Deployment } from "../../../api/controlPlane/wire.ts";
import { ApiError } from "../../../api/errors.ts";
import { PollTimeout } from "../../../api/poll.ts";
import type { Clock } from "../../../api/retry.ts";
import type { DeploymentRef, RevisionRef } from "../../connections/connection.ts";
import { adviceFor } from "../../kit/remedies.ts";
import type { BulkItem, BulkJob } from "./bulkJob.ts";

/** What a round does to the world. */
export interface BulkPorts {
  /** Why nothing may be sent there any more, as one sentence. */
  hindrance(connectionId: string): string | undefined;
  get(ref: DeploymentRef): Promise<Deployment>;
  /** Sends the change of a deployment that was just read; gives its latest revision afterwards. */
  send(item: BulkItem, deployment: Deployment): Promise<string | undefined>;
  /** Waits until the revision has ended. */
  follow(ref: RevisionRef, signal: AbortSignal): Promise<{ readonly isDone: boolean; readonly said: string }>;
  /** Called whenever a deployment is further; a request waits for it. */
  save(job: BulkJob, item: BulkItem): Promise<void>;
  readonly clock: Pick<Clock, "sleep">;
}

/** How much is done. */
export interface RoundOptions {
  /** So many are begun. */
  readonly most: number;
  /** So many revisions are on their way at a time. */
  readonly atOnce: number;
  /** Nothing is begun after it; what is on its way goes on without being followed. */
  readonly signal: AbortSignal;
}

/** Begins what waits, until something fails; the answer is the job as it is then. */
export async function bulkRound(job: BulkJob, ports: BulkPorts, options: RoundOptions): Promise<BulkJob> {
  const round = new Round(job, ports, options);
  await round.run();
  return round.job;
}

const mostWaits = 5;
const usualWaitMs = 5000;
const someoneWasThere = "Another revision was made since you were asked: nothing was sent.";

class Round {
  job: BulkJob;
  readonly #ports: BulkPorts;
  readonly #options: RoundOptions;
  readonly #taken = new Set<number>();
  /** Connections to which nothing more is sent. */
  readonly #held = new Set<string>();
  #begun = 0;
  #isHalted = false;
  #saved: Promise<void> = Promise.resolve();

  constructor(job: BulkJob, ports: BulkPorts, options: RoundOptions) {
    this.job = job;
    this.#ports = ports;
    this.#options = options;
  }

  async run(): Promise<void> {
    for (const [index, { state }] of this.job.items.entries())
      if (state === "sending") await this.#hear(index, "The window was closed before the answer came.");
    const workers = Array.from({ length: this.#options.atOnce }, () => this.#work());
    await Promise.all(workers);
    await this.#saved;
  }

  async #work(): Promise<void> {
    for (let index = this.#next(); index !== undefined; index = this.#next()) {
      this.#taken.add(index);
      if (this.#item(index).state === "waiting") await this.#send(index);
      if (this.#item(index).state === "sent") await this.#follow(index);
    }
  }

  /** What is on its way already comes first: it counts among those that are followed at once. */
  #next(): number | undefined {
    const free = [...this.job.items.entries()].filter(([index]) => !this.#taken.has(index));
    const sent = free.find(([, { state }]) => state === "sent");
    if (sent !== undefined) return sent[0];
    if (this.#isHalted || this.#options.signal.aborted || this.#begun >= this.#options.most) return undefined;
    const waiting = free.find(([, item]) => item.state === "waiting" && !this.#held.has(item.connectionId));
    if (waiting === undefined) return undefined;
    this.#begun += 1;
    return waiting[0];
  }

  async #send(index: number): Promise<void> {
    const { connectionId, before } = this.#item(index);
    const hindrance = this.#ports.hindrance(connectionId);
    if (hindrance !== undefined) return this.#hold(index, hindrance);
    try {
      const deployment = await this.#ports.get(this.#item(index));
      if ((deployment.latest_revision_id ?? null) !== before) {
        await this.#leave(index, someoneWasThere);
        return;
      }
      await this.#set(index, { state: "sending", said: "" });
      await this.#sent(index, await this.#sendPatiently(index, deployment));
    } catch (error) {
      await this.#notSent(index, error);
    }
  }

  /** A server that wants fewer requests has not done what it was asked. */
  async #sendPatiently(index: number, deployment: Deployment): Promise<string | undefined> {
    for (let waits = 0; ; waits++) {
      try {
        return await this.#ports.send(this.#item(index), deployment);
      } catch (error) {
        const isLimit = error instanceof ApiError && error.kind === "rateLimited";
        if (!isLimit || waits === mostWaits || this.#options.signal.aborted) throw error;
        await this.#ports.clock.sleep(error.retryAfterMs ?? usualWaitMs, this.#options.signal);
      }
    }
  }

  async #sent(index: number, latest: string | undefined): Promise<void> {
    const made = latest !== undefined && latest !== this.#item(index).before;
    if (made) await this.#set(index, { state: "sent", revisionId: latest, said: "" });
    else await this.#set(index, { state: "done", said: "No new revision was needed." });
  }

  async #notSent(index: number, error: unknown): Promise<void> {
    const { message, blockedBy } = adviceFor(error);
    if (this.#options.signal.aborted && !(error instanceof ApiError))
      return this.#set(index, { state: "waiting" });
    if (!(error instanceof ApiError)) return this.#hold(index, message);
    if (error.kind === "notFound") return this.#leave(index, "It was deleted elsewhere.");
    if (isUnheard(error) && this.#item(index).state === "sending") return this.#hear(index, message);
    if (blockedBy !== undefined) return this.#hold(index, message);
    this.#isHalted = true;
    if (error.kind === "rateLimited" || isUnheard(error))
      await this.#set(index, { state: "waiting", said: message });
    else await this.#set(index, { state: "failed", said: message });
  }

  /** Looks whether a request was done whose answer nobody heard. */
  async #hear(index: number, why: string): Promise<void> {
    this.#isHalted ||= this.#begun > 0;
    const { before } = this.#item(index);
    try {
      const { latest_revision_id: latest } = await this.#ports.get(this.#item(index));
      if (typeof latest === "string" && latest !== before) await this.#sent(index, latest);
      else await this.#set(index, { state: "waiting", said: `${why} It was not done.` });
    } catch (error) {
      this.#held.add(this.#item(index).connectionId);
      const { message } = adviceFor(error);
      await this.#set(index, { said: `${why} Whether it was done is not known: ${message}` });
    }
  }

  async #follow(index: number): Promise<void> {
    const { connectionId, deploymentId, revisionId = "" } = this.#item(index);
    const { signal } = this.#options;
    try {
      const { isDone, said } = await this.#ports.follow({ connectionId, deploymentId, revisionId }, signal);
      await this.#set(index, { state: isDone ? "done" : "failed", said });
      this.#isHalted ||= !isDone;
    } catch (error) {
      if (signal.aborted) return;
      this.#isHalted = true;
      if (error instanceof PollTimeout)
        await this.#set(index, { state: "failed", said: "It was not deployed in time." });
      else await this.#set(index, { said: adviceFor(error).message });
    }
  }

  /** It is not touched any more; another one is begun in its place. */
  async #leave(index: number, said: string): Promise<void> {
    this.#begun -= 1;
    await this.#set(index, { state: "left", said });
  }

  /** Nothing more goes to the connection; what waits there can be gone on with later. */
  async #hold(index: number, said: string): Promise<void> {
    const { connectionId } = this.#item(index);
    this.#begun -= 1;
    this.#held.add(connectionId);
    await this.#set(index, { state: "waiting", said });
    for (const [other, item] of this.job.items.entries())
      if (item.connectionId === connectionId && item.state === "waiting") await this.#set(other, { said });
  }

  #item(index: number): BulkItem {
    const item = this.job.items[index];
    if (item === undefined) throw new RangeError(`no deployment ${String(index)}`);
    return item;
  }

  /** Written down one after another, so that the file never goes back. */
  #set(index: number, change: Partial<BulkItem>): Promise<void> {
    const item = { ...this.#item(index), ...change };
    const job = { ...this.job, items: this.job.items.with(index, item) };
    this.job = job;
    this.#saved = this.#saved.then(() => this.#ports.save(job, item));
    return this.#saved;
  }
}

/** Whether the server may have done what it was asked although it did not say so. */
function isUnheard({ status }: ApiError): boolean {
  return status === undefined || status === 408 || status >= 500;
}

/** Work on many things: carried out here or in another window, each thing once, and resumed after a reload. */

import { randomUUID } from "node:crypto";
import { once } from "node:events";
import { join } from "node:path";
import * as vscode from "vscode";
import type { Clock } from "../../api/retry.ts";
import type { Connections } from "../connections/connections.ts";
import type { Activity, ActivityLog } from "../kit/activityLog.ts";
import { KeptList } from "../kit/keptList.ts";
import { showInformation, showWarning } from "../kit/notice.ts";
import { WATCHED } from "../kit/remembered.ts";
import {
  type BulkItem,
  type BulkJob,
  hindranceAt,
  isEnded,
  isOver,
  type NewJob,
  progressText,
} from "./bulkJob.ts";
import { BulkRecords } from "./bulkRecords.ts";
import { bulkRound, type BulkWork } from "./bulkRound.ts";

interface Needs {
  readonly activity: ActivityLog;
  readonly clock: Clock;
  readonly connections: Connections;
  readonly context: Pick<vscode.ExtensionContext, "globalStorageUri" | "workspaceState">;
}

/** Makes what does a job's work; it may hold secrets, which are kept in memory alone. */
export type Worker<Job extends BulkJob> = (job: Job) => BulkWork<Job["items"][number]>;

/** A job in the Activity view, and what its cancelling does at the moment. */
interface BulkRow {
  readonly activity: Activity;
  cancel: () => void;
}

interface RoundNeeds<Job extends BulkJob> {
  readonly most: number;
  readonly row: Activity;
  readonly worker: Worker<Job>;
  readonly signal: AbortSignal;
}

const goOn = "Continue";
const openReport = "Open Report";
const leave = "Skip the Rest";

/** The most steps of a job that stand in the Activity view. */
const mostSteps = 40;

/** All bulk jobs; each is a file that the windows of this editor share. */
export class BulkChanges implements vscode.Disposable {
  readonly #needs: Needs;
  readonly #records: BulkRecords;
  /** Those that this window began or went on with, and that are not over. */
  readonly #kept: KeptList<{ readonly id: string }>;
  readonly #rows = new Map<string, BulkRow>();
  readonly #closed = new AbortController();
  readonly #changed = new vscode.EventEmitter<string>();
  /** The job of this id is further. */
  readonly onDidChange = this.#changed.event;

  constructor(needs: Needs) {
    this.#needs = needs;
    const { context } = needs;
    this.#records = new BulkRecords(join(context.globalStorageUri.fsPath, "bulk"));
    this.#kept = new KeptList(context.workspaceState, WATCHED.bulk, ({ id }) => id);
    for (const { id } of this.#kept.items) void this.#offer(id);
  }

  /** A job that was begun in any window; undefined for one that was forgotten. */
  read(id: string): Promise<BulkJob | undefined> {
    return this.#records.read(id);
  }

  /** Those with something left to do, the newest first. */
  async unfinished(): Promise<readonly BulkJob[]> {
    return (await this.#records.all()).filter((job) => !isOver(job));
  }

  /** Carries out what a person agreed to; resolves when it is over or stopped. */
  async begin<Job extends BulkJob>(job: NewJob<Job>, worker: Worker<Job>): Promise<void> {
    const startedAt = this.#needs.clock.now();
    const made = { ...job, id: randomUUID(), startedAt } as unknown as Job;
    await this.#records.add(made);
    await this.carryOut(made, worker);
  }

  /** Goes on with a job that was begun before; `job` says what a person agreed to now. */
  async carryOut<Job extends BulkJob>(job: Job, worker: Worker<Job>): Promise<void> {
    const { id, agreed, pace } = job;
    const isTried = job.isTried || job.items.some(({ state }) => state === "done");
    await this.#kept.keep({ id });
    const stop = new AbortController();
    const signal = AbortSignal.any([stop.signal, this.#closed.signal]);
    const row = this.#rowOf(job, () => stop.abort());
    for (let tried = isTried; ; tried = true) {
      const most = tried ? Infinity : 1;
      const now = await this.#round<Job>(id, (known) => ({ ...known, agreed, pace, isTried: tried }), {
        ...{ most, row, worker, signal },
      });
      if (this.#closed.signal.aborted) return;
      if (now === undefined || isOver(now) || signal.aborted) return this.#end(row, now);
      // The editor can't take a question back, so that Cancel does not wait for its answer.
      const cancelled = once(signal, "abort").then(() => false);
      if (!mayGoOn(now) || !(await Promise.race([this.#asksToGoOn(now), cancelled])))
        return this.#end(row, now);
    }
  }

  /** Leaves out all that still waits. */
  async leave(id: string): Promise<void> {
    await this.#records.alone(this.#closed.signal, async () => {
      const job = await this.read(id);
      if (job === undefined) return;
      const items = job.items.map((item) =>
        item.state === "waiting" ? { ...item, state: "left" as const, said: "You skipped it." } : item,
      );
      await this.#save({ ...job, items });
    });
    this.#rows.get(id)?.activity.finish("stopped", "The rest was skipped");
    await this.#kept.forget(id);
  }

  dispose(): void {
    this.#closed.abort();
    this.#changed.dispose();
  }

  /** Each round begins with what other windows wrote down. */
  async #round<Job extends BulkJob>(
    id: string,
    withAgreed: (job: BulkJob) => BulkJob,
    { most, row, worker, signal }: RoundNeeds<Job>,
  ): Promise<BulkJob | undefined> {
    const { clock, connections } = this.#needs;
    row.wait("Waiting for another window's bulk change");
    await this.#records.alone(signal, async () => {
      const known = await this.read(id);
      if (known === undefined) return;
      row.step(progressText(known));
      const job = withAgreed(known) as Job;
      await this.#save(job);
      const { pace } = job;
      const hindrance = (connectionId: string): string | undefined =>
        hindranceAt(
          job.agreed.find((one) => one.connectionId === connectionId),
          connections.get(connectionId),
        );
      const save = (now: BulkJob, index: number): Promise<void> => this.#record(now, index, row);
      await bulkRound(job, { work: worker(job), clock, hindrance, save }, { most, pace, signal });
    });
    return this.read(id);
  }

  async #asksToGoOn(job: BulkJob): Promise<boolean> {
    const failed = job.items.findLast(isTrouble);
    const one = failed ?? job.items.find(({ state }) => state === "done");
    const how = failed === undefined ? ` is ${job.doneWord}.` : `: ${endedByStop(failed.said)}`;
    const what = one === undefined ? "" : `“${one.name}” on “${this.#nameOf(one)}”${how} `;
    const text = `${job.title}: ${what}Go on? ${progressText(job)}.`;
    for (;;) {
      const show = failed === undefined ? showInformation : showWarning;
      const answer = await show(text, goOn, openReport);
      if (answer === openReport) await showReport(job.id);
      else return answer === goOn;
    }
  }

  async #end(row: Activity, job: BulkJob | undefined): Promise<void> {
    if (job === undefined) {
      row.finish("failed", "What was written down of it is gone");
      return;
    }
    const isAll = job.items.every(({ state }) => state === "done");
    row.finish(isAll ? "done" : isOver(job) ? "failed" : "stopped", progressText(job));
    if (isOver(job)) await this.#kept.forget(job.id);
    const text = `${job.title}: ${progressText(job)}.`;
    const trouble = job.items.find(isTrouble);
    const why = trouble === undefined ? "" : ` “${trouble.name}”: ${endedByStop(trouble.said)}`;
    const shown = isAll ? showInformation(text, openReport) : showWarning(text + why, openReport);
    void shown.then((answer) => (answer === undefined ? undefined : showReport(job.id)));
  }

  /** After a reload a person says whether it goes on: what was agreed to is asked again. */
  async #offer(id: string): Promise<void> {
    const job = await this.read(id);
    if (job === undefined || isOver(job)) {
      await this.#kept.forget(id);
      return;
    }
    const row = this.#rowOf(job, () => {
      row.finish("stopped", progressText(job));
      void this.#kept.forget(id);
    });
    row.wait(`Stopped by a reload: ${progressText(job)}`);
    const text = `${job.title} was stopped by a reload: ${progressText(job)}.`;
    const answer = await showWarning(text, goOn, openReport, leave);
    if (answer === goOn) await vscode.commands.executeCommand("agentOperations.bulk.goOn", { bulkId: id });
    if (answer === openReport) await showReport(id);
    if (answer === leave) await this.leave(id);
  }

  /** The row of a job that is not over: the one that offered to go on after a reload is the one that goes on. */
  #rowOf(job: BulkJob, cancel: () => void): Activity {
    const known = this.#rows.get(job.id);
    if (known !== undefined && known.activity.end === undefined) {
      known.cancel = cancel;
      return known.activity;
    }
    const names = [...new Set(job.agreed.map(({ connectionId }) => this.#nameOf({ connectionId })))];
    const activity = this.#needs.activity.begin({
      title: job.title,
      connection: names.join(", "),
      open: {
        command: "agentOperations.bulk.openReport",
        title: openReport,
        arguments: [{ bulkId: job.id }],
      },
      cancel: () => this.#rows.get(job.id)?.cancel(),
    });
    this.#rows.set(job.id, { activity, cancel });
    return activity;
  }

  #nameOf({ connectionId }: { readonly connectionId: string }): string {
    return this.#needs.connections.get(connectionId)?.name ?? connectionId;
  }

  async #save(job: BulkJob): Promise<void> {
    await this.#records.write(job);
    this.#changed.fire(job.id);
  }

  async #record(job: BulkJob, index: number, row: Activity): Promise<void> {
    const item = job.items[index];
    if (item === undefined) return;
    await this.#records.note(job.id, index, item);
    this.#changed.fire(job.id);
    const { length } = job.items;
    const isShown =
      length <= mostSteps || job.items.filter(isEnded).length % Math.ceil(length / mostSteps) === 0;
    if (isShown) row.step(`${item.name} on ${this.#nameOf(item)}: ${progressText(job)}`);
  }
}

/** Items that were held back by their connection go on by a command, once the connection works again. */
function mayGoOn({ isTried, items }: BulkJob): boolean {
  const isUntouched = ({ state, said = "" }: BulkItem): boolean => state === "waiting" && said === "";
  return items.some(isUntouched) && (isTried || !items.every(isUntouched));
}

function isTrouble({ state, said = "" }: BulkItem): boolean {
  return state === "failed" || (state === "waiting" && said !== "");
}

function endedByStop(text = ""): string {
  return /[.!?]$/.test(text) ? text : `${text}.`;
}

function showReport(bulkId: string): Thenable<unknown> {
  return vscode.commands.executeCommand("agentOperations.bulk.openReport", { bulkId });
}

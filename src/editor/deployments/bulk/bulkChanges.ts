/** Changes of many deployments: carried out here or in another window, each deployment once, and resumed after a reload. */

import { randomUUID } from "node:crypto";
import { join } from "node:path";
import * as vscode from "vscode";
import { poll } from "../../../api/poll.ts";
import type { Clock } from "../../../api/retry.ts";
import type { Deployment, Secret } from "../../../api/controlPlane/wire.ts";
import type { RevisionRef } from "../../connections/connection.ts";
import type { Connections } from "../../connections/connections.ts";
import type { Platforms } from "../../connections/platforms.ts";
import type { Activity, ActivityLog } from "../../kit/activityLog.ts";
import { SECTION, SETTINGS } from "../../kit/ids.ts";
import { KeptList } from "../../kit/keptList.ts";
import { showInformation, showWarning } from "../../kit/notice.ts";
import { WATCHED } from "../../kit/remembered.ts";
import type { Deployments } from "../deployments.ts";
import { reasonOf } from "../revisionFailure.ts";
import { isRevisionOver, revisionEnd, statusText } from "../revisionStatus.ts";
import { patchOf, servedBy } from "./bulkChange.ts";
import { type BulkItem, type BulkJob, hindranceAt, isOver, jobTitle, progressText } from "./bulkJob.ts";
import { BulkRecords } from "./bulkRecords.ts";
import { type BulkPorts, bulkRound } from "./bulkRound.ts";

interface Needs {
  readonly activity: ActivityLog;
  readonly clock: Clock;
  readonly connections: Connections;
  readonly context: Pick<vscode.ExtensionContext, "globalStorageUri" | "workspaceState">;
  readonly deployments: Deployments;
  readonly platforms: Platforms;
}

/** All secrets that a deployment is to have, by `keyOf` the deployment; kept in memory alone. */
export type BulkSecrets = ReadonlyMap<string, readonly Secret[]>;

interface RoundNeeds {
  readonly most: number;
  readonly row: Activity;
  readonly secrets: BulkSecrets;
  readonly signal: AbortSignal;
}

const goOn = "Go On";
const openReport = "Open Report";
const leave = "Leave the Rest";

/** Tells deployments of all connections apart. */
export function keyOf({
  connectionId,
  deploymentId,
}: Pick<BulkItem, "connectionId" | "deploymentId">): string {
  return `${connectionId} ${deploymentId}`;
}

/** All of them; each is a file that the windows of this editor share. */
export class BulkChanges implements vscode.Disposable {
  readonly #needs: Needs;
  readonly #records: BulkRecords;
  /** Those that this window began or went on with, and that are not over. */
  readonly #kept: KeptList<{ readonly id: string }>;
  readonly #rows = new Map<string, Activity>();
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
  async begin(job: Omit<BulkJob, "id" | "startedAt">, secrets: BulkSecrets): Promise<void> {
    const made = { ...job, id: randomUUID(), startedAt: this.#needs.clock.now() };
    await this.#records.add(made);
    await this.carryOut(made, secrets);
  }

  /** The same for a job that was begun before; `job` says what was agreed to now. */
  async carryOut(job: BulkJob, secrets: BulkSecrets): Promise<void> {
    const { id, places } = job;
    const isTried = job.isTried || job.items.some(({ state }) => state === "done");
    await this.#kept.keep({ id });
    const stop = new AbortController();
    const signal = AbortSignal.any([stop.signal, this.#closed.signal]);
    this.#rows.get(id)?.finish("stopped", "Gone on with");
    const row = this.#begin(job, () => stop.abort());
    for (let tried = isTried; ; tried = true) {
      const most = tried ? Infinity : 1;
      const now = await this.#round(id, (known) => ({ ...known, places, isTried: tried }), {
        ...{ most, row, secrets, signal },
      });
      if (this.#closed.signal.aborted) return;
      if (now === undefined || isOver(now) || signal.aborted) return this.#end(row, now);
      if (!mayGoOn(now) || !(await this.#asksToGoOn(now))) return this.#end(row, now);
    }
  }

  /** Nothing more is done of it. */
  async leave(id: string): Promise<void> {
    await this.#records.alone(this.#closed.signal, async () => {
      const job = await this.read(id);
      if (job === undefined) return;
      const items = job.items.map((item) =>
        item.state === "waiting" ? { ...item, state: "left" as const, said: "You left it." } : item,
      );
      await this.#save({ ...job, items });
    });
    this.#rows.get(id)?.finish("stopped", "The rest was left");
    await this.#kept.forget(id);
  }

  dispose(): void {
    this.#closed.abort();
    this.#changed.dispose();
  }

  /** Each round begins with what other windows wrote down. */
  async #round(
    id: string,
    agreed: (job: BulkJob) => BulkJob,
    { most, row, secrets, signal }: RoundNeeds,
  ): Promise<BulkJob | undefined> {
    row.wait("Waiting for another window's change of deployments");
    await this.#records.alone(signal, async () => {
      const known = await this.read(id);
      if (known === undefined) return;
      row.step(progressText(known));
      const job = agreed(known);
      const atOnce = vscode.workspace.getConfiguration(SECTION).get(SETTINGS.bulkAtOnce, 2);
      await bulkRound(job, this.#ports(job, secrets, row), { most, atOnce, signal });
    });
    return this.read(id);
  }

  #ports({ change, places }: BulkJob, secrets: BulkSecrets, row: Activity): BulkPorts {
    const { clock, connections, deployments, platforms } = this.#needs;
    return {
      clock,
      hindrance: (connectionId) =>
        hindranceAt(
          places.find((place) => place.connectionId === connectionId),
          connections.get(connectionId),
        ),
      get: (ref) => deployments.get(ref),
      send: (item, deployment) => this.#send(item, deployment, change, secrets.get(keyOf(item)) ?? []),
      follow: async (ref, signal) => {
        const source = await platforms.controlPlane(ref.connectionId);
        const ask = async (): Promise<string> =>
          (await source.revisions.get(ref.deploymentId, ref.revisionId, { signal })).status ?? "UNKNOWN";
        const minutes = vscode.workspace.getConfiguration(SECTION).get(SETTINGS.watchDeadlineMinutes, 30);
        const answer = await poll(ask, {
          ...{ until: isRevisionOver, moved: (one, other) => one !== other, signal, clock },
          ...{ deadlineMs: 60_000 * minutes, onTransient: () => undefined },
        });
        deployments.changed(ref);
        if (revisionEnd({ kind: "ended", end: "over", answer }) === "done") return { isDone: true, said: "" };
        const reason = await reasonOf(source, ref, answer, signal).catch(() => undefined);
        return {
          isDone: false,
          said: [statusText(answer), ...(reason === undefined ? [] : [reason])].join(": "),
        };
      },
      save: async (job, item) => {
        row.step(`${item.name} on ${this.#nameOf(item)}: ${progressText(job)}`);
        await this.#save(job);
      },
    };
  }

  async #send(
    { connectionId, deploymentId }: BulkItem,
    deployment: Deployment,
    change: BulkJob["change"],
    secrets: readonly Secret[],
  ): Promise<string | undefined> {
    const { deployments } = this.#needs;
    const ref = { connectionId, deploymentId };
    if (change.kind === "redeploy") {
      const revision: RevisionRef = { ...ref, revisionId: servedBy(deployment) ?? "" };
      return deployments.redeploy(revision);
    }
    const body = patchOf(deployment, change, secrets);
    const changed = body === undefined ? deployment : await deployments.patch(ref, body);
    return changed.latest_revision_id ?? undefined;
  }

  async #asksToGoOn(job: BulkJob): Promise<boolean> {
    const failed = job.items.findLast(isTrouble);
    const one = failed ?? job.items.find(({ state }) => state === "done");
    const how = failed === undefined ? " is deployed." : `: ${endedByStop(failed.said)}`;
    const what = one === undefined ? "" : `“${one.name}” on “${this.#nameOf(one)}”${how} `;
    const text = `${jobTitle(job)}: ${what}Go on? ${progressText(job)}.`;
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
    const text = `${jobTitle(job)}: ${progressText(job)}.`;
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
    const row = this.#begin(job, () => {
      row.finish("stopped", progressText(job));
      void this.#kept.forget(id);
    });
    row.wait(`Stopped by a reload: ${progressText(job)}`);
    const text = `${jobTitle(job)} was stopped by a reload: ${progressText(job)}.`;
    const answer = await showWarning(text, goOn, openReport, leave);
    if (answer === goOn) await vscode.commands.executeCommand("agentOperations.bulk.goOn", { bulkId: id });
    if (answer === openReport) await showReport(id);
    if (answer === leave) await this.leave(id);
  }

  #begin(job: BulkJob, cancel: () => void): Activity {
    const names = [...new Set(job.places.map(({ connectionId }) => this.#nameOf({ connectionId })))];
    const row = this.#needs.activity.begin({
      title: jobTitle(job),
      connection: names.join(", "),
      open: {
        command: "agentOperations.bulk.openReport",
        title: openReport,
        arguments: [{ bulkId: job.id }],
      },
      cancel,
    });
    this.#rows.set(job.id, row);
    return row;
  }

  #nameOf({ connectionId }: { readonly connectionId: string }): string {
    return this.#needs.connections.get(connectionId)?.name ?? connectionId;
  }

  async #save(job: BulkJob): Promise<void> {
    await this.#records.write(job);
    this.#changed.fire(job.id);
  }
}

/** What was held back because of its connection is gone on with when that is mended, by a command. */
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

/** The revisions that this window was asked to watch; a notification says the end of each once, with what to do next. */

import * as vscode from "vscode";
import type { RevisionRef, WatchedRevision } from "../connections/connection.ts";
import type { Connections } from "../connections/connections.ts";
import type { Platforms } from "../connections/platforms.ts";
import type { ActivityEnd, ActivityLog } from "../kit/activityLog.ts";
import { durationText } from "../kit/words.ts";
import { type CommandId, SECTION, SETTINGS } from "../kit/ids.ts";
import { showError, showInformation, showWarning } from "../kit/notice.ts";
import { WATCHED } from "../kit/remembered.ts";
import type { Report } from "../kit/report.ts";
import { type WatchEnded, Watches, type WatchState } from "../kit/watches.ts";
import type { Deployments } from "./deployments.ts";
import { type FailedRevision, failedRevision } from "./revisionFailure.ts";
import { isRevisionOver, revisionEnd, type RevisionEnd, statusText, statusWords } from "./revisionStatus.ts";

interface Needs {
  readonly activity: ActivityLog;
  readonly connections: Connections;
  readonly context: Pick<vscode.ExtensionContext, "workspaceState">;
  readonly deployments: Deployments;
  readonly platforms: Platforms;
  readonly report: Report;
}

interface Button extends vscode.MessageItem {
  readonly command: CommandId;
  /** What the command is about, where it is not the revision that was watched. */
  readonly about?: RevisionRef;
}

/** How long a notification waits for the reason, in milliseconds. */
const reasonWithinMs = 5000;

const run: Button = { title: "Run", command: "agentOperations.thread.new" };
const openLog: Button = { title: "Open Log", command: "agentOperations.revision.openLog" };
const watchAgain: Button = { title: "Watch Again", command: "agentOperations.revision.watch" };

/** The revisions that are watched, and those whose watch has ended; the answer of a watch is a status. */
export class RevisionWatches implements vscode.Disposable {
  readonly #services: Needs;
  readonly #watches: Watches<WatchedRevision, string>;
  readonly #changed = new vscode.EventEmitter<RevisionRef>();
  /** A watch began, got an answer or ended. */
  readonly onDidChange = this.#changed.event;

  constructor(services: Needs) {
    this.#services = services;
    const { activity, connections, context, deployments } = services;
    this.#watches = new Watches<WatchedRevision, string>(
      {
        memoryName: WATCHED.revisions,
        keyOf: ({ revisionId }) => revisionId,
        read: (watched, signal) => this.#status(watched, signal),
        isOver: isRevisionOver,
        moved: (before, now) => before !== now,
        deadlineMs,
        row: (watched) => ({
          title: watched.name,
          connection: connections.get(watched.connectionId)?.name,
          detail: `Revision ${watched.revisionId}`,
          open: { command: "agentOperations.revision.openLog", title: "Open Log", arguments: [watched] },
        }),
        stepText: statusText,
        endText: (_, ended) => ({ how: activityEnds[revisionEnd(ended)], message: endText(ended) }),
        changed: (watched, state, before) => {
          if (state.kind === "ended") this.#notify(watched, state);
          this.#changed.fire(watched);
          // Views that show the deployment are up to date with the watch.
          if (before !== undefined && before.answer !== state.answer) deployments.changed(watched);
        },
      },
      { activity, memory: context.workspaceState },
    );
    this.#watches.resume();
  }

  /** Watches the revision until it has ended; one that is watched already goes on. */
  begin({ connectionId, deploymentId, revisionId }: RevisionRef, name: string): void {
    this.#watches.begin({ connectionId, deploymentId, revisionId, name, startedAt: Date.now() });
  }

  /** What the watch of a revision knows; undefined when it was not watched. */
  state({ revisionId }: Pick<RevisionRef, "revisionId">): WatchState<string> | undefined {
    return this.#watches.state(revisionId);
  }

  /** Ends the watch, not the revision. */
  cancel({ revisionId }: Pick<RevisionRef, "revisionId">): void {
    this.#watches.cancel(revisionId);
  }

  dispose(): void {
    this.#watches.dispose();
    this.#changed.dispose();
  }

  async #status(
    { connectionId, deploymentId, revisionId }: RevisionRef,
    signal: AbortSignal,
  ): Promise<string> {
    const { revisions } = await this.#services.platforms.controlPlane(connectionId);
    const { status } = await revisions.get(deploymentId, revisionId, { signal });
    return status ?? "UNKNOWN";
  }

  /** What can be told within a few seconds: the failure itself is told in any case. */
  async #failure(watched: WatchedRevision, status: string): Promise<FailedRevision> {
    const signal = AbortSignal.timeout(reasonWithinMs);
    const source = await this.#services.platforms.controlPlane(watched.connectionId).catch(() => undefined);
    return source === undefined ? {} : failedRevision(source, watched, status, signal);
  }

  #notify(watched: WatchedRevision, ended: WatchEnded<string>): void {
    const { startedAt, connectionId } = watched;
    const name = `“${watched.name}” on “${this.#services.connections.get(connectionId)?.name ?? connectionId}”`;
    const status = ended.answer ?? "";
    const after = durationText(Date.now() - startedAt);
    const ask = (shown: Thenable<Button | undefined>): void => {
      void shown.then(
        (button) => button && vscode.commands.executeCommand(button.command, button.about ?? watched),
      );
    };
    const end = revisionEnd(ended);
    switch (end) {
      case "done":
        ask(showInformation(`${name} is deployed, after ${after}.`, run, openLog));
        break;
      case "failed":
        void this.#failure(watched, status).then(({ reason, before }) => {
          const why = reason === undefined ? "" : ` ${reason}.`;
          const back = before === undefined ? [] : [backTo({ ...watched, revisionId: before.id })];
          ask(showError(`${name}: ${statusWords(status)} after ${after}.${why}`, openLog, ...back));
        });
        break;
      case "stopped":
        ask(showWarning(`${name}: the revision was ${stopWords(status)}.`, openLog));
        break;
      case "gone":
        ask(showWarning<Button>(`${name} was deleted while its revision was watched.`));
        break;
      case "deadline": {
        const still = status === "" ? "gave no status" : `is still at “${statusText(status)}”`;
        ask(showWarning(`${name} ${still} after ${after}.`, watchAgain, openLog));
        break;
      }
      case "refused":
        this.#services.report.failure(`Watch ${name}`, ended.error, { connectionId });
        break;
      case "cancelled":
        break;
      default:
        end satisfies never;
    }
  }
}

function backTo(about: RevisionRef): Button {
  return { title: "Redeploy Previous", command: "agentOperations.revision.redeploy", about };
}

function deadlineMs(): number {
  return 60_000 * vscode.workspace.getConfiguration(SECTION).get(SETTINGS.watchDeadlineMinutes, 30);
}

function stopWords(status: string): string {
  return status === "SKIPPED" ? "skipped, a newer one takes its place" : statusText(status).toLowerCase();
}

function endText({ end, answer = "" }: WatchEnded<string>): string {
  const texts: Readonly<Record<typeof end, string>> = {
    over: statusText(answer),
    gone: "Deleted",
    deadline: `Not watched any longer: ${durationText(deadlineMs())} are over`,
    cancelled: "Not watched any longer",
    refused: "Can't be watched",
  };
  return texts[end];
}

const activityEnds: Readonly<Record<RevisionEnd, ActivityEnd>> = {
  done: "done",
  failed: "failed",
  stopped: "stopped",
  gone: "stopped",
  deadline: "stopped",
  cancelled: "stopped",
  refused: "failed",
};

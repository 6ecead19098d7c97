/** The watches of revisions that this window was asked for; they go on after a reload, and each tells its end once. */

import * as vscode from "vscode";
import type { Activity, ActivityLog } from "../kit/activityLog.ts";
import type { RevisionRef, WatchedRevision } from "../connections/connection.ts";
import type { Connections } from "../connections/connections.ts";
import { durationText } from "../kit/duration.ts";
import type { Deployments } from "./deployments.ts";
import { SECTION, SETTINGS } from "../kit/ids.ts";
import type { Platforms } from "../connections/platforms.ts";
import type { Report } from "../kit/report.ts";
import { statusText } from "./revisionStatus.ts";
import { watchRevision } from "./revisionWatch.ts";
import type { WatchEnd, WatchState } from "./revisionWatch.ts";
import { tellEnd } from "./watchEnd.ts";

interface WatchServices {
  readonly activity: ActivityLog;
  readonly connections: Connections;
  readonly context: Pick<vscode.ExtensionContext, "workspaceState">;
  readonly deployments: Deployments;
  readonly platforms: Platforms;
  readonly report: Report;
}

interface Watch {
  readonly watched: WatchedRevision;
  readonly ended: AbortController;
  readonly activity: Activity;
  state: WatchState;
}

const memoryName = "watches";

/** The revisions that are watched, and those whose watch has ended. */
export class Watches implements vscode.Disposable {
  readonly #services: WatchServices;
  readonly #watches = new Map<string, Watch>();
  readonly #changed = new vscode.EventEmitter<RevisionRef>();
  /** A watch began, heard something or ended. */
  readonly onDidChange = this.#changed.event;
  #disposed = false;

  constructor(services: WatchServices) {
    this.#services = services;
    for (const watched of this.#remembered()) this.#watch(watched);
  }

  /** Watches the revision until it has ended; one that is watched already goes on. */
  begin(ref: RevisionRef, name: string): void {
    const { connectionId, deploymentId, revisionId } = ref;
    const known = this.#watches.get(revisionId);
    if (known !== undefined && known.state.kind !== "ended") return;
    const watched = { connectionId, deploymentId, revisionId, name, startedAt: Date.now() };
    this.#watch(watched);
    this.#remember();
  }

  /** What the watch of a revision knows; undefined when it was not watched. */
  state({ revisionId }: Pick<RevisionRef, "revisionId">): WatchState | undefined {
    return this.#watches.get(revisionId)?.state;
  }

  /** Ends the watch, not the revision. */
  cancel({ revisionId }: Pick<RevisionRef, "revisionId">): void {
    this.#watches.get(revisionId)?.ended.abort();
  }

  /** What was watched stays remembered for the next window. */
  dispose(): void {
    this.#disposed = true;
    for (const { ended } of this.#watches.values()) ended.abort();
    this.#changed.dispose();
  }

  #watch(watched: WatchedRevision): void {
    const { activity, connections } = this.#services;
    const ended = new AbortController();
    const watch: Watch = {
      watched,
      ended,
      activity: activity.begin({
        title: watched.name,
        detail: `Revision ${watched.revisionId} on ${connections.get(watched.connectionId)?.name ?? "?"}`,
        startedAt: watched.startedAt,
        cancel: () => ended.abort(),
        open: { command: "agentOperations.revision.openLog", title: "Open Log", arguments: [watched] },
      }),
      state: { kind: "asking", status: undefined },
    };
    this.#watches.set(watched.revisionId, watch);
    this.#changed.fire(watched);
    void watchRevision({
      read: (signal) => this.#status(watched, signal),
      onState: (state) => this.#tell(watch, state),
      signal: ended.signal,
      deadlineMs: watched.startedAt + deadlineMs() - Date.now(),
    });
  }

  async #status(
    { connectionId, deploymentId, revisionId }: RevisionRef,
    signal?: AbortSignal,
  ): Promise<string> {
    const { revisions } = await this.#services.platforms.controlPlane(connectionId);
    const { status } = await revisions.get(deploymentId, revisionId, { signal });
    return status ?? "UNKNOWN";
  }

  #tell(watch: Watch, state: WatchState): void {
    if (this.#disposed) return;
    const moved = watch.state.status !== state.status;
    watch.state = state;
    const { activity, watched } = watch;
    switch (state.kind) {
      case "asking":
        activity.step(statusText(state.status ?? "UNKNOWN"));
        break;
      case "waiting":
        activity.wait(`Waiting: ${this.#services.report.words(state.error).message}`);
        break;
      case "ended":
        if (state.status !== undefined) activity.step(statusText(state.status));
        activity.finish(ends[state.end], endText(state));
        this.#remember();
        tellEnd(watched, state, this.#services.report);
        break;
      default:
        state satisfies never;
    }
    this.#changed.fire(watched);
    // Views that show the deployment keep step with what is heard of it.
    if (moved) this.#services.deployments.touched(watched);
  }

  #remember(): void {
    const open = [...this.#watches.values()].filter(({ state }) => state.kind !== "ended");
    const watched = open.length === 0 ? undefined : open.map((watch) => watch.watched);
    void this.#services.context.workspaceState.update(memoryName, watched);
  }

  #remembered(): readonly WatchedRevision[] {
    return this.#services.context.workspaceState.get<readonly WatchedRevision[]>(memoryName, []);
  }
}

function deadlineMs(): number {
  return 60_000 * vscode.workspace.getConfiguration(SECTION).get(SETTINGS.watchDeadlineMinutes, 30);
}

function endText({ end, status }: WatchState & { readonly kind: "ended" }): string {
  switch (end) {
    case "done":
    case "failed":
    case "stopped":
      return statusText(status ?? "");
    case "gone":
      return "Deleted";
    case "deadline":
      return `Not watched any longer: ${durationText(deadlineMs())} are over`;
    case "cancelled":
      return "Not watched any longer";
    case "refused":
      return "Can't be watched";
    default:
      return end satisfies never;
  }
}

const ends: Readonly<Record<WatchEnd, "done" | "failed" | "stopped">> = {
  done: "done",
  failed: "failed",
  stopped: "stopped",
  gone: "stopped",
  deadline: "stopped",
  cancelled: "stopped",
  refused: "failed",
};

import { uuid7 } from "../kit/ids.ts";
import type { JsonObject } from "../kit/json.ts";
import type { Store } from "../store/store.ts";
import {
  type Deployment,
  isFinal,
  type Revision,
  type RevisionStatus,
  type Source,
  type Stage,
  upstreamOf,
} from "./deployment.ts";
import type { Deployments } from "./deployments.ts";
import { isUp } from "./proxy.ts";
import type { LogLevel, RevisionLogs } from "./revisionLogs.ts";
import type { Revisions } from "./revisions.ts";
import type { RolloutSettings } from "./rolloutSettings.ts";

/** What a rollout works on. */
export interface RolloutParts {
  readonly store: Store;
  readonly deployments: Deployments;
  readonly revisions: Revisions;
  readonly revisionLogs: RevisionLogs;
  readonly rolloutSettings: RolloutSettings;
}

/** Takes revisions through their statuses, one at a time per deployment, also across restarts. */
export class Rollout {
  readonly #parts: RolloutParts;
  readonly #timers = new Map<string, NodeJS.Timeout>();
  readonly #stopped = new AbortController();

  constructor(parts: RolloutParts) {
    this.#parts = parts;
  }

  /** Takes up the revisions that were on their way when the process ended, or lets all go on at a new pace. */
  start(): void {
    for (const { id } of this.#parts.revisions.unfinished()) this.#schedule(id);
  }

  stop(): void {
    this.#stopped.abort();
    for (const timer of this.#timers.values()) clearTimeout(timer);
    this.#timers.clear();
  }

  /** Makes a revision and sends it on its way; those that have not begun to run are skipped for it. */
  create(deployment: Deployment, source: Source, config: JsonObject): Revision {
    const { revisions, deployments, rolloutSettings } = this.#parts;
    for (const earlier of revisions.unfinished(deployment.id)) {
      if (isWaiting(earlier)) this.#settle(earlier, "SKIPPED", "INFO", "A newer revision takes its place.");
    }
    const now = new Date().toISOString();
    const revision: Revision = {
      id: uuid7(),
      deployment_id: deployment.id,
      status: "CREATING",
      source,
      source_revision_config: config,
      fail_at: rolloutSettings.takeFailure() ?? failureNamedIn(config),
      created_at: now,
      updated_at: now,
    };
    revisions.insert(revision);
    deployments.update(deployment.id, { latest_revision_id: revision.id });
    this.#schedule(revision.id);
    return revision;
  }

  /** Stops a revision on its way; answers whether it was. */
  interrupt(revision: Revision): boolean {
    if (isFinal(revision.status)) return false;
    this.#settle(revision, "INTERRUPTED", "WARNING", "Interrupted on request.");
    return true;
  }

  #schedule(revisionId: string): void {
    clearTimeout(this.#timers.get(revisionId));
    const timer = setTimeout(() => {
      this.#timers.delete(revisionId);
      this.#step(revisionId).catch((error: unknown) => {
        console.error(`Revision ${revisionId} could not be taken further:`, error);
      });
    }, this.#parts.rolloutSettings.stepMs);
    this.#timers.set(revisionId, timer);
  }

  async #step(revisionId: string): Promise<void> {
    const revision = this.#parts.revisions.find(revisionId);
    const deployment = revision && this.#parts.deployments.get(revision.deployment_id);
    if (revision === undefined || deployment === undefined || isFinal(revision.status)) return;
    if (revision.status === "DEPLOYING") await this.#deploy(deployment, revision);
    else this.#advance(deployment, revision);
    await this.#parts.store.flushed();
  }

  #advance(deployment: Deployment, revision: Revision): void {
    switch (revision.status) {
      case "CREATING":
        if (revision.fail_at === "create") {
          this.#settle(revision, "CREATE_FAILED", "ERROR", "The database could not be created.");
          return;
        }
        if (deployment.status === "AWAITING_DATABASE") {
          this.#parts.deployments.update(deployment.id, { status: "READY" });
        }
        this.#move(revision, "QUEUED", "Queued.");
        return;
      case "QUEUED":
        if (this.#isOtherAtWork(revision)) this.#schedule(revision.id);
        else if (isImage(revision)) this.#move(revision, "AWAITING_DEPLOY", "The image needs no build.");
        else this.#move(revision, "AWAITING_BUILD", "Waiting for a builder.");
        return;
      case "AWAITING_BUILD":
        this.#move(revision, "BUILDING", `Building ${describe(revision)}.`);
        return;
      case "BUILDING":
        if (revision.fail_at === "build") {
          this.#settle(revision, "BUILD_FAILED", "ERROR", "The build failed: exit code 1.");
        } else {
          this.#log(revision, "INFO", "The build succeeded.");
          this.#move(revision, "AWAITING_DEPLOY", "Waiting to be deployed.");
        }
        return;
      case "AWAITING_DEPLOY":
        this.#move(revision, "DEPLOYING", `Starting ${upstreamOf(deployment) ?? "the agent server"}.`);
        return;
      default:
        return;
    }
  }

  /** A fronted agent server must answer before it counts as deployed. */
  async #deploy(deployment: Deployment, revision: Revision): Promise<void> {
    const upstream = upstreamOf(deployment);
    if (revision.fail_at === "deploy") {
      this.#settle(revision, "DEPLOY_FAILED", "ERROR", "The agent server did not become healthy.");
      return;
    }
    const up = upstream === undefined || (await isUp(upstream, this.#stopped.signal));
    // Meanwhile it may have been interrupted, or everything may be going down.
    if (this.#stopped.signal.aborted) return;
    if (this.#parts.revisions.find(revision.id)?.status !== "DEPLOYING") return;
    if (up) {
      this.#settle(
        revision,
        "DEPLOYED",
        "INFO",
        "The agent server is healthy; this revision is being served.",
      );
      this.#parts.deployments.update(deployment.id, { active_revision_id: revision.id });
      return;
    }
    if (Date.now() - Date.parse(revision.updated_at) < this.#parts.rolloutSettings.probeTimeoutMs) {
      this.#log(revision, "WARNING", `${upstream}/ok does not answer yet.`);
      this.#schedule(revision.id);
    } else {
      this.#settle(revision, "DEPLOY_FAILED", "ERROR", `${upstream}/ok did not answer in time.`);
    }
  }

  #isOtherAtWork(revision: Revision): boolean {
    const others = this.#parts.revisions.unfinished(revision.deployment_id);
    return others.some((other) => other.id !== revision.id && !isWaiting(other));
  }

  #move(revision: Revision, status: RevisionStatus, message: string): void {
    this.#parts.revisions.setStatus(revision.id, status);
    this.#log({ ...revision, status }, "INFO", message);
    this.#schedule(revision.id);
  }

  #settle(revision: Revision, status: RevisionStatus, level: LogLevel, message: string): void {
    clearTimeout(this.#timers.get(revision.id));
    this.#timers.delete(revision.id);
    this.#log(revision, level, message);
    this.#parts.revisions.setStatus(revision.id, status);
  }

  /** What happens before a revision is being deployed belongs to its build log. */
  #log(revision: Revision, level: LogLevel, message: string): void {
    const deploying = ["AWAITING_DEPLOY", "DEPLOYING"].includes(revision.status);
    this.#parts.revisionLogs.add(revision, deploying ? "deploy" : "build", level, message);
  }
}

function isWaiting({ status }: Revision): boolean {
  return status === "CREATING" || status === "QUEUED";
}

function isImage({ source }: Revision): boolean {
  return source === "external_docker" || source === "internal_docker";
}

/** For tests and demos: a ref, an image or a path that names the failure it wants. */
function failureNamedIn(config: JsonObject): Stage | null {
  const stage = /fail-(create|build|deploy)/.exec(JSON.stringify(config))?.[1];
  return stage === "create" || stage === "build" || stage === "deploy" ? stage : null;
}

function describe({ source_revision_config: config }: Revision): string {
  const named = config.repo_ref ?? config.source_tarball_path ?? config.image_uri;
  return typeof named === "string" ? named : "the source";
}

/** What is broken of the deployments and agent servers of a connection: failed revisions, servers that do not answer, runs without an end. */

import type { ThreadSearch } from "../../api/agentServer/wire.ts";
import { refusesKey } from "../../api/advice.ts";
import { ApiError } from "../../api/errors.ts";
import { isTransient } from "../../api/retry.ts";
import { progressOfRevision } from "../../api/controlPlane/status.ts";
import { type AgentServerRef, type ConnectionSetting, isPlatform } from "../connections/connection.ts";
import type { Platforms } from "../connections/platforms.ts";
import { serverKey } from "../connections/serverRef.ts";
import { type DeploymentFacts, nameOf } from "../deployments/deploymentFacts.ts";
import { runningServer } from "../deployments/deploymentServers.ts";
import { reasonOf } from "../deployments/revisionFailure.ts";
import { statusWords } from "../deployments/revisionStatus.ts";
import { adviceFor } from "../kit/remedies.ts";
import { counted, durationText, firstLine } from "../kit/words.ts";
import type { AgentServers } from "../threads/servers/agentServers.ts";
import { factsOf } from "../threads/threadFacts.ts";
import type { Threads } from "../threads/threads.ts";
import { cannotBeAsked, type ListedFailure, timeOf } from "./listedFailure.ts";
import type { Rounds } from "./rounds.ts";

/** Where it is looked for. */
export interface DeploymentFailureNeeds {
  readonly agentServers: Pick<AgentServers, "named" | "now" | "threads">;
  readonly platforms: Pick<Platforms, "controlPlane">;
  readonly threads: Pick<Threads, "knownTitle">;
  readonly now: () => number;
  /** A thread that is busy for longer than this counts as stuck, in milliseconds. */
  readonly stuckMs: () => number;
}

/** The most logs that are read per check; the others follow in the next checks. */
const mostLogs = 20;
const mostStuck = 20;
const mostCounted = 100;
/** A thread that failed longer ago is not what is broken now. */
const failedSinceMs = 7 * 86_400_000;
const failed: ThreadSearch = {
  ...{ status: "error", sort_by: "updated_at", sort_order: "desc", limit: mostCounted },
  select: ["thread_id", "status", "updated_at"],
};
const busy = { status: "busy", sort_by: "updated_at", sort_order: "asc", limit: mostStuck } as const;

/** Checks one connection after the other; an ended revision that was read is not asked for again. */
export class DeploymentFailures {
  readonly #needs: DeploymentFailureNeeds;
  readonly #servers: Rounds<readonly ListedFailure[]>;
  /** Why revisions failed, by their ids. */
  readonly #reasons = new Map<string, string>();

  constructor(needs: DeploymentFailureNeeds, servers: Rounds<readonly ListedFailure[]>) {
    this.#needs = needs;
    this.#servers = servers;
  }

  /** The failed revisions among deployments that were read, with the reasons that are known; asks nobody. */
  revisions(connectionId: string, facts: readonly DeploymentFacts[]): readonly ListedFailure[] {
    return facts.filter(hasFailed).map((one) => {
      const { id: deploymentId, latest } = one;
      const revisionId = latest?.id ?? "";
      const status = latest?.status ?? "";
      return {
        key: `revision ${connectionId} ${revisionId}`,
        kind: "revision",
        ref: { connectionId, deploymentId, revisionId, name: nameOf(one) },
        name: nameOf(one),
        what: statusWords(status),
        reason: this.#reasons.get(revisionId) ?? "",
        at: timeOf(latest?.updated_at ?? latest?.created_at, this.#needs.now()),
      };
    });
  }

  /** Asks for the reasons that are not known yet; those that can't be asked for now stay unknown. */
  async readReasons(
    connectionId: string,
    facts: readonly DeploymentFacts[],
    signal: AbortSignal,
  ): Promise<void> {
    const unread = facts.filter((one) => hasFailed(one) && !this.#reasons.has(one.latest?.id ?? ""));
    await Promise.all(unread.slice(0, mostLogs).map((one) => this.#readReason(connectionId, one, signal)));
  }

  /** Servers that do not answer and runs without an end; throws what keeps the connection from being asked. */
  async servers(
    setting: ConnectionSetting,
    facts: readonly DeploymentFacts[],
    signal: AbortSignal,
  ): Promise<readonly ListedFailure[]> {
    const { id } = setting;
    const { agentServers } = this.#needs;
    const servers = [
      ...facts.flatMap((one) => runningServer(id, one) ?? []),
      ...(await agentServers.named(id)),
    ];
    const ask = (server: AgentServerRef) => this.#onServer(setting, server, signal);
    return (await this.#servers.check(id, servers, serverKey, ask)).flat();
  }

  /** A log that can't be read now is read the next time. */
  async #readReason(
    connectionId: string,
    { id: deploymentId, latest }: DeploymentFacts,
    signal: AbortSignal,
  ): Promise<void> {
    if (latest === undefined) return;
    try {
      const source = await this.#needs.platforms.controlPlane(connectionId);
      const ref = { connectionId, deploymentId, revisionId: latest.id };
      const reason = await reasonOf(source, ref, latest.status ?? undefined, signal);
      this.#reasons.set(latest.id, reason ?? "");
    } catch (error) {
      if (error instanceof ApiError && error.kind === "unsupported") this.#reasons.set(latest.id, "");
    }
  }

  /**
   * Whether the server answers, which of its runs are stuck, and how many of its threads failed, by two requests;
   * nothing where it can't say so just now.
   */
  async #onServer(
    setting: ConnectionSetting,
    server: AgentServerRef,
    signal: AbortSignal,
  ): Promise<readonly ListedFailure[] | undefined> {
    const { stuckMs, agentServers } = this.#needs;
    try {
      const threads = await agentServers.threads(server);
      const found = await threads.search(busy, { signal });
      const now = agentServers.now(server);
      const stuck = found.threads
        .filter(({ status, updated_at }) => status === "busy" && now - timeOf(updated_at, now) > stuckMs())
        .map((thread) => {
          const { thread_id: threadId, updated_at } = thread;
          const at = timeOf(updated_at, now);
          const ref = { connectionId: setting.id, server: server.server, threadId };
          return {
            key: `run ${serverKey(server)} ${threadId} ${updated_at}`,
            kind: "run" as const,
            ref,
            name: factsOf(thread, this.#needs.threads.knownTitle(ref)).title,
            what: `runs without an end`,
            reason: `Busy for ${durationText(now - at)} on ${server.name}`,
            at,
          };
        });
      return [...stuck, ...(await this.#failedOn(server, threads, signal))];
    } catch (error) {
      if (signal.aborted) return undefined;
      if (!cannotBeAsked(error)) return isTransient(error) ? undefined : [];
      // The connection itself is what can't be asked.
      if (!isPlatform(setting)) throw error;
      // A server at an address of its own gets the key only when a person said so.
      if (refusesKey(error)) return [];
      const { server: ref, name } = server;
      const ids = ref.kind === "deployment" ? { deploymentId: ref.deploymentId } : {};
      return [
        {
          key: `server ${serverKey(server)}`,
          kind: "server",
          ref: { connectionId: setting.id, server: ref, ...ids, name },
          name,
          what: "does not answer",
          reason: firstLine(adviceFor(error).message),
          at: this.#needs.now(),
          error,
        },
      ];
    }
  }

  /** The failed threads of a server that answers, as one row; none where it can't be asked for them. */
  async #failedOn(
    server: AgentServerRef,
    threads: Awaited<ReturnType<AgentServers["threads"]>>,
    signal: AbortSignal,
  ): Promise<readonly ListedFailure[]> {
    const found = await threads.search(failed, { signal }).catch(() => undefined);
    const now = this.#needs.agentServers.now(server);
    const those = (found?.threads ?? []).filter(
      ({ status, updated_at }) => status === "error" && now - timeOf(updated_at, 0) < failedSinceMs,
    );
    const at = Math.max(...those.map(({ updated_at }) => timeOf(updated_at, now)));
    const isCut = those.length === mostCounted && found?.hasMore === true;
    if (those.length === 0) return [];
    return [
      {
        key: `threads ${serverKey(server)} ${String(at)}`,
        kind: "threads",
        ref: { connectionId: server.connectionId, server: server.server, name: server.name },
        name: server.name,
        what: `${isCut ? "more than " : ""}${counted(those.length, "failed thread")}`,
        reason: "Their last runs ended with an error",
        at,
      },
    ];
  }
}

function hasFailed({ latest }: DeploymentFacts): boolean {
  return latest !== undefined && progressOfRevision(latest) === "failed";
}

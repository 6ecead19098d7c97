/** What is broken of a platform beside its deployments: agents, exports, deliveries of issues. */

import type { BulkExport } from "../../api/bulkExports/bulkExport.ts";
import { isFailed } from "../../api/bulkExports/bulkExport.ts";
import type { LocalDelivery, LocalIssues } from "../../api/localIssues.ts";
import type { AgentSummary } from "../../api/managedAgents/wire.ts";
import { isTransient } from "../../api/retry.ts";
import { failingServers, isHealthy } from "../agents/agentHealth.ts";
import type { Agents } from "../agents/agents.ts";
import type { ConnectionSetting } from "../connections/connection.ts";
import type { Platforms } from "../connections/platforms.ts";
import { errorsOf, exportName, statusText } from "../destinations/exportText.ts";
import { adviceFor } from "../kit/remedies.ts";
import { firstLine } from "../kit/words.ts";
import { cannotBeAsked, type ListedFailure, timeOf } from "./listedFailure.ts";
import type { Rounds } from "./rounds.ts";

/** Where it is looked for. */
export interface PlatformFailureNeeds {
  readonly agents: Pick<Agents, "checkHealth">;
  readonly platforms: Pick<Platforms, "managedAgents" | "exportJobs">;
  /** What only the Local Platform has: its deliveries. */
  readonly localIssues: () => Promise<Pick<LocalIssues, "webhooks" | "deliveries">>;
  readonly now: () => number;
}

const dayMs = 86_400_000;
/** What failed longer ago is not what is broken now. */
const exportsSinceMs = 7 * dayMs;
const deliveriesSinceMs = dayMs;
const mostAgents = 100;

/** Checks one platform after the other; the reason of a failed export is asked for once. */
export class PlatformFailures {
  readonly #needs: PlatformFailureNeeds;
  readonly #agents: Rounds<readonly ListedFailure[]>;
  readonly #reasons = new Map<string, string>();

  constructor(needs: PlatformFailureNeeds, agents: Rounds<readonly ListedFailure[]>) {
    this.#needs = needs;
    this.#agents = agents;
  }

  /** Exports that failed within a week. */
  async exports(
    { id: connectionId }: ConnectionSetting,
    signal: AbortSignal,
  ): Promise<readonly ListedFailure[]> {
    const { now, platforms } = this.#needs;
    const jobs = (await (await platforms.exportJobs(connectionId)).list({ signal })) ?? [];
    const failed = jobs.filter((job) => isFailed(job.status) && now() - endOf(job, now()) < exportsSinceMs);
    return Promise.all(
      failed.map(async (job) => ({
        key: `export ${connectionId} ${job.id}`,
        kind: "export" as const,
        ref: {
          connectionId,
          exportId: job.id,
          destinationId: job.bulk_export_destination_id,
          name: exportName(job),
          status: job.status,
        },
        name: `Export ${exportName(job)}`,
        what: statusText(job.status).toLowerCase(),
        reason: await this.#reasonOfExport(connectionId, job.id, signal),
        at: endOf(job, now()),
      })),
    );
  }

  /** Agents whose check says that they could not work; a few are checked each time, and each one rarely. */
  async agents(
    { id: connectionId }: ConnectionSetting,
    signal: AbortSignal,
  ): Promise<readonly ListedFailure[]> {
    const api = await this.#needs.platforms.managedAgents(connectionId);
    const { items } = await api.agents.page({ page_size: mostAgents }, { signal });
    const found = await this.#agents.check(
      connectionId,
      items,
      ({ id }) => id,
      (agent) => this.#check(connectionId, agent),
    );
    return found.flat();
  }

  /** Deliveries that the Local Platform gave up within a day, one row for each event. */
  async deliveries(
    { id: connectionId }: ConnectionSetting,
    signal: AbortSignal,
  ): Promise<readonly ListedFailure[]> {
    const client = await this.#needs.localIssues();
    const webhooks = await client.webhooks({ signal });
    const lists = await Promise.all(
      webhooks.map(async ({ id, url }) =>
        lastAttempts(await client.deliveries(id, { signal })).map((delivery) => ({ delivery, id, url })),
      ),
    );
    const { now } = this.#needs;
    return lists
      .flat()
      .filter(
        ({ delivery }) => delivery.state === "failed" && now() - timeOf(delivery.at, 0) < deliveriesSinceMs,
      )
      .map(({ delivery: { event_id, type, status, error, at }, id, url }) => ({
        key: `delivery ${connectionId} ${id} ${event_id}`,
        kind: "delivery",
        ref: { connectionId },
        name: `Delivery of ${type}`,
        what: "failed",
        reason: firstLine(`${url}: ${error ?? `status ${String(status ?? "unknown")}`}`),
        at: timeOf(at, now()),
      }));
  }

  async #check(
    connectionId: string,
    { id: agentId, name }: AgentSummary,
  ): Promise<readonly ListedFailure[] | undefined> {
    const failed = (reason: string): readonly ListedFailure[] => [
      {
        key: `agent ${connectionId} ${agentId}`,
        kind: "agent",
        ref: { connectionId, agentId, name },
        name,
        what: "is not healthy",
        reason: firstLine(reason),
        at: this.#needs.now(),
      },
    ];
    try {
      const report = await this.#needs.agents.checkHealth({ connectionId, agentId });
      if (isHealthy(report)) return [];
      const failing = failingServers(report).map(({ url, error }) =>
        error === undefined ? `${url} fails` : `${url} fails: ${error}`,
      );
      return failed(failing.join("; ") || "A check of the platform failed");
    } catch (error) {
      // A platform that is away says nothing about its agents, and is a row of its own.
      return cannotBeAsked(error) || isTransient(error) ? undefined : failed(adviceFor(error).message);
    }
  }

  async #reasonOfExport(connectionId: string, exportId: string, signal: AbortSignal): Promise<string> {
    const known = this.#reasons.get(exportId);
    if (known !== undefined) return known;
    const jobs = await this.#needs.platforms.exportJobs(connectionId);
    const runs = await jobs.runs(exportId, { signal }).catch(() => undefined);
    if (runs === undefined) return "";
    const [last] = runs.flatMap(errorsOf);
    const reason = firstLine(last?.text ?? "");
    this.#reasons.set(exportId, reason);
    return reason;
  }
}

function endOf({ finished_at, updated_at, created_at }: BulkExport, now: number): number {
  return timeOf(finished_at ?? updated_at ?? created_at, now);
}

/** Of each event the attempt that was made last. */
function lastAttempts(attempts: readonly LocalDelivery[]): readonly LocalDelivery[] {
  const byEvent = Map.groupBy(attempts, ({ event_id }) => event_id);
  return [...byEvent.values()].map((of) =>
    of.reduce((last, one) => (one.attempt >= last.attempt ? one : last)),
  );
}

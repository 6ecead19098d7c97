/** How a change of many deployments is done to one of them. */

import type { Deployment, Secret } from "../../../api/controlPlane/wire.ts";
import { pollWithin } from "../../../api/poll.ts";
import type { Clock } from "../../../api/retry.ts";
import type { BulkItem, BulkJob } from "../../bulk/bulkJob.ts";
import { type BulkWork, LeftOut, type Made } from "../../bulk/bulkRound.ts";
import type { DeploymentRef } from "../../connections/connection.ts";
import type { Platforms } from "../../connections/platforms.ts";
import type { Deployments } from "../deployments.ts";
import { reasonOf } from "../revisionFailure.ts";
import { isRevisionOver, revisionEnd, statusText } from "../revisionStatus.ts";
import { type BulkChange, patchOf, servedBy } from "./bulkChange.ts";

/** A deployment that is changed; before and afterwards it is known by its latest revision. */
export interface DeploymentItem extends BulkItem, DeploymentRef {}

/** A change of many deployments. */
export type DeploymentJob = BulkJob<DeploymentItem, BulkChange>;

/** All secrets that a deployment is to have, by `keyOf` the deployment; kept in memory alone. */
export type BulkSecrets = ReadonlyMap<string, readonly Secret[]>;

interface Needs {
  readonly clock: Clock;
  readonly deployments: Pick<Deployments, "get" | "patch" | "redeploy" | "changed">;
  readonly platforms: Pick<Platforms, "controlPlane">;
  readonly deadlineMs: () => number;
}

/** Tells deployments of all connections apart. */
export function keyOf({ connectionId, deploymentId }: DeploymentRef): string {
  return `${connectionId} ${deploymentId}`;
}

/** The work of one change. */
export function deploymentWork(
  { clock, deployments, platforms, deadlineMs }: Needs,
  change: BulkChange,
  secrets: BulkSecrets,
): BulkWork<DeploymentItem> {
  const latestOf = (deployment: Deployment): string | null => deployment.latest_revision_id ?? null;
  const madeOf = (latest: string | null, { before }: DeploymentItem): Made =>
    latest === null || latest === before ? { said: "No new revision was needed." } : { made: latest };
  const send = async (item: DeploymentItem, deployment: Deployment): Promise<string | null> => {
    const { connectionId, deploymentId } = item;
    const ref = { connectionId, deploymentId };
    if (change.kind === "redeploy") {
      const revisionId = servedBy(deployment) ?? "";
      return (await deployments.redeploy({ ...ref, revisionId })) ?? null;
    }
    const body = patchOf(deployment, change, secrets.get(keyOf(item)) ?? []);
    return latestOf(body === undefined ? deployment : await deployments.patch(ref, body));
  };
  return {
    prepare: async (item) => {
      const deployment = await deployments.get(item);
      if (latestOf(deployment) !== item.before)
        throw new LeftOut("Another revision was made since you were asked: nothing was sent.");
      return async () => madeOf(await send(item, deployment), item);
    },
    checkSent: async (item) => {
      const latest = latestOf(await deployments.get(item));
      return latest === null || latest === item.before ? { not: {} } : { done: { made: latest } };
    },
    follow: async ({ connectionId, deploymentId, made: revisionId = "" }, signal) => {
      const ref = { connectionId, deploymentId, revisionId };
      const source = await platforms.controlPlane(connectionId);
      const ask = async (): Promise<string> =>
        (await source.revisions.get(deploymentId, revisionId, { signal })).status ?? "UNKNOWN";
      const answer = await pollWithin(ask, {
        ...{ until: isRevisionOver, moved: (one, other) => one !== other, signal, clock },
        ...{ deadlineMs: deadlineMs(), onTransient: () => undefined },
      });
      if (answer === undefined) return { isDone: false, said: "It was not deployed in time." };
      deployments.changed(ref);
      if (revisionEnd({ kind: "ended", end: "over", answer }) === "done") return { isDone: true, said: "" };
      const reason = await reasonOf(source, ref, answer, signal).catch(() => undefined);
      return {
        isDone: false,
        said: [statusText(answer), ...(reason === undefined ? [] : [reason])].join(": "),
      };
    },
  };
}

/** Work on many things: begun, gone on with after a reload, and reported. */

import type { BulkJob } from "../bulk/bulkJob.ts";
import { progressText } from "../bulk/bulkJob.ts";
import type { AgentServerRef } from "../connections/connection.ts";
import type { DeploymentJob } from "../deployments/bulk/deploymentWork.ts";
import type { BulkReports } from "../documents/bulkReports.ts";
import { meant, refOf } from "../kit/ask/meant.ts";
import { askChoice } from "../kit/ask/questions.ts";
import { VIEWS } from "../kit/ids.ts";
import type { CommandsOf } from "../kit/commands.ts";
import { NotPossibleError } from "../kit/remedies.ts";
import { localTime, withoutIcons } from "../kit/words.ts";
import type { Services } from "../services.ts";
import type { Views } from "../views/index.ts";
import type { RepairJob } from "../threads/bulk/repairWork.ts";
import type { StopJob } from "../threads/bulk/runStops.ts";
import type { DeleteJob } from "../threads/bulk/threadDeletion.ts";
import { changeDeployments, goOnWithDeployments } from "./deployments/bulk.ts";
import { deleteThreads, goOnWithDeletion } from "./threads/bulkDelete.ts";
import { goOnWithRepair, repairFailed } from "./threads/bulkRepair.ts";
import { goOnWithStops, stopRuns } from "./threads/bulkStop.ts";
import { serverOf } from "./threads/threadChoice.ts";

interface Surfaces {
  readonly bulkReports: BulkReports;
  readonly views: Pick<Views, "deployments">;
}

/** The commands of work on many things. */
export function commands(services: Services, { bulkReports, views }: Surfaces): CommandsOf<"bulk"> {
  return {
    "agentOperations.bulk.begin": async (...args) => {
      const rows = views.deployments.selectedDeployments;
      const named = meant(args, "deploymentId", [{ viewId: VIEWS.deployments, rows }]);
      const refs = named ?? (rows.length > 1 ? rows : undefined);
      await changeDeployments(services, refs);
    },
    "agentOperations.bulk.goOn": async (named) => {
      const job = await jobMeant(services, refOf(named, "bulkId")?.bulkId);
      const { kind } = job.change;
      if (kind === "retry" || kind === "skip" || kind === "edit")
        await goOnWithRepair(services, job as RepairJob);
      else if (kind === "stop") await goOnWithStops(services, job as StopJob);
      else if (kind === "delete") await goOnWithDeletion(services, job as DeleteJob);
      else await goOnWithDeployments(services, job as DeploymentJob);
    },
    "agentOperations.bulk.repairThreads": async (node) => {
      await repairFailed(services, await serverMeant(services, node));
    },
    "agentOperations.bulk.stopRuns": async (node) => {
      await stopRuns(services, await serverMeant(services, node));
    },
    "agentOperations.bulk.deleteThreads": async (node) => {
      await deleteThreads(services, await serverMeant(services, node));
    },
    "agentOperations.bulk.openReport": async (named) => {
      const id = refOf(named, "bulkId")?.bulkId;
      if (id !== undefined) await bulkReports.show(id);
    },
  };
}

async function serverMeant(services: Services, node: unknown): Promise<AgentServerRef | undefined> {
  const server = await serverOf(services, node);
  return server === undefined ? undefined : services.agentServers.find(server);
}

async function jobMeant({ bulkChanges }: Services, id: string | undefined): Promise<BulkJob> {
  const jobs = await bulkChanges.unfinished();
  const named = jobs.find((job) => job.id === id);
  if (named !== undefined) return named;
  const [first, ...others] = jobs;
  if (first === undefined)
    throw new NotPossibleError("No bulk change is left unfinished.", "Begin one first.");
  if (others.length === 0) return first;
  const choices = jobs.map((value) => ({
    label: withoutIcons(value.title),
    description: localTime(new Date(value.startedAt).toISOString()),
    detail: progressText(value),
    value,
  }));
  return askChoice({ title: "Continue Bulk Change" }, choices, { placeholder: "Which one?" });
}

import type { Bin } from "../bulkExports/exportClient.ts";
import type { LocalPlatform } from "../../../support/localPlatform.ts";
import { McpClient } from "../../../support/mcpClient.ts";
import { changeApiKeys } from "./apiKeys.ts";
import { exporting } from "./bulkExports.ts";
import { changeDeployments } from "./deployments.ts";
import { changeWebhooks, openIssues } from "./issueWebhooks.ts";
import type { Writer } from "./ledger.ts";
import { changeManagedAgents } from "./managedAgents.ts";
import { finishRuns, leaveRuns, queueBehindRuns } from "./runs.ts";
import { deleteThreads, patchThreads, updateStates } from "./threads.ts";
import { changeToolServers, connectUsers } from "./toolServers.ts";

/**
 * Everything that clients do at once until the platform is killed; beside it are a tool server that asks for OAuth
 * and a bucket.
 */
export async function prepareWriters(
  platform: LocalPlatform,
  toolServerUrl: string,
  bin: Bin,
): Promise<readonly Writer[]> {
  return [
    patchThreads,
    updateStates,
    finishRuns,
    leaveRuns,
    queueBehindRuns,
    deleteThreads,
    changeManagedAgents,
    changeDeployments,
    openIssues,
    changeWebhooks,
    changeApiKeys,
    changeToolServers,
    connectUsers(await new McpClient(platform).provider(toolServerUrl)),
    await exporting(platform, bin),
  ];
}

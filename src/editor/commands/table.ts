/** Every command's handler, gathered from the files of their nouns. */

import type { Documents } from "../documents/index.ts";
import type { Services } from "../services.ts";
import type { Views } from "../views/index.ts";
import { activityCommands } from "./activity.ts";
import { agentCommands } from "./agents/agent.ts";
import { agentRunCommands } from "./agents/agentRun.ts";
import { agentsCommands } from "./agents/agents.ts";
import { connectionCommands } from "./connections/connection.ts";
import { connectionKeyCommands } from "./connections/connectionKey.ts";
import { connectionTestCommands } from "./connections/connectionTest.ts";
import { deploymentCommands } from "./deployments/deployment.ts";
import { deploymentDraftCommands } from "./deployments/deploymentDraft.ts";
import { deploymentQuickCommands } from "./deployments/deploymentQuick.ts";
import { deploymentsCommands } from "./deployments/deployments.ts";
import { inboxCommands } from "./threads/inbox.ts";
import { destinationCommands } from "./destinations/destination.ts";
import { destinationRotationCommands } from "./destinations/destinationRotation.ts";
import { exportJobCommands } from "./destinations/exportJob.ts";
import type { CommandTable } from "./index.ts";
import { issueCommands } from "./issues/issue.ts";
import { issuesCommands } from "./issues/issues.ts";
import { localPlatformCommands } from "./localPlatform.ts";
import { revisionCommands } from "./deployments/revision.ts";
import { revisionLogCommands } from "./deployments/revisionLog.ts";
import { managedThreadCommands } from "./threads/managedThread.ts";
import { runPanelCommands } from "./runPanel.ts";
import { revisionChangeCommands } from "./deployments/revisionChange.ts";
import { threadCommands } from "./threads/thread.ts";
import type { ThreadPlaces } from "./threads/thread.ts";
import { tokenCommands } from "./toolServers/token.ts";
import { webhookCommands } from "./issues/webhook.ts";
import { webhookToolCommands } from "./issues/webhookTools.ts";
import { agentFileCommands } from "./agents/agentFiles.ts";
import { toolPickCommands } from "./toolServers/toolPick.ts";
import { toolServerCommands } from "./toolServers/toolServer.ts";
import { toolServerConnectCommands } from "./toolServers/toolServerConnect.ts";

/** Where commands show what they do. */
export interface CommandPlaces extends ThreadPlaces, Omit<Documents, "served"> {
  readonly views: Views;
}

/** The table of all handlers. */
export function commandTable(services: Services, places: CommandPlaces): CommandTable {
  const agentPlaces = { agents: places.views.agents, panels: places.panels };
  return {
    ...connectionCommands(services),
    ...connectionKeyCommands(services),
    ...connectionTestCommands(services, places.reports),
    ...localPlatformCommands(services),
    ...deploymentsCommands(places.views.deployments),
    ...deploymentCommands(services, places.views.deployments),
    ...revisionChangeCommands(services),
    ...tokenCommands(services),
    ...threadCommands(services, places),
    ...agentsCommands(places.views.agents),
    ...agentCommands(services, agentPlaces),
    ...agentRunCommands(services, agentPlaces),
    ...managedThreadCommands(services, places.views.agents),
    ...inboxCommands(services, { ...agentPlaces, inbox: places.views.inbox }),
    ...runPanelCommands(places.panels),
    ...issuesCommands(services),
    ...issueCommands(services, {
      view: places.views.issues,
      panels: places.panels,
      documents: places.issueDocuments,
    }),
    ...webhookCommands(services),
    ...webhookToolCommands(services, places.issueDocuments),
    ...deploymentQuickCommands(services, places.drafts),
    ...deploymentDraftCommands(services, places),
    ...revisionCommands(services, places.logs),
    ...revisionLogCommands(places.logs),
    ...activityCommands(services),
    ...agentFileCommands(services, places.agentFiles),
    ...toolServerCommands(services, places.views.toolServers),
    ...toolServerConnectCommands(services, places.views.toolServers),
    ...toolPickCommands(services, places.views.toolServers, places.toolSchemas),
    ...destinationCommands(services, places.views.destinations),
    ...destinationRotationCommands(services, places.views.destinations),
    ...exportJobCommands(services, places.views.destinations),
    "agentOperations.log.show": () => services.log.show(),
  };
}

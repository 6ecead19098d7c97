/** Every command's handler, gathered from the files of their nouns. */

import type { Documents } from "../documents/index.ts";
import type { Services } from "../services.ts";
import type { Views } from "../views/index.ts";
import { activityCommands } from "./activity.ts";
import { agentCommands } from "./agent.ts";
import { agentRunCommands } from "./agentRun.ts";
import { agentsCommands } from "./agents.ts";
import { connectionCommands } from "./connection.ts";
import { connectionKeyCommands } from "./connectionKey.ts";
import { connectionTestCommands } from "./connectionTest.ts";
import { deploymentCommands } from "./deployment.ts";
import { deploymentDraftCommands } from "./deploymentDraft.ts";
import { deploymentQuickCommands } from "./deploymentQuick.ts";
import { deploymentsCommands } from "./deployments.ts";
import { inboxCommands } from "./inbox.ts";
import { destinationCommands } from "./destination.ts";
import { destinationRotationCommands } from "./destinationRotation.ts";
import { exportJobCommands } from "./exportJob.ts";
import type { CommandTable } from "./index.ts";
import { issueCommands } from "./issue.ts";
import { issuesCommands } from "./issues.ts";
import { localPlatformCommands } from "./localPlatform.ts";
import { revisionCommands } from "./revision.ts";
import { revisionLogCommands } from "./revisionLog.ts";
import { managedThreadCommands } from "./managedThread.ts";
import { runPanelCommands } from "./runPanel.ts";
import { revisionChangeCommands } from "./revisionChange.ts";
import { threadCommands } from "./thread.ts";
import type { ThreadPlaces } from "./thread.ts";
import { tokenCommands } from "./token.ts";
import { webhookCommands } from "./webhook.ts";
import { webhookToolCommands } from "./webhookTools.ts";
import { agentFileCommands } from "./agentFiles.ts";
import { toolPickCommands } from "./toolPick.ts";
import { toolServerCommands } from "./toolServer.ts";
import { toolServerConnectCommands } from "./toolServerConnect.ts";

/** Where commands show what they do. */
export interface CommandPlaces extends ThreadPlaces, Omit<Documents, "served"> {
  readonly views: Views;
}

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

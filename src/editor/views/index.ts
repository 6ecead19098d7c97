/** Every view of the sidebar, made once. */

import type { Services } from "../services.ts";
import { ActivityView } from "./activity.ts";
import { AgentsView } from "./agents/agents.ts";
import { DeploymentsView } from "./deployments/deployments.ts";
import { DestinationsView } from "./destinations/destinations.ts";
import { InboxView } from "./threads/inbox.ts";
import { IssuesView } from "./issues/issues.ts";
import { ToolServersView } from "./toolServers/toolServers.ts";

/** The views, for commands that change what they show. */
export interface Views {
  readonly deployments: DeploymentsView;
  readonly agents: AgentsView;
  readonly inbox: InboxView;
  readonly destinations: DestinationsView;
  readonly issues: IssuesView;
  readonly activity: ActivityView;
  readonly toolServers: ToolServersView;
}

/** Makes them; none asks a server before it is seen. */
export function createViews(services: Services): Views {
  return {
    deployments: new DeploymentsView(services),
    activity: new ActivityView(services),
    toolServers: new ToolServersView(services),
    agents: new AgentsView(services),
    inbox: new InboxView(services),
    destinations: new DestinationsView(services),
    issues: new IssuesView(services),
  };
}

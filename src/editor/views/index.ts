/** Every view of the sidebar, made once. */

import type { Services } from "../services.ts";
import { ActivityView } from "./activity.ts";
import { DeploymentsView } from "./deployments.ts";
import { IssuesView } from "./issues.ts";
import { ToolServersView } from "./toolServers.ts";

export interface Views {
  readonly deployments: DeploymentsView;
  readonly issues: IssuesView;
  readonly activityView: ActivityView;
  readonly toolServers: ToolServersView;
}

export function createViews(services: Services): Views {
  return {
    deployments: new DeploymentsView(services),
    issues: new IssuesView(services),
    activityView: new ActivityView(services),
    toolServers: new ToolServersView(services),
  };
}

/** Every view of the sidebar, made once. */

import type { Services } from "../services.ts";
import { DeploymentsView } from "./deployments.ts";
import { IssuesView } from "./issues.ts";

export interface Views {
  readonly deployments: DeploymentsView;
  readonly issues: IssuesView;
}

export function createViews(services: Services): Views {
  return { deployments: new DeploymentsView(services), issues: new IssuesView(services) };
}

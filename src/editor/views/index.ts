/** Every view of the sidebar, made once. */

import type { Services } from "../services.ts";
import { DeploymentsView } from "./deployments.ts";

export interface Views {
  readonly deployments: DeploymentsView;
}

export function createViews(services: Services): Views {
  return { deployments: new DeploymentsView(services) };
}

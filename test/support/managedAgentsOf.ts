import { Http } from "../../src/api/http.ts";
import { ManagedAgents, managedAgentsUrl } from "../../src/api/managedAgents/index.ts";
import type { LocalPlatform } from "./localPlatform.ts";

/** The client of a platform's managed agents, with the key to the whole platform. */
export function managedAgentsOf({ ready: { baseUrl, apiKey } }: LocalPlatform): ManagedAgents {
  const headers = () => Promise.resolve({ "x-api-key": apiKey });
  return new ManagedAgents(new Http({ baseUrl: managedAgentsUrl(baseUrl), headers }));
}

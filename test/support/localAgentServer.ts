import { AgentServer } from "../../src/api/agentServer/index.ts";
import { Http } from "../../src/api/http.ts";
import type { LocalPlatform } from "./localPlatform.ts";

/** The sample deployment's agent server, by the editor's own client. */
export function localAgentServer({ ready }: LocalPlatform): AgentServer {
  const { deploymentUrl: baseUrl, apiKey } = ready;
  return new AgentServer(new Http({ baseUrl, headers: () => Promise.resolve({ "x-api-key": apiKey }) }));
}

/** A client of the managed-agents API (docs/interface.md, "Managed-agents API"). */

import type { Http } from "../http.ts";
import { Agents } from "./agents.ts";
import { AuthSessions } from "./authSessions.ts";
import { ManagedRuns } from "./runs.ts";
import { ManagedThreads } from "./threads.ts";
import { ToolServers } from "./toolServers.ts";

/** Everything that managed agents offer; each call throws an ApiError when it fails. */
export class ManagedAgents {
  readonly agents: Agents;
  readonly threads: ManagedThreads;
  readonly runs: ManagedRuns;
  readonly toolServers: ToolServers;
  readonly authSessions: AuthSessions;

  /** `http` is based at the API's own root, see `managedAgentsUrl`. */
  constructor(http: Http) {
    this.agents = new Agents(http);
    this.threads = new ManagedThreads(http);
    this.runs = new ManagedRuns(http);
    this.toolServers = new ToolServers(http);
    this.authSessions = new AuthSessions(http);
  }
}

/** The API's root below a platform's main host; the real product has another name for it than the specification. */
export function managedAgentsUrl(
  platformUrl: string,
  dialect: "standard" | "langsmith" = "standard",
): string {
  return `${platformUrl.replace(/\/+$/, "")}/v1/${dialect === "langsmith" ? "deepagents" : "managed"}`;
}

import { uuid5 } from "../kit/ids.ts";
import type { Agent } from "../runtime/agent.ts";
import { approval } from "./approval.ts";
import { echo } from "./echo.ts";
import { faulty } from "./faulty.ts";
import { flood } from "./flood.ts";
import { pipeline } from "./pipeline.ts";
import { researcher } from "./researcher.ts";
import { slow } from "./slow.ts";

/** The sample agents, in the order in which they are listed. */
export const agents: readonly Agent[] = [echo, researcher, approval, slow, flood, faulty, pipeline];

const assistantNamespace = "6ba7b821-9dad-11d1-80b4-00c04fd430c8";
const byId = new Map(
  agents.flatMap((agent) => [[agent.name, agent] as const, [assistantId(agent.name), agent] as const]),
);

/** The id of an agent's own assistant: always the same for the same name. */
export function assistantId(name: string): string {
  return uuid5(assistantNamespace, name);
}

/** The agent that a name or an assistant id means. */
export function findAgent(id: string): Agent | undefined {
  return byId.get(id) ?? byId.get(id.toLowerCase());
}

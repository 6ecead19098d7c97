import type { AgentServer } from "../../src/api/agentServer/index.ts";
import type { RunCreate } from "../../src/api/agentServer/wire.ts";

/** Runs a thread and hears the run to its end, however that is; what the server refuses is thrown. */
export async function runToEnd(
  { runs }: Pick<AgentServer, "runs">,
  threadId: string,
  run: RunCreate,
): Promise<void> {
  const { events } = await runs.stream(threadId, run);
  for await (const batch of events) void batch;
}

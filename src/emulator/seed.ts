import { uuid7 } from "./kit/ids.ts";
import { createAgentBody } from "./managed/agentBody.ts";
import type { Platform } from "./platform/platform.ts";
import { startManagedRun } from "./routes/managed/managedRuns.ts";
import { createRun, runBody, type RunBody } from "./platform/runOrder.ts";
import { readSetting, writeSetting } from "./store/settings.ts";

const samples = [
  {
    title: "Ask before sending the weekly update",
    agent: "approval",
    text: "Tell the team that the release is out.",
  },
  { title: "How do agents use memory?", agent: "researcher", text: "How do agents use memory?" },
  { title: "Say hello", agent: "echo", text: "Hello! What can you do?" },
] as const;

const sampleAgent = {
  name: "Release Assistant",
  description: "A sample: drafts the mail about a release and asks before it sends it.",
  system_prompt: "Tell the team what is in the release. Ask before any mail is sent.",
  runtime: { model: { model_id: "sample:approval" } },
  tools: { interrupt_config: { send_email: true } },
};

/**
 * Gives a new platform a few threads, made by really running the agents, and a managed agent with a thread that
 * waits for a person, so that its first screen is not empty.
 */
export function seed(platform: Platform): void {
  if (readSetting(platform.store, "seeded") !== undefined) return;
  writeSetting(platform.store, "seeded", new Date().toISOString());
  for (const { title, agent, text } of samples) {
    const threadId = uuid7();
    const { deploymentId } = platform.identity;
    platform.threads.insert(deploymentId, threadId, { title });
    createRun(platform, deploymentId, threadId, orderOf(agent, text));
  }
  const { id: agentId } = platform.managedAgents.create(createAgentBody.parse(sampleAgent));
  const threadId = uuid7();
  platform.managedThreads.insert(agentId, threadId, {}, false);
  const thread = platform.managedThreads.get(threadId);
  if (thread !== undefined) {
    const order = orderOf(agentId, "Tell the team that the release is out.");
    startManagedRun(platform, thread, { ...order, agent_id: agentId });
  }
}

function orderOf(assistantId: string, text: string): RunBody {
  return runBody.parse({
    assistant_id: assistantId,
    input: { messages: [{ role: "user", content: text }] },
    config: { configurable: { token_delay_ms: 0 } },
    stream_mode: ["values", "messages-tuple", "updates", "custom"],
    stream_subgraphs: true,
    stream_resumable: true,
  });
}

import type { Platform } from "./platform.ts";
import { uuid7 } from "./ids.ts";
import { createRun, runBody } from "./routes/runOrder.ts";
import { readSetting, writeSetting } from "./settings.ts";

const samples = [
  {
    title: "Ask before sending the weekly update",
    agent: "approval",
    text: "Tell the team that the release is out.",
  },
  { title: "How do agents use memory?", agent: "researcher", text: "How do agents use memory?" },
  { title: "Say hello", agent: "echo", text: "Hello! What can you do?" },
] as const;

/** Gives a new platform a few threads, made by really running the agents, so that its first screen is not empty. */
export function seed(platform: Platform): void {
  if (readSetting(platform.store, "seeded") !== undefined) return;
  writeSetting(platform.store, "seeded", new Date().toISOString());
  for (const { title, agent, text } of samples) {
    const threadId = uuid7();
    const { deploymentId } = platform.identity;
    platform.threads.insert(deploymentId, threadId, { title });
    const body = runBody.parse({
      assistant_id: agent,
      input: { messages: [{ role: "user", content: text }] },
      config: { configurable: { token_delay_ms: 0 } },
      stream_mode: ["values", "messages-tuple", "updates", "custom"],
      stream_subgraphs: true,
      stream_resumable: true,
    });
    createRun(platform, deploymentId, threadId, body);
  }
}

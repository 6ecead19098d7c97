import assert from "node:assert/strict";
import { text } from "../../../support/localPlatform.ts";
import { until } from "../../../support/until.ts";
import type { Shape } from "../../../support/localPlatform.ts";
import { ManagedClient } from "../../../support/managedClient.ts";
import { PlatformProcesses } from "../../../support/platformProcesses.ts";

describe("managed agents and a platform that is killed", () => {
  let processes: PlatformProcesses;

  beforeEach(async () => {
    processes = await PlatformProcesses.prepare();
  });
  afterEach(() => processes.remove());

  const launch = async (): Promise<ManagedClient> => new ManagedClient((await processes.launch()).platform);

  it("lose no agent, revision or thread that was acknowledged", async () => {
    const client = await launch();
    const acknowledged: { agent: Shape; thread: string }[] = [];
    const writing = Promise.allSettled(
      Array.from({ length: 4 }, async (_, writer) => {
        for (let turn = 0; ; turn++) {
          const { id } = await client.agent({ name: `agent ${writer} ${turn}` });
          const changed = await client.send("PATCH", `/agents/${text(id)}`, {
            system_prompt: `Turn ${turn}`,
          });
          const thread = await client.thread(text(id), { metadata: { turn } });
          acknowledged.push({ agent: changed.body, thread });
        }
      }),
    );
    await until("30 writes were acknowledged", () => acknowledged.length > 30);
    await processes.kill();
    await writing;

    const again = await launch();
    for (const { agent, thread } of acknowledged) {
      assert.deepEqual(await again.get(`/agents/${text(agent.id)}`), agent);
      assert.equal((await again.get(`/threads/${thread}`)).agent_id, agent.id);
    }
    const listed = (await again.pages("/agents?page_size=100&sort_by=name", "items")).flat();
    assert.equal(new Set(listed).size, listed.length);
    for (const { agent } of acknowledged) assert.ok(listed.includes(text(agent.id)));
  });

  it("show a run that was in progress as failed, carry out one that waited, and keep what was asked", async () => {
    const client = await launch();
    const slow = await client.agentId({ configurable: { token_delay_ms: 20 } });
    const asking = await client.agentId({ tools: { interrupt_config: { send_email: true } } });
    const input = { messages: [{ role: "user", content: "Hello" }] };
    const start = async (agent_id: string, more: Record<string, unknown> = {}): Promise<string> => {
      const answer = await client.send("POST", "/threads/runs", { agent_id, input, ...more });
      assert.equal(answer.status, 201, answer.text);
      return text(answer.body.thread_id);
    };
    const waits = await start(asking);
    await until(
      "the thread waits for an answer",
      async () => text((await client.get(`/threads/${waits}`)).status) === "interrupted",
    );
    const lost = await start(slow);
    const later = await start(slow);
    const config = { configurable: { token_delay_ms: 0 } };
    await client.send("POST", `/threads/${later}/runs`, { agent_id: slow, input, config });
    await processes.kill();

    const again = await launch();
    const status = async (thread: string) => text((await again.get(`/threads/${thread}`)).status);
    assert.equal(await status(lost), "error");
    assert.equal(await status(waits), "interrupted");
    await again.stream(waits, {
      agent_id: asking,
      command: { resume: { decisions: [{ type: "approve" }] } },
    });
    assert.equal(await status(waits), "idle");
    await until("the later thread is idle", async () => (await status(later)) === "idle");
  });
});

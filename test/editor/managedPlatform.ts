import { ManagedAgents, managedAgentsUrl } from "../../src/api/managedAgents/index.ts";
import { Http } from "../../src/api/http.ts";
import type { Agent, ManagedThread } from "../../src/api/managedAgents/wire.ts";
import { agentServerId } from "../../src/editor/connections/connection.ts";
import type { AgentRef } from "../../src/editor/views/agents/agentRow.ts";
import { all } from "../unit/api/all.ts";
import { LocalPlatform } from "../unit/emulator/localPlatform.ts";
import type { Extension } from "./extensionUnderTest.ts";

/** A platform of its own with managed agents, connected to the extension, and what tests do to it behind its back. */
export class ManagedPlatform {
  readonly platform: LocalPlatform;
  readonly api: ManagedAgents;
  connectionId = "";

  private constructor(platform: LocalPlatform) {
    this.platform = platform;
    const { baseUrl, apiKey } = platform.ready;
    const headers = () => Promise.resolve({ "x-api-key": apiKey });
    this.api = new ManagedAgents(new Http({ baseUrl: managedAgentsUrl(baseUrl), headers }));
  }

  static async start(): Promise<ManagedPlatform> {
    return new ManagedPlatform(await LocalPlatform.start());
  }

  async connect(extension: Extension, name = "Platform"): Promise<void> {
    const { baseUrl, apiKey } = this.platform.ready;
    const { id } = await extension.connections.add({ name, kind: "platform", url: baseUrl }, (setting) =>
      extension.apiKeys.set(setting.id, [baseUrl], apiKey),
    );
    this.connectionId = id;
  }

  async agent(name: string, sample = "echo"): Promise<Agent> {
    const runtime = { model: { model_id: `sample:${sample}` } };
    return this.api.agents.create({ name, runtime, configurable: { token_delay_ms: 0 } });
  }

  ref({ id, name }: Agent): AgentRef {
    return { connectionId: this.connectionId, serverId: agentServerId(id), agentId: id, name };
  }

  /** A thread that an agent has said something in; one like `approval` waits then. */
  async spoken(agent: Agent, content = "Tell them"): Promise<ManagedThread> {
    const { id } = await this.api.threads.create({ agent_id: agent.id });
    const input = { messages: [{ role: "user", content }] };
    await all((await this.api.runs.stream(id, { agent_id: agent.id, input })).events);
    return this.api.threads.get(id);
  }

  async removeAgents(): Promise<void> {
    for await (const { id } of this.api.agents.list({ page_size: 100 })) {
      for await (const thread of this.api.threads.list({ agent_id: id }))
        await this.api.threads.delete(thread.id);
      await this.api.agents.delete(id);
    }
  }

  async fault(fault: object): Promise<void> {
    await this.platform.send("POST", `${this.platform.ready.localUrl}/faults`, fault);
  }

  async healed(): Promise<void> {
    await this.platform.send("DELETE", `${this.platform.ready.localUrl}/faults`);
  }

  async remove(): Promise<void> {
    await this.platform.remove();
  }
}

import type { ManagedAgents } from "../../src/api/managedAgents/index.ts";
import type { Agent, ManagedThread } from "../../src/api/managedAgents/wire.ts";
import type { NamedAgentRef } from "../../src/editor/agents/listedAgent.ts";
import { all } from "../support/all.ts";
import { managedAgentsOf } from "../support/managedAgentsOf.ts";
import type { LocalPlatform } from "../support/localPlatform.ts";
import { setKey } from "./extensionUnderTest.ts";
import type { Extension } from "./extensionUnderTest.ts";
import { useOwnPlatform } from "./ownPlatform.ts";

/** A platform with managed agents, connected to the extension, and what tests do to it behind its back. */
export class ManagedPlatform {
  readonly platform: LocalPlatform;
  readonly api: ManagedAgents;
  connectionId = "";

  constructor(platform: LocalPlatform) {
    this.platform = platform;
    this.api = managedAgentsOf(platform);
  }

  async connect(extension: Extension, name = "Platform"): Promise<void> {
    const { baseUrl, apiKey } = this.platform.ready;
    const { id } = await extension.connections.add({ name, kind: "platform", url: baseUrl }, (setting) =>
      setKey(extension, setting.id, [baseUrl], apiKey),
    );
    this.connectionId = id;
  }

  async agent(name: string, sample = "echo"): Promise<Agent> {
    const runtime = { model: { model_id: `sample:${sample}` } };
    return this.api.agents.create({ name, runtime, configurable: { token_delay_ms: 0 } });
  }

  ref({ id, name }: Agent): NamedAgentRef {
    return { connectionId: this.connectionId, agentId: id, name };
  }

  /** A thread that an agent has said something in; one like `approval` waits then. */
  async spoken(agent: Agent, content = "Tell them"): Promise<ManagedThread> {
    const { id } = await this.api.threads.create({ agent_id: agent.id });
    const input = { messages: [{ role: "user", content }] };
    await all((await this.api.runs.stream(id, { agent_id: agent.id, input })).events);
    return this.api.threads.get(id);
  }

  /** Takes away those that a platform starts with, and their threads. */
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
}

/** The extension, and a platform whose managed agents belong to one test alone. */
export interface OwnManagedPlatform {
  readonly extension: Extension;
  readonly managed: ManagedPlatform;
}

/** Has a platform for each test, which begins without connections and agents, then with what `prepare` does. */
export function useManagedPlatform(prepare: (own: OwnManagedPlatform) => Promise<void>): void {
  useOwnPlatform(async ({ extension, platform }) => {
    const managed = new ManagedPlatform(platform);
    await managed.removeAgents();
    await prepare({ extension, managed });
  });
}

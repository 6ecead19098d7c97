import assert from "node:assert/strict";
import type { LocalPlatform } from "../../../support/localPlatform.ts";
import { ManagedClient } from "../../../support/managedClient.ts";
import { accepted, assertReached, turns } from "./ledger.ts";
import type { Ledger } from "./ledger.ts";

/** Makes a managed agent, changes it and gives it a thread. */
export async function changeManagedAgents(platform: LocalPlatform, ledger: Ledger): Promise<void> {
  const client = new ManagedClient(platform);
  const id = await client.agentId({ description: "0" });
  for (let turn = 1; turn <= turns; turn++) {
    const change = { description: String(turn) };
    const acknowledged = accepted(await client.send("PATCH", `/agents/${id}`, change));
    ledger.note(`managed agent ${id}`, async (again) => {
      const found = await new ManagedClient(again).get(`/agents/${id}`);
      assertReached(Number(found.description), turn);
      if (Number(found.description) === turn) assert.deepEqual(found, acknowledged);
    });
  }
  const thread = await client.thread(id);
  ledger.note(`managed thread ${thread}`, async (again) => {
    assert.equal((await new ManagedClient(again).get(`/threads/${thread}`)).agent_id, id);
  });
}

import assert from "node:assert/strict";
import { setTimeout as pause } from "node:timers/promises";
import { text } from "../../../support/localPlatform.ts";
import type { LocalPlatform } from "../../../support/localPlatform.ts";
import { McpClient } from "../../../support/mcpClient.ts";
import { accepted, assertReached, turns } from "./ledger.ts";
import type { Ledger, Writer } from "./ledger.ts";

/** Registers a tool server, changes it, and then registers and deletes another. */
export async function changeToolServers(platform: LocalPlatform, ledger: Ledger): Promise<void> {
  const client = new McpClient(platform);
  const url = `http://127.0.0.1:9/${crypto.randomUUID()}/`;
  const id = text((await client.server(url)).id);
  for (let turn = 1; turn <= turns; turn++) {
    const headers = [{ key: "x-turn", value: `secret ${turn}`, type: "plain_text" }];
    const acknowledged = accepted(
      await client.send("PATCH", `/mcp-servers/${id}`, { url: `${url}${turn}`, headers }),
    );
    ledger.note(`tool server ${id}`, async (again) => {
      const found = await new McpClient(again).get(`/mcp-servers/${id}`);
      const reached = Number(text(found.url).slice(url.length));
      assertReached(reached, turn);
      if (reached === turn) assert.deepEqual(found, acknowledged);
    });
  }
  const gone = text((await client.server(`${url}gone`)).id);
  assert.equal((await client.send("DELETE", `/mcp-servers/${gone}`)).status, 204);
  ledger.note(`deleted tool server ${gone}`, async (again) => {
    assert.equal((await new McpClient(again).send("GET", `/mcp-servers/${gone}`)).status, 404);
  });
  await pause(20);
}

/** Leaves one session with this OAuth provider open, which the user then refuses, and completes another. */
export function connectUsers(provider: string): Writer {
  return async (platform, ledger) => {
    const client = new McpClient(platform);
    const { id: open, url } = await client.pending(provider);
    const state = new URL(url).searchParams.get("state") ?? "";
    ledger.note(`open session ${open}`, async (again) => {
      const callback = `${again.ready.controlPlaneUrl}/v2/auth/callback/${provider}`;
      await again.send("GET", `${callback}?error=access_denied&state=${state}`);
      assert.equal(text((await new McpClient(again).session(open)).status), "CONNECTION_REQUIRED");
    });
    const done = await client.connect(provider);
    ledger.note(`completed session ${done}`, async (again) => {
      const reader = new McpClient(again);
      assert.equal(text((await reader.session(done)).status), "COMPLETED");
      assert.equal(await reader.hasToken(provider), true);
    });
    await pause(50);
  };
}

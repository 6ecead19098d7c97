import assert from "node:assert/strict";
import { setTimeout as pause } from "node:timers/promises";
import { text } from "../../../support/localPlatform.ts";
import type { LocalPlatform } from "../../../support/localPlatform.ts";
import { accepted } from "./ledger.ts";
import type { Ledger } from "./ledger.ts";

/** Makes a key that is kept and one that is deleted. */
export async function changeApiKeys(platform: LocalPlatform, ledger: Ledger): Promise<void> {
  const keys = `${platform.ready.localUrl}/api-keys`;
  const kept = text(accepted(await platform.send("POST", keys, { role: "viewer" })).api_key);
  ledger.note(`key ${kept.slice(-6)}`, async (again) => assert.equal(await use(again, kept), 200));
  const { id, api_key } = accepted(await platform.send("POST", keys, { role: "viewer" }));
  assert.equal((await platform.send("DELETE", `${keys}/${text(id)}`)).status, 204);
  ledger.note(`deleted key ${text(id)}`, async (again) => {
    assert.equal(await use(again, text(api_key)), 403);
  });
  await pause(20);
}

async function use(platform: LocalPlatform, key: string): Promise<number> {
  const url = `${platform.ready.controlPlaneUrl}/v2/deployments?limit=1`;
  return (await platform.send("GET", url, undefined, { "x-api-key": key })).status;
}

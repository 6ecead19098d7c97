import assert from "node:assert/strict";
import { setTimeout as pause } from "node:timers/promises";
import { ControlPlaneClient } from "../../../support/controlPlaneClient.ts";
import { text } from "../../../support/localPlatform.ts";
import type { LocalPlatform } from "../../../support/localPlatform.ts";
import { accepted, assertReached, turns } from "./ledger.ts";
import type { Ledger } from "./ledger.ts";

/** Makes a deployment and revisions of it. */
export async function changeDeployments(platform: LocalPlatform, ledger: Ledger): Promise<void> {
  const client = new ControlPlaneClient(platform);
  const { id } = await client.create({ display_name: "0" });
  for (let turn = 1; turn <= turns; turn++) {
    const change = { display_name: String(turn), source_revision_config: { repo_ref: `turn-${turn}` } };
    const { latest_revision_id } = accepted(
      await client.send("PATCH", `/v2/deployments/${text(id)}`, change),
    );
    ledger.note(`deployment ${text(id)}`, async (again) => {
      const found = await new ControlPlaneClient(again).get(id);
      assertReached(Number(found.display_name), turn);
      if (Number(found.display_name) === turn) assert.equal(found.latest_revision_id, latest_revision_id);
    });
    await pause(10);
  }
}

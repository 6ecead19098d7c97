import assert from "node:assert/strict";
import { setTimeout as pause } from "node:timers/promises";
import { text } from "../../../support/localPlatform.ts";
import type { LocalPlatform } from "../../../support/localPlatform.ts";
import { accepted, assertReached } from "./ledger.ts";
import type { Ledger } from "./ledger.ts";

/** Opens issues that webhooks are told of. */
export async function openIssues(platform: LocalPlatform, ledger: Ledger): Promise<void> {
  const body = { name: "It loops", severity: 1, session_name: "crash" };
  const { id, request_id } = accepted(await platform.send("POST", `${platform.ready.localUrl}/issues`, body));
  ledger.opened.add(text(request_id));
  ledger.note(`issue ${text(id)}`, async (again) => {
    const found = accepted(await again.send("GET", `${again.ready.localUrl}/issues/${text(id)}`));
    assert.equal(found.name, "It loops");
  });
  await pause(3);
}

/** Subscribes to what never happens, changes its mind, and unsubscribes again. */
export async function changeWebhooks(platform: LocalPlatform, ledger: Ledger): Promise<void> {
  const webhooks = `${platform.ready.localUrl}/webhooks`;
  const order = { url: "http://127.0.0.1:9/never", event_types: ["issue.agent_run.failed"] };
  const id = text(accepted(await platform.send("POST", webhooks, order)).id);
  const path = (again: LocalPlatform) => `${again.ready.localUrl}/webhooks/${id}`;
  for (let turn = 0; turn <= 3; turn++) {
    const change = { severity_threshold: turn };
    const acknowledged = accepted(await platform.send("PATCH", path(platform), change));
    ledger.note(`webhook ${id}`, async (again) => {
      const found = accepted(await again.send("GET", path(again)));
      assertReached(Number(found.severity_threshold), turn);
      if (Number(found.severity_threshold) === turn) assert.deepEqual(found, acknowledged);
    });
    await pause(5);
  }
  ledger.checks.delete(`webhook ${id}`);
  assert.equal((await platform.send("DELETE", path(platform))).status, 204);
  ledger.note(`deleted webhook ${id}`, async (again) => {
    assert.equal((await again.send("GET", path(again))).status, 404);
  });
}

import assert from "node:assert/strict";
import { setTimeout as pause } from "node:timers/promises";
import { credentials, ExportClient } from "../bulkExports/exportClient.ts";
import type { Bin } from "../bulkExports/exportClient.ts";
import { say, text } from "../../../support/localPlatform.ts";
import type { LocalPlatform } from "../../../support/localPlatform.ts";
import { accepted } from "./ledger.ts";
import type { Ledger, Writer } from "./ledger.ts";

/** What a run of an export says of an attempt that a kill cut short; it is made again then. */
const stoppedAttempt = "The Local Platform was stopped during this attempt.";

/** Exports again and again what had happened before, and makes destinations with other credentials. */
export async function exporting(platform: LocalPlatform, bin: Bin): Promise<Writer> {
  const thread = await platform.thread();
  await platform.join(thread, await platform.run(thread, { assistant_id: "echo", input: say("export") }));
  const end_time = new Date().toISOString();
  const client = new ExportClient(platform);
  const destination = text(accepted(await client.send("POST", "/destinations", bin.order())).id);
  return async (current, ledger) => {
    const { id } = await new ExportClient(current).create(destination, { end_time });
    ledger.note(`export ${text(id)}`, (again) => assertExported(again, ledger, text(id)));
    await pause(60);
    await changeDestination(current, ledger, bin);
  };
}

async function changeDestination(platform: LocalPlatform, ledger: Ledger, bin: Bin): Promise<void> {
  const client = new ExportClient(platform);
  const made = accepted(await client.send("POST", "/destinations", bin.order()));
  const path = `/destinations/${text(made.id)}`;
  ledger.note(path, async (again) => {
    const { config } = accepted(await new ExportClient(again).send("GET", path));
    assert.deepEqual(config, made.config);
  });
  const other = { credentials: { ...credentials, session_token: "session" } };
  const changed = accepted(await client.send("PATCH", path, other));
  ledger.note(`credentials of ${path}`, async (again) => {
    const found = accepted(await new ExportClient(again).send("GET", path));
    assert.deepEqual(found.credentials_keys, changed.credentials_keys);
    assert.deepEqual(found.updated_at, changed.updated_at);
  });
}

/** The export is carried out, if need be by another attempt, which says why the one before it ended. */
async function assertExported(again: LocalPlatform, ledger: Ledger, id: string): Promise<void> {
  const client = new ExportClient(again);
  assert.equal(await client.ended(id), "Completed");
  for (const { status, errors, retry_number } of await client.runs(id)) {
    assert.equal(text(status), "Completed");
    const cut = Object.values<unknown>({ ...errors });
    assert.ok(cut.every((error) => error === stoppedAttempt));
    assert.equal(Number(retry_number), cut.length);
    if (cut.length > 0) ledger.exportsBegunAgain.add(id);
  }
}

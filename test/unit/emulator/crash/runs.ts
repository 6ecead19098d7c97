import assert from "node:assert/strict";
import { setTimeout as pause } from "node:timers/promises";
import { list, say, slowly, text } from "../../../support/localPlatform.ts";
import { until } from "../../../support/until.ts";
import type { LocalPlatform, Shape } from "../../../support/localPlatform.ts";
import { accepted } from "./ledger.ts";
import type { Ledger } from "./ledger.ts";

const lostReason = "The Local Platform stopped while this run was in progress.";

/** Waits for a run and gives feedback on it. */
export async function finishRuns(platform: LocalPlatform, ledger: Ledger): Promise<void> {
  const thread = await platform.thread();
  const run = await platform.run(thread, { assistant_id: "echo", input: say("finish") });
  const values = await platform.join(thread, run);
  if (values.messages === undefined) throw new Error(`A run failed: ${JSON.stringify(values)}`);
  ledger.note(`finished run ${run}`, async (again) => {
    assert.deepEqual((await again.state(thread)).values, values);
    assert.equal(await again.runStatus(thread, run), "success");
  });
  const feedback = `${platform.ready.baseUrl}/api/v1/feedback`;
  const wanted = { run_id: run, feedback_key: "helpful" };
  const token = accepted(await platform.send("POST", `${feedback}/tokens`, wanted));
  ledger.note(`feedback token ${text(token.id)}`, async (again) => {
    const path = `${again.ready.baseUrl}/api/v1/feedback/tokens?run_id=${run}`;
    const tokens = list(accepted(await again.send("GET", path)));
    assert.deepEqual(
      tokens.map(({ id }) => id),
      [token.id],
    );
  });
  accepted(await platform.send("POST", text(token.url), { score: 1, comment: run }));
  ledger.note(`feedback of run ${run}`, async (again) => {
    const given = list(
      accepted(await again.send("GET", `${again.ready.baseUrl}/api/v1/feedback?run=${run}`)),
    );
    assert.equal(given.length, 1);
    assert.ok(JSON.stringify(given[0]).includes(`"comment":"${run}"`), JSON.stringify(given));
  });
}

/** Starts runs and does not wait for them. */
export async function leaveRuns(platform: LocalPlatform, ledger: Ledger): Promise<void> {
  const thread = await platform.thread();
  const run = await platform.run(thread, slowly({ assistant_id: "echo", input: say("leave") }, 1));
  ledger.note(`run ${run}`, (again) => assertEnded(again, ledger, thread, run));
  await pause(5);
}

/** Lets a run wait behind one that takes a minute. */
export async function queueBehindRuns(platform: LocalPlatform, ledger: Ledger): Promise<void> {
  const thread = await platform.thread();
  const slow = await platform.run(thread, { assistant_id: "slow", input: { seconds: 60 } });
  const next = await platform.run(thread, {
    assistant_id: "echo",
    input: say("next"),
    multitask_strategy: "enqueue",
  });
  // A run that had not begun would begin again after the kill, and take its minute.
  if ((await platform.runStatus(thread, slow)) !== "running") return;
  ledger.note(`run in progress ${slow}`, async (again) => {
    const { status, error } = accepted(await again.send("GET", `/threads/${thread}/runs/${slow}`));
    assert.deepEqual({ status, error }, { status: "error", error: lostReason });
  });
  ledger.note(`queued run ${next}`, (again) => assertEnded(again, ledger, thread, next));
  await pause(40);
}

/** The run is over, well or with the reason, and so is its thread's work. */
async function assertEnded(again: LocalPlatform, ledger: Ledger, thread: string, run: string): Promise<void> {
  let found: Shape = accepted(await again.send("GET", `/threads/${thread}/runs/${run}`));
  await until("the run is over", async () => {
    found = accepted(await again.send("GET", `/threads/${thread}/runs/${run}`));
    return !["pending", "running"].includes(text(found.status));
  });
  if (text(found.status) === "error") assert.equal(found.error, lostReason);
  else assert.equal(found.status, "success");
  ledger.endings[text(found.status) === "error" ? "error" : "success"] += 1;
}

import assert from "node:assert/strict";
import { setTimeout as pause } from "node:timers/promises";
import { ControlPlaneClient } from "./controlPlane.ts";
import { list, say, slowly, text, until } from "./localPlatform.ts";
import type { Answer, LocalPlatform, Shape } from "./localPlatform.ts";
import { ManagedClient } from "./managedClient.ts";

/** Fails unless a platform still has what it acknowledged. */
export type Check = (platform: LocalPlatform) => Promise<void>;

/** Writes over HTTP once and notes what was acknowledged; throws as soon as the platform is gone. */
export type Writer = (platform: LocalPlatform, ledger: Ledger) => Promise<void>;

/** What a platform acknowledged, each with the way to find it again. */
export class Ledger {
  readonly checks = new Map<string, Check>();
  /** The requests that opened issues: each is to be told to the webhooks as one event. */
  readonly opened = new Set<string>();
  /** How the runs of killed platforms ended. */
  readonly endings = { error: 0, success: 0 };
  /** How many answers were received in full. */
  acknowledged = 0;

  /** Notes a write; a later one of the same thing takes its place. */
  note(what: string, check: Check): void {
    this.acknowledged += 1;
    this.checks.set(what, check);
  }
}

const turns = 6;
const lostReason = "The Local Platform stopped while this run was in progress.";

/** Everything that clients do at once until the platform is killed. */
export const writers: readonly Writer[] = [
  patchThreads,
  updateStates,
  finishRuns,
  leaveRuns,
  queueBehindRuns,
  deleteThreads,
  changeManagedAgents,
  changeDeployments,
  openIssues,
];

async function patchThreads(platform: LocalPlatform, ledger: Ledger): Promise<void> {
  const thread = await platform.thread({ turn: 0 });
  for (let turn = 1; turn <= turns; turn++) {
    const path = `/threads/${thread}`;
    accepted(await platform.send("PATCH", path, { metadata: { turn } }));
    ledger.note(path, async (again) => {
      const found = accepted(await again.send("GET", path)).metadata?.turn;
      assertReached(Number(found), turn);
    });
  }
}

async function updateStates(platform: LocalPlatform, ledger: Ledger): Promise<void> {
  const thread = await platform.thread({ graph_id: "echo" });
  const path = `/threads/${thread}/state`;
  const checkpoints: string[] = [];
  for (let turn = 0; turn < turns; turn++) {
    const update = { values: say(`turn ${turn}`), as_node: "__end__" };
    const { checkpoint } = accepted(await platform.send("POST", path, update));
    checkpoints.push(text(checkpoint?.checkpoint_id));
    ledger.note(path, async (again) => {
      const history = list(accepted(await again.send("POST", `/threads/${thread}/history`, { limit: 100 })));
      const kept = history.map((state) => text(state.checkpoint?.checkpoint_id)).reverse();
      assert.deepEqual(kept.slice(0, turn + 1), checkpoints.slice(0, turn + 1));
      const said = list((await again.state(thread)).values?.messages).map(({ content }) => text(content));
      assertReached(said.length - 1, turn);
      assert.deepEqual(
        said,
        said.map((_, index) => `turn ${index}`),
      );
    });
  }
}

async function finishRuns(platform: LocalPlatform, ledger: Ledger): Promise<void> {
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

async function leaveRuns(platform: LocalPlatform, ledger: Ledger): Promise<void> {
  const thread = await platform.thread();
  const run = await platform.run(thread, slowly({ assistant_id: "echo", input: say("leave") }, 1));
  ledger.note(`run ${run}`, (again) => assertEnded(again, ledger, thread, run));
  await pause(5);
}

async function queueBehindRuns(platform: LocalPlatform, ledger: Ledger): Promise<void> {
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

async function deleteThreads(platform: LocalPlatform, ledger: Ledger): Promise<void> {
  const thread = await platform.thread();
  const { status } = await platform.send("DELETE", `/threads/${thread}`);
  assert.equal(status, 204);
  ledger.note(`deleted thread ${thread}`, async (again) => {
    assert.equal((await again.send("GET", `/threads/${thread}`)).status, 404);
  });
}

async function changeManagedAgents(platform: LocalPlatform, ledger: Ledger): Promise<void> {
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

async function changeDeployments(platform: LocalPlatform, ledger: Ledger): Promise<void> {
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

async function openIssues(platform: LocalPlatform, ledger: Ledger): Promise<void> {
  const body = { name: "It loops", severity: 1, session_name: "crash" };
  const { id, request_id } = accepted(await platform.send("POST", `${platform.ready.localUrl}/issues`, body));
  ledger.opened.add(text(request_id));
  ledger.note(`issue ${text(id)}`, async (again) => {
    const found = accepted(await again.send("GET", `${again.ready.localUrl}/issues/${text(id)}`));
    assert.equal(found.name, "It loops");
  });
  await pause(3);
}

/** The run is over, well or with the reason, and so is its thread's work. */
async function assertEnded(again: LocalPlatform, ledger: Ledger, thread: string, run: string): Promise<void> {
  let found: Shape = accepted(await again.send("GET", `/threads/${thread}/runs/${run}`));
  await until(async () => {
    found = accepted(await again.send("GET", `/threads/${thread}/runs/${run}`));
    return !["pending", "running"].includes(text(found.status));
  });
  if (text(found.status) === "error") assert.equal(found.error, lostReason);
  else assert.equal(found.status, "success");
  ledger.endings[text(found.status) === "error" ? "error" : "success"] += 1;
}

/** What was acknowledged is there; or what was asked next, whose answer the kill may have cut off. */
function assertReached(found: number, acknowledged: number): void {
  assert.ok(
    found === acknowledged || found === acknowledged + 1,
    `found ${found} of ${acknowledged} acknowledged`,
  );
}

function accepted(answer: Answer): Shape {
  assert.ok(answer.status >= 200 && answer.status < 300, `${answer.status} ${answer.text}`);
  return answer.body;
}

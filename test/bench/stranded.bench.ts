/** The real agent server is killed, or a graph's file is saved, again and again while runs go on: each goes on in a copy. */

import { rm } from "node:fs/promises";
import { join } from "node:path";
import { AgentServer } from "../../src/api/agentServer/index.ts";
import { Http } from "../../src/api/http.ts";
import { installPeer } from "../peers/install.ts";
import { startAgentServer } from "../peers/server.ts";
import { executionsFile, heldGraph, HeldRuns } from "../support/heldRuns.ts";
import { projectFolder, report, versionOf } from "./report.ts";

const rounds = Number(process.env["ROUNDS"] ?? 50);

await installPeer();
await rm(executionsFile, { force: true });
const server = await startAgentServer({ EXECUTIONS: executionsFile }, true);
const runs = new HeldRuns(new AgentServer(new Http({ baseUrl: server.url })), heldGraph, 1000);
const losses: string[] = [];
try {
  const measured = { killed: [] as number[], saved: [] as number[] };
  for (let round = 0; round < rounds; round += 1) {
    // A development server writes nothing to its disk any more once a run is listened to, as after a file was saved.
    const how = round < rounds / 2 ? "killed" : "saved";
    const held = await Promise.all(heldGraph.steps.map((step) => runs.hold(step)));
    const serverBeganAt = Date.now();
    if (how === "killed") await server.killAndRestart();
    else await server.save("held.mts");
    const healing = held.map(async (one) => {
      const begun = performance.now();
      const rescued = await runs.rescue(one, how === "killed" ? { serverBeganAt } : {});
      measured[how].push(performance.now() - begun);
      return runs.losses(one, rescued);
    });
    for (const outcome of await Promise.allSettled(healing))
      losses.push(...(outcome.status === "fulfilled" ? outcome.value : [String(outcome.reason)]));
  }
  const row = (what: string, times: readonly number[]) => ({
    what,
    runs: times.length,
    "seconds to the end of a copy": times.reduce((sum, ms) => sum + ms, 0) / times.length / 1000,
  });
  report(
    `Runs that ${String(rounds)} restarts of the server stranded`,
    [row("the server was killed", measured.killed), row("a graph's file was saved", measured.saved)],
    [
      `${String(losses.length)} of ${String(rounds * heldGraph.steps.length)} runs lost something or did a step twice.`,
      ...losses,
      versionOf(join(projectFolder, "test/peers/langgraph"), "@langchain/langgraph-api"),
    ],
  );
  if (losses.length > 0) process.exitCode = 1;
} finally {
  await server.stop();
  await rm(executionsFile, { force: true });
}

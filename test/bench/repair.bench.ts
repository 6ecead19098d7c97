/** A thousand failed threads of the real agent server are repaired by a window that is killed in the middle. */

import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { AgentServer } from "../../src/api/agentServer/index.ts";
import { Http } from "../../src/api/http.ts";
import { BulkRecords } from "../../src/editor/bulk/bulkRecords.ts";
import { startProcessGroup } from "../host/processGroup.ts";
import { installPeer } from "../peers/install.ts";
import { startAgentServer } from "../peers/server.ts";
import { failThreads, goOn, outcomeOf, repairOf } from "../support/repairedThreads.ts";
import { projectFolder, report, versionOf } from "./report.ts";

const count = Number(process.env["THREADS"] ?? 1000);
const killedAt = Math.floor(count * 0.4);
const atOnce = 10;

await installPeer();
const server = await startAgentServer();
const folder = await mkdtemp(join(tmpdir(), "agent-operations-bench-"));
let requests = 0;
const api = new AgentServer(new Http({ baseUrl: server.url, onExchange: () => (requests += 1) }));
try {
  const ids = await failThreads(api, count);
  requests = 0;
  const listed = performance.now();
  const job = await repairOf(api, ids, { kind: "retry" }, atOnce);
  const [listMs, listRequests] = [performance.now() - listed, requests];
  const records = new BulkRecords(folder);
  await records.add(job);

  const begun = performance.now();
  const program = join(projectFolder, "test/support/repairingWindow.ts");
  const killed = startProcessGroup(process.execPath, [program, folder, job.id, server.url], {
    onLine: (line) => {
      if (line === `done ${String(killedAt)}`) process.kill(killed.pid, "SIGKILL");
    },
  });
  await killed.exited;
  const firstMs = performance.now() - begun;
  requests = 0;
  const resumed = performance.now();
  const before = (await records.read(job.id))?.items ?? [];
  const onTheirWay = before.filter(({ state }) => state === "sending" || state === "sent").length;
  const after = await goOn(records, job.id, api);
  const secondMs = performance.now() - resumed;
  const repaired = after.items.filter(({ state }) => state === "done").length;
  const rest = count - before.filter(({ state }) => state === "done").length;
  const restRequests = requests;

  let [wrong, again] = [0, 0];
  for (const id of ids) {
    const { executions, runs, next } = await outcomeOf(api, id);
    const extra = Object.entries(executions).filter(([step, times]) => times !== (step === "write" ? 2 : 1));
    if (next.length > 0 || extra.length > 0) wrong += 1;
    if (runs !== 2) again += 1;
  }
  report(
    `${String(count)} failed threads, the window killed at ${String(killedAt)}`,
    [
      {
        what: "reading why they failed",
        seconds: listMs / 1000,
        "threads a minute": (count / listMs) * 60_000,
        "requests a thread": listRequests / count,
      },
      {
        what: "repairing, until it was killed",
        seconds: firstMs / 1000,
        "threads a minute": ((count - rest) / firstMs) * 60_000,
      },
      {
        what: "repairing the rest",
        seconds: secondMs / 1000,
        "threads a minute": (rest / secondMs) * 60_000,
        "requests a thread": restRequests / rest,
      },
    ],
    [
      `${String(repaired)} of ${String(count)} repaired, ${String(onTheirWay)} on their way at the kill; ${String(wrong)} not executed exactly once, ${String(again)} with another number of runs than two.`,
      `${String(atOnce)} at a time. ${versionOf(join(projectFolder, "test/peers/langgraph"), "@langchain/langgraph-api")}`,
    ],
  );
  if (repaired !== count || wrong + again > 0) process.exitCode = 1;
} finally {
  await server.stop();
  await rm(folder, { recursive: true, force: true });
}

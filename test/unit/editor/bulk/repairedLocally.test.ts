import assert from "node:assert/strict";
import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { BulkRecords } from "../../../../src/editor/bulk/bulkRecords.ts";
import { itRepairsMany } from "../../../support/bulkRepairSuite.ts";
import { localAgentServer } from "../../../support/localAgentServer.ts";
import { LocalPlatform } from "../../../support/localPlatform.ts";
import { failThreads, goOn, outcomeOf, repairOf } from "../../../support/repairedThreads.ts";

describe("many failed threads of the Local Platform", () => {
  let platform: LocalPlatform;

  after(() => platform.remove());

  itRepairsMany(async () => {
    platform = await LocalPlatform.start();
    const { deploymentUrl: url, apiKey } = platform.ready;
    return { url, apiKey, api: localAgentServer(platform) };
  });

  it("are each repaired once by a server that wants fewer requests for a while", async () => {
    const api = localAgentServer(platform);
    const folder = await mkdtemp(join(tmpdir(), "agent-operations-bulk-"));
    const records = new BulkRecords(folder);
    try {
      const ids = await failThreads(api, 8);
      const job = await repairOf(api, ids, undefined, 4);
      await records.add(job);
      const refused = { status: 429, headers: { "retry-after": "1" }, times: 8 };
      for (const match of [{ method: "POST", path: "/runs$" }, { path: "/state$" }])
        await platform.send("POST", `${platform.ready.localUrl}/faults`, { match, ...refused });
      const { items } = await goOn(records, job.id, api);
      assert.deepEqual([...new Set(items.map(({ state }) => state))], ["done"], JSON.stringify(items));
      for (const id of ids) {
        const { executions, runs } = await outcomeOf(api, id);
        assert.deepEqual([executions["write"], executions["send"], runs], [2, 1, 2]);
      }
    } finally {
      await rm(folder, { recursive: true, force: true });
    }
  });
});

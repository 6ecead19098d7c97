import assert from "node:assert/strict";
import { ControlPlaneClient } from "../../../support/controlPlaneClient.ts";
import { text } from "../../../support/localPlatform.ts";
import { until } from "../../../support/until.ts";
import type { Shape } from "../../../support/localPlatform.ts";
import { PlatformProcesses } from "../../../support/platformProcesses.ts";

describe("deployments and a platform that is killed", () => {
  let processes: PlatformProcesses;

  beforeEach(async () => {
    processes = await PlatformProcesses.prepare();
  });
  afterEach(() => processes.remove());

  const launch = async (): Promise<ControlPlaneClient> =>
    new ControlPlaneClient((await processes.launch()).platform);

  it("lose nothing that was acknowledged, and every revision ends as if nothing had happened", async () => {
    const client = await launch();
    await client.pace(30);
    const acknowledged: Shape[] = [];
    const keys: string[] = [];
    const writing = Promise.allSettled(
      Array.from({ length: 3 }, async (_, writer) => {
        for (let turn = 0; ; turn++) {
          const { id } = await client.create({ name: `agent-${writer}-${turn}` });
          const patch = {
            source_revision_config: { repo_ref: `turn-${turn}` },
            display_name: `Turn ${turn}`,
          };
          const changed = await client.send("PATCH", `/v2/deployments/${text(id)}`, patch);
          assert.equal(changed.status, 200);
          acknowledged.push(changed.body);
          const url = `${client.platform.ready.localUrl}/api-keys`;
          keys.push(text((await client.platform.send("POST", url, { role: "viewer" })).body.api_key));
        }
      }),
    );
    await until("12 writes were acknowledged", () => acknowledged.length > 12);
    await processes.kill();
    await writing;

    const again = await launch();
    await again.pace(1);
    for (const { id, display_name, latest_revision_id } of acknowledged) {
      const found = await again.get(id);
      assert.equal(found.display_name, text(display_name));
      assert.equal(found.latest_revision_id, text(latest_revision_id));
      assert.equal((await again.follow(id, latest_revision_id)).at(-1), "DEPLOYED");
      const [, first] = await again.revisions(id);
      assert.ok(["SKIPPED", "DEPLOYED"].includes(text(first?.status)), text(first?.status));
    }
    for (const key of keys) {
      const answer = await again.send("GET", "/v2/deployments", undefined, { "x-api-key": key });
      assert.equal(answer.status, 200);
    }
  });
});

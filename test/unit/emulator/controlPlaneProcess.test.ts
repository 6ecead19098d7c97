import assert from "node:assert/strict";
import { spawn } from "node:child_process";
import type { ChildProcess } from "node:child_process";
import { once } from "node:events";
import { rm } from "node:fs/promises";
import { join } from "node:path";
import { createInterface } from "node:readline";
import type { Ready } from "../../../src/emulator/server.ts";
import { ControlPlaneClient } from "./controlPlane.ts";
import { LocalPlatform, temporaryDirectory, text, until } from "./localPlatform.ts";
import type { Shape } from "./localPlatform.ts";

const main = join(import.meta.dirname, "../../../src/emulator/main.ts");

describe("deployments and a platform that is killed", function () {
  // Several processes start one after the other.
  this.timeout(30_000);
  let directory: string;
  const children: ChildProcess[] = [];

  beforeEach(async () => {
    directory = await temporaryDirectory();
  });
  afterEach(async () => {
    for (const child of children.splice(0)) {
      if (child.exitCode === null && child.signalCode === null && child.kill("SIGKILL"))
        await once(child, "exit");
    }
    await rm(directory, { recursive: true, force: true });
  });

  const launch = async (): Promise<{ child: ChildProcess; client: ControlPlaneClient }> => {
    const child = spawn(process.execPath, [main, "--port", "0", "--data", directory], {
      stdio: ["ignore", "pipe", "inherit"],
    });
    children.push(child);
    const lines = createInterface({ input: child.stdout });
    const [line] = (await Promise.race([once(lines, "line"), once(child, "exit")])) as unknown[];
    const platform = new LocalPlatform(JSON.parse(text(line)) as Ready, directory);
    return { child, client: new ControlPlaneClient(platform) };
  };

  it("lose nothing that was acknowledged, and every revision ends as if nothing had happened", async () => {
    const { child, client } = await launch();
    await client.pace(30);
    const acknowledged: Shape[] = [];
    const keys: string[] = [];
    const writing = Array.from({ length: 3 }, async (_, writer) => {
      for (let turn = 0; ; turn++) {
        const { id } = await client.create({ name: `agent-${writer}-${turn}` });
        const patch = { source_revision_config: { repo_ref: `turn-${turn}` }, display_name: `Turn ${turn}` };
        const changed = await client.send("PATCH", `/v2/deployments/${text(id)}`, patch);
        assert.equal(changed.status, 200);
        acknowledged.push(changed.body);
        const url = `${client.platform.ready.localUrl}/api-keys`;
        keys.push(text((await client.platform.send("POST", url, { role: "viewer" })).body.api_key));
      }
    });
    await until(() => Promise.resolve(acknowledged.length > 12));
    child.kill("SIGKILL");
    await Promise.allSettled(writing);

    const again = (await launch()).client;
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

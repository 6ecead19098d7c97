import assert from "node:assert/strict";
import { list, LocalPlatform, text } from "../../../support/localPlatform.ts";
import type { Shape } from "../../../support/localPlatform.ts";
import { PlatformProcesses } from "../../../support/platformProcesses.ts";
import { ProtocolClient } from "./protocolClient.ts";

describe("the tree of a run", () => {
  const treeOf = async (client: ProtocolClient): Promise<Shape> =>
    (await client.command("agent.getTree")).result?.tree as unknown as Shape;

  it("shows what ran inside what, and is the same after a restart", async () => {
    const before = await LocalPlatform.start();
    const client = new ProtocolClient(before);
    await client.start("researcher", "memory");
    await client.untilEnd();
    const tree = await treeOf(client);
    assert.deepEqual(
      [text(tree.graph_name), text(tree.status), tree.namespace],
      ["researcher", "completed", []],
    );
    const inner = list(tree.children).flatMap(({ children }) =>
      children === undefined ? [] : list(children),
    );
    assert.ok(JSON.stringify(inner).includes("tools:"));
    await before.stop();

    const after = await LocalPlatform.start(before.directory);
    const again = new ProtocolClient(after, "/api/threads", client.threadId);
    assert.deepEqual(await treeOf(again), tree);
    const { meta } = await again.command("agent.getTree");
    await again.start("researcher", "again");
    await again.untilEnd({ since: Number(meta?.applied_through_seq) });
    assert.notDeepEqual(await treeOf(again), tree);
    assert.equal(list((await treeOf(again)).children).length, list(tree.children).length);
    await after.remove();
  });

  it("shows a run that was lost with its process as failed, with all that was open in it", async () => {
    const processes = await PlatformProcesses.prepare();
    const { platform } = await processes.launch();
    const client = new ProtocolClient(platform);
    await client.command("run.start", { assistant_id: "slow", input: { seconds: 60 } });
    for await (const { namespace, method } of client.follow()) {
      if (method === "lifecycle" && namespace.length === 1) break;
    }
    const { status, children } = await treeOf(client);
    assert.deepEqual(
      [text(status), list(children).map((child) => text(child.status))],
      ["running", ["started"]],
    );
    await processes.kill();
    const again = new ProtocolClient((await processes.launch()).platform, "/api/threads", client.threadId);
    const tree = await treeOf(again);
    assert.equal(text(tree.status), "failed");
    assert.ok(list(tree.children ?? []).every((child) => text(child.status) === "failed"));
    await processes.remove();
  });
});

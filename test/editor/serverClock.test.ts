import { match, ok } from "node:assert/strict";
import { ControlPlaneClient } from "../support/controlPlaneClient.ts";
import { type LocalPlatform, say } from "../support/localPlatform.ts";
import {
  connectPlatform,
  connectServer,
  drawRows,
  drawTree,
  type Extension,
  showView,
} from "./extensionUnderTest.ts";
import { useOwnPlatform } from "./ownPlatform.ts";

const hour = 3_600_000;

describe("A server whose clock is two hours ahead", () => {
  let extension: Extension;
  let platform: LocalPlatform;

  useOwnPlatform(async (own) => {
    ({ extension, platform } = own);
    // It dates its answers two hours later than what happened there.
    const headers = { date: new Date(Date.now() + 2 * hour + 60_000).toUTCString() };
    const rule = { match: {}, headers, times: 1_000_000 };
    await platform.send("POST", `${platform.ready.localUrl}/faults`, rule);
  });

  it("has threads as old as that clock says, in the tree, the Inbox and Failures", async () => {
    await connectServer(extension, "Sample", platform);
    const threadId = await platform.thread({ title: "Apples" });
    const input = { ...say("go"), fail_at: "write", fail_times: 1 };
    await platform.stream(threadId, { assistant_id: "pipeline", input });
    await platform.stream(await platform.thread(), { assistant_id: "approval", input: say("Tell them") });
    await showView();
    match((await drawTree(extension)).join("\n"), /Apples \| error · 2 h ago/);
    const { inbox } = extension.views;
    await inbox.refresh();
    const waiting = await drawRows(inbox.polled.nodes);
    ok(waiting.length > 0 && waiting.every((row) => row.endsWith("2 h ago")), waiting.join("\n"));
    match(await failures(), /1 failed thread \| .* · 2 h ago/);
  });

  it("has deployments and revisions as old, in the tree and in Failures", async () => {
    const controlPlane = new ControlPlaneClient(platform);
    await controlPlane.pace(5);
    await platform.send("POST", `${platform.ready.localUrl}/revisions`, { fail_at: "deploy" });
    const { id, latest_revision_id: revision } = await controlPlane.create({ name: "support" });
    await controlPlane.follow(id, revision);
    await connectPlatform(extension, "Test", platform);
    await showView();
    const rows = (await drawTree(extension)).join("\n");
    match(rows, /^ +support \| deploy failed · main · 2 h ago$/m);
    match(rows, /^ +main \| deploy failed · 2 h ago$/m);
    match(await failures(), /support: deploy failed \| .* · 2 h ago/);
  });

  async function failures(): Promise<string> {
    const { failures } = extension.views;
    await failures.refresh();
    return (await drawRows(failures.polled.nodes)).join("\n");
  }
});

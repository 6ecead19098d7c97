import { match, ok } from "node:assert/strict";
import { type LocalPlatform, say } from "../support/localPlatform.ts";
import { connectServer, drawRows, drawTree, type Extension, showView } from "./extensionUnderTest.ts";
import { useOwnPlatform } from "./ownPlatform.ts";

const hour = 3_600_000;

describe("Threads of a server whose clock is two hours ahead", () => {
  let extension: Extension;
  let platform: LocalPlatform;

  useOwnPlatform(async (own) => {
    ({ extension, platform } = own);
    await connectServer(extension, "Sample", platform);
    // It dates its answers two hours later than what happened to its threads.
    const headers = { date: new Date(Date.now() + 2 * hour + 60_000).toUTCString() };
    const rule = { match: {}, headers, times: 1_000_000 };
    await platform.send("POST", `${platform.ready.localUrl}/faults`, rule);
    const threadId = await platform.thread({ title: "Apples" });
    const input = { ...say("go"), fail_at: "write", fail_times: 1 };
    await platform.stream(threadId, { assistant_id: "pipeline", input });
  });

  it("are as old as that clock says, in the tree, the Inbox and Failures", async () => {
    await platform.stream(await platform.thread(), { assistant_id: "approval", input: say("Tell them") });
    await showView();
    match((await drawTree(extension)).join("\n"), /Apples \| error · 2 h ago/);
    const { inbox, failures } = extension.views;
    await inbox.refresh();
    const waiting = await drawRows(inbox.polled.nodes);
    ok(waiting.length > 0 && waiting.every((row) => row.endsWith("2 h ago")), waiting.join("\n"));
    await failures.refresh();
    match((await drawRows(failures.polled.nodes)).join("\n"), /1 failed thread \| .* · 2 h ago/);
  });
});

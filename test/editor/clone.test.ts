import { deepEqual, equal, match } from "node:assert/strict";
import * as vscode from "vscode";
import type { ThreadRef } from "../../src/editor/connections/connection.ts";
import { type LocalPlatform, say } from "../support/localPlatform.ts";
import { until } from "../support/until.ts";
import { connectServer, type Extension } from "./extensionUnderTest.ts";
import { useOwnPlatform } from "./ownPlatform.ts";
import { Person } from "./person.ts";

describe("Cloning a thread", () => {
  let extension: Extension;
  let platform: LocalPlatform;
  let thread: ThreadRef;
  let otherId: string;

  useOwnPlatform(async (own) => {
    ({ extension, platform } = own);
    const { id: connectionId } = await connectServer(extension, "Production", platform);
    otherId = (await connectServer(extension, "Mine", platform)).id;
    const threadId = await platform.thread({ title: "Nightly job" });
    const input = { ...say("Do it"), fail_at: "write", job: crypto.randomUUID() };
    await platform.stream(threadId, { assistant_id: "pipeline", input });
    const server = { kind: "agentServer", url: platform.ready.deploymentUrl } as const;
    thread = { connectionId, server, threadId };
    extension.threads.setTitle(thread, "Nightly job");
  });

  const clone = () => vscode.commands.executeCommand("agentOperations.thread.clone", thread);
  const fault = (rule: object) => platform.send("POST", `${platform.ready.localUrl}/faults`, rule);
  const count = async () => extension.agentServers.client(thread).threads.count();

  it("makes it on the server of another connection, without the keys that were named", async () => {
    using person = new Person().presses("Clone");
    person.will({ choose: "Mine" }, { choose: "pipeline" }, { type: "job, phone" });
    await clone();
    person.done();
    equal(person.asked[1]?.labels[0], "pipeline");
    match(
      person.told[0] ?? "",
      /^Clone “Nightly job” to Mine\?\nIt is made with 5 steps of the graph “pipeline”, \d+ kB\. No step is run\.\nLeft out: .*Values of job, phone\./,
    );
    deepEqual(person.told.slice(1), []);
    const made = extension.panels.active!;
    equal(made.connectionId, otherId);
    const [original, cloned] = [await platform.state(thread.threadId), await platform.state(made.threadId)];
    deepEqual(cloned["next"], original["next"]);
    deepEqual(cloned["values"], { ...original["values"], job: "•••" });
    equal(extension.threads.titleOf(made), "Nightly job");
  });

  it("writes nothing where the graph lacks a step, or the person does not want it", async () => {
    const before = await count();
    using person = new Person().will({ choose: "Mine" }, { choose: "echo" });
    await clone();
    match(
      person.told.at(-1) ?? "",
      /The graph “echo” of Mine has no step “collect”, “check”, “reserve”, “charge”, which .*Nothing was written/,
    );
    person.will({ choose: "Mine" }, { choose: "pipeline" }, { type: "" });
    await clone();
    person.done();
    equal(await count(), before);
  });

  it("has the newest state alone on a server that takes no steps, and says so", async () => {
    await fault({ match: { method: "POST", path: "/threads$" }, status: 422 });
    using person = new Person().presses("Clone");
    person.will({ choose: "Mine" }, { choose: "pipeline" }, { type: "" });
    await clone();
    person.done();
    deepEqual(person.told.slice(1), ["Mine takes no steps: the clone has the newest state alone."]);
    const [original, cloned] = await Promise.all(
      [thread.threadId, extension.panels.active!.threadId].map((id) => platform.state(id)),
    );
    deepEqual([cloned?.["next"], cloned?.["values"]], [original?.["next"], original?.["values"]]);
  });

  it("is run there by the graph that was chosen in place of one that is not there", async () => {
    const nodes = ["collect", "check", "reserve", "charge"].map((id) => ({ id }));
    const assistants = [{ assistant_id: "echo", graph_id: "echo", name: "echo" }];
    await fault({ match: { method: "POST", path: "/assistants/search$" }, status: 200, body: assistants });
    await fault({
      match: { method: "GET", path: "/assistants/echo/graph$" },
      ...{ status: 200, body: { nodes, edges: [] } },
    });
    const before = await count();
    using person = new Person().presses("Clone");
    person.will({ choose: "Mine" }, { choose: "echo" }, { type: "" });
    await clone();
    person.done();
    equal(person.asked[1]?.prompt, "Mine has no graph “pipeline”: which one takes its place?");
    match(person.told[0] ?? "", /It is made with 5 steps of the graph “echo”/);
    // The real graph of that name has no such steps, and refuses them.
    match(person.told.slice(1).join(), /The graph has no node charge/);
    equal(await count(), before);
  });

  it("is done from a row of the Inbox, and the clone asks anew when it goes on", async () => {
    const waiting = await platform.thread({ title: "Send it" });
    await platform.stream(waiting, { assistant_id: "approval", input: say("Tell them") });
    await vscode.commands.executeCommand("agentOperations.inbox.focus");
    const { polled } = extension.views.inbox;
    const row = await until("it is in the Inbox", async () => {
      await extension.views.inbox.refresh();
      return (await polled.nodes.getChildren()).find((node) =>
        /Send it/.test(String(node.item().description)),
      );
    });
    using person = new Person()
      .presses("Clone")
      .will({ choose: "Mine" }, { choose: "approval" }, { type: "" });
    await vscode.commands.executeCommand("agentOperations.thread.clone", row);
    person.done();
    match(
      person.told[0] ?? "",
      /^Clone “Send it” to Mine\?\n.*\nLeft out: .*The question that waits is asked anew/,
    );
    const made = await until("the clone is in front", () => {
      const inFront = extension.panels.active;
      return inFront?.connectionId === otherId ? inFront.threadId : undefined;
    });
    const [original, cloned] = [await platform.state(waiting), await platform.state(made)];
    deepEqual([cloned["next"], cloned["values"]], [original["next"], original["values"]]);
  });
});

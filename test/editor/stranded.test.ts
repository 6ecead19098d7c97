import { deepEqual, match, notEqual } from "node:assert/strict";
import { readFile } from "node:fs/promises";
import { join } from "node:path";
import * as vscode from "vscode";
import { RunSession } from "../../src/run/session/session.ts";
import type { ThreadRef } from "../../src/editor/connections/connection.ts";
import type { LocalPlatform } from "../support/localPlatform.ts";
import { say } from "../support/localPlatform.ts";
import { until } from "../support/until.ts";
import {
  connectServer,
  drawTree,
  type Extension,
  showView,
  theExtension,
  tidyUp,
} from "./extensionUnderTest.ts";
import { makeProject, type TestProject } from "./graphProject.ts";
import { useOwnPlatform } from "./ownPlatform.ts";
import { Person } from "./person.ts";

const serverMs = 180_000;
const continueInCopy = (thread: ThreadRef) =>
  vscode.commands.executeCommand("agentOperations.thread.continueInCopy", thread);

describe("A run that the workspace's server lost", () => {
  let extension: Extension;
  let project: TestProject;

  before(async () => {
    extension = await theExtension();
  });
  beforeEach(async () => {
    project = await makeProject(extension);
  });
  afterEach(async () => {
    await project.remove();
    await tidyUp(extension);
  });

  it("is told in every thread after each of five saves, and goes on in a copy", async () => {
    const file = "graphs/planner.mts";
    const source = await readFile(join(project.folder, file), "utf8");
    const slow = source.replace("setTimeout(done, 10)", "setTimeout(done, 600_000)");
    const write = (text: string) =>
      vscode.workspace.fs.writeFile(project.uri(file), new TextEncoder().encode(text));
    await write(slow);
    await vscode.commands.executeCommand("agentOperations.graphs.start", { connectionId: project.id });
    const target = { connectionId: project.id, server: { kind: "workspaceGraphs" } } as const;
    const { threads } = extension.agentServers.client(target);
    const loads = async () =>
      (await extension.workspaceGraphs.log(project.id)).split("Server running at").length - 1;
    await showView();
    const sessions: RunSession[] = [];
    for (let save = 1; save <= 5; save += 1) {
      // Whoever watches is told; a panel is one who watches.
      const { session } =
        save === 5
          ? extension.panels.openNew(target)
          : extension.sessions.hold(target, RunSession, () => undefined);
      sessions.push(session);
      const input = { json: { task: "two words" } };
      await session.start({ assistantId: "planner", input, streamModes: [] });
      const isWorking = async () => (await threads.state(session.threadId!)).next[0] === "work";
      await until("it works", isWorking, serverMs);
      const before = await loads();
      await write(save < 5 ? `${slow}// Saved ${save} times.\n` : source);
      await until("the graphs are loaded anew", async () => (await loads()) > before, serverMs);
    }
    const told = ({ state }: RunSession) => (state.kind === "streaming" ? state.stranded : undefined);
    await until("each is told", () => sessions.every((one) => told(one)?.next[0] === "work"), serverMs);
    const saved = /^This run seems to be stranded: graphs\/planner\.mts was saved, its server loaded/;
    for (const session of sessions) match(told(session)?.text ?? "", saved);
    const rows = async () => (await drawTree(extension)).join("\n");
    const ofThem = async () => (await rows()).split("| seems to be stranded").length - 1;
    await until("their rows say so", async () => (await ofThem()) === 5, serverMs);

    const threadId = sessions.at(-1)!.threadId!;
    using person = new Person().presses("Continue in a Copy");
    await continueInCopy({ ...target, threadId });
    match(person.told[0] ?? "", /in a copy\?\nThis run seems to be stranded.*\nRuns again: work\.\n/s);
    const copy = extension.panels.active!;
    notEqual(copy.threadId, threadId);
    await until(
      "the copy is finished",
      async () => (await threads.get(copy.threadId)).status === "idle",
      serverMs,
    );
    const { values } = await threads.state(copy.threadId);
    deepEqual(values, { task: "two words", steps: ["read two words", "do two words", "reviewed"], total: 4 });
    await until("its row leads on", async () => (await rows()).includes("| continued in a copy"));
    // A second time leads to the copy, and makes no other one.
    const count = await threads.count();
    await continueInCopy({ ...target, threadId });
    deepEqual([extension.panels.active?.threadId, await threads.count()], [copy.threadId, count]);
    match(person.told.at(-1) ?? "", /was continued in a copy before/);
  });
});

describe("A run that goes on", () => {
  let extension: Extension;
  let platform: LocalPlatform;
  let connectionId: string;

  useOwnPlatform(async (own) => {
    ({ extension, platform } = own);
    connectionId = (await connectServer(extension, "Sample", platform)).id;
  });

  it("is not continued in a copy", async () => {
    const threadId = await platform.thread();
    const run = { assistant_id: "slow", input: { ...say("Work"), seconds: 60 }, stream_resumable: true };
    await platform.send("POST", `/threads/${threadId}/runs`, run);
    const server = { kind: "agentServer", url: platform.ready.deploymentUrl } as const;
    const { threads } = extension.agentServers.client({ connectionId, server });
    const count = await threads.count();
    using person = new Person().presses("Continue in a Copy");
    await continueInCopy({ connectionId, server, threadId });
    deepEqual(person.told.length, 1);
    match(person.told[0] ?? "", /The run in this thread goes on.*Nothing was done/);
    deepEqual(await threads.count(), count);
    const idle = await platform.thread();
    await continueInCopy({ connectionId, server, threadId: idle });
    match(person.told.at(-1) ?? "", /No run is under way in this thread.*Repair Thread/);
  });
});

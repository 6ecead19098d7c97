import { deepEqual, equal, match, ok } from "node:assert/strict";
import * as vscode from "vscode";
import type { ThreadState } from "../../src/api/agentServer/wire.ts";
import { stepStates } from "../../src/editor/documents/threadStateUri.ts";
import type { RunPanel } from "../../src/editor/runPanel/runPanel.ts";
import type { RunRequest } from "../../src/run/panel/messages.ts";
import type { StepEntry } from "../../src/run/panel/transcript.ts";
import type { LocalPlatform } from "../support/localPlatform.ts";
import { until } from "../support/until.ts";
import { connectServer } from "./extensionUnderTest.ts";
import type { Extension } from "./extensionUnderTest.ts";
import { useOwnPlatform } from "./ownPlatform.ts";

describe("The states around a step", () => {
  let extension: Extension;
  let platform: LocalPlatform;
  let connectionId: string;

  useOwnPlatform(async (own) => {
    ({ extension, platform } = own);
    connectionId = (await connectServer(extension, "Sample", platform)).id;
  });

  it("are those of its graph, also in a subagent's lane", async () => {
    const panel = await ran("researcher", { text: "tides" });
    const inner = steps(panel).findLast(({ lane, checkpoints }) => lane !== "" && checkpoints !== undefined);
    ok(inner, JSON.stringify(steps(panel)));
    const [before, after, title] = await compared(panel, inner);
    equal(title, `What ${inner.name} changed`);
    deepEqual(
      [before, after].map(({ checkpoint }) => checkpoint?.checkpoint_ns),
      [inner.lane, inner.lane],
    );
    ok(messages(after) > messages(before));
  });

  it("are one state and what the step left, where it failed", async () => {
    const panel = await ran("pipeline", {
      json: { messages: [{ role: "user", content: "Go" }], fail_at: "write", fail_times: 1 },
    });
    const failed = steps(panel).find(({ status }) => status === "error");
    ok(failed, JSON.stringify(steps(panel)));
    const [then, left, title] = await compared(panel, failed);
    equal(title, "What write left");
    deepEqual([left.values, then.tasks[0]?.error], [then.values, undefined]);
    match(JSON.stringify(left.tasks[0]?.error), /write failed/);
  });

  async function ran(assistantId: string, input: RunRequest["input"]): Promise<RunPanel> {
    const { deploymentUrl: url } = platform.ready;
    const server = { kind: "agentServer", url } as const;
    const panel = extension.panels.openNew({ connectionId, server });
    deepEqual(await panel.session.start({ assistantId, input, streamModes: [] }), { accepted: true });
    await until("the run is over", () => panel.session.state.kind === "idle");
    return panel;
  }
});

function steps({ session }: RunPanel): readonly StepEntry[] {
  return session.entries.filter((entry) => entry.kind === "step");
}

/** The two documents that a click compares, and the title over them. */
async function compared(
  { thread }: RunPanel,
  step: StepEntry,
): Promise<readonly [ThreadState, ThreadState, string]> {
  const { name, lane, checkpoints } = step;
  ok(thread !== undefined && checkpoints !== undefined);
  const [then, now, title] = stepStates(thread, { name, lane, checkpoints });
  const read = async (uri: vscode.Uri): Promise<ThreadState> =>
    JSON.parse((await vscode.workspace.openTextDocument(uri)).getText()) as ThreadState;
  return [await read(then), await read(now), title];
}

function messages({ values }: ThreadState): number {
  return (values["messages"] as unknown as readonly unknown[]).length;
}

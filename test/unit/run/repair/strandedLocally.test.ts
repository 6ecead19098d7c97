import assert from "node:assert/strict";
import type { AgentServer } from "../../../../src/api/agentServer/index.ts";
import type { HoldingGraph } from "../../../support/heldRuns.ts";
import { localAgentServer } from "../../../support/localAgentServer.ts";
import { LocalPlatform } from "../../../support/localPlatform.ts";
import { itContinuesStranded } from "../../../support/strandedSuite.ts";

const steps = ["collect", "check", "reserve", "charge", "write", "send", "close"];

describe("a run that the Local Platform left running", () => {
  let platform: LocalPlatform;

  after(() => platform.remove());

  itContinuesStranded(async () => {
    platform = await LocalPlatform.start();
    const api = localAgentServer(platform);
    return { api, graph: pipelineOn(api) };
  }, [
    [
      "it was told to",
      async () => {
        const { status } = await platform.send("POST", `${platform.ready.localUrl}/stranded-runs`, {});
        assert.equal(status, 201);
        return undefined;
      },
    ],
  ]);
});

/** Its states count the executions of a job, in whichever thread they were. */
function pipelineOn(api: AgentServer): HoldingGraph {
  const counted = ({ executions = {} }: Readonly<Record<string, unknown>>) =>
    executions as Readonly<Record<string, number>>;
  return {
    assistantId: "pipeline",
    steps,
    executed: async ({ threadId }, copyId) => {
      const { values, next } = await api.threads.state(threadId);
      const first = [...Object.keys(counted(values)), ...next];
      if (copyId === undefined) return first;
      const times = counted((await api.threads.state(copyId)).values);
      const again = (step: string) => (times[step] ?? 0) - (first.includes(step) ? 1 : 0);
      return [...first, ...steps.flatMap((step) => Array<string>(Math.max(again(step), 0)).fill(step))];
    },
  };
}

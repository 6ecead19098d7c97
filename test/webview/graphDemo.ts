import type { AssistantGraph } from "../../src/run/panel/messages.ts";
import type { Entry } from "../../src/run/panel/transcript.ts";

const runId = "r";
const inRun = { runId, lane: "" };
/** A run of planner, two searches and a writer that fails. */
export const ranGraph: readonly Entry[] = [
  { kind: "run", id: "run:r", runId, assistantId: "researcher", status: "error" },
  { kind: "step", id: "s1", ...inRun, name: "plan", status: "done", keys: [], startedAt: 0, endedAt: 250 },
  {
    ...{ kind: "message", id: "m", ...inRun, role: "ai", text: "A plan", streaming: false },
    usage: { input: 300, output: 40, total: 340 },
  },
  { kind: "step", id: "s2", ...inRun, name: "search", status: "done", keys: [], startedAt: 0, endedAt: 700 },
  { kind: "step", id: "s3", ...inRun, name: "search", status: "done", keys: [], startedAt: 0, endedAt: 500 },
  { kind: "step", id: "s4", ...inRun, name: "write", status: "error", keys: [] },
];
const names = ["plan", "search", "write", "publish"];
/** Its graph. */
export const graph: AssistantGraph = {
  nodes: ["__start__", ...names, "__end__"].map((id) => ({ id })),
  edges: [
    { source: "__start__", target: "plan" },
    { source: "plan", target: "search" },
    { source: "search", target: "search", conditional: true },
    { source: "search", target: "write", conditional: true },
    { source: "write", target: "publish" },
    { source: "publish", target: "__end__" },
  ],
};

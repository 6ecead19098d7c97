import * as z from "zod";
import type { Agent, GraphNode, NodeContext } from "../runtime/agent.ts";
import type { JsonObject } from "../kit/json.ts";
import { uuid7 } from "../kit/ids.ts";
import { messagesInput } from "./input.ts";

const steps = ["collect", "check", "reserve", "charge", "write", "send", "close"] as const;

const input = messagesInput.extend({
  fail_at: z
    .enum([...steps, "none"])
    .optional()
    .describe("The step that fails."),
  fail_times: z.int().min(0).default(1).describe("How often it fails before it works."),
  hold_at: z.enum(steps).optional().describe("The step that waits without end the first time."),
  job: z.string().optional().describe("What executions are counted for; the first message when absent."),
});

/**
 * Seven steps in a row, one of which fails as often as it is told to, or waits without end. `executions` of its state counts how often
 * each step was executed for a job, also when it failed, and whichever thread it was executed on.
 */
export const pipeline: Agent = {
  name: "pipeline",
  description:
    "Takes seven steps, fails at input.fail_at or waits at input.hold_at, and counts its executions.",
  input,
  entry: [steps[0]],
  nodes: Object.fromEntries(
    steps.map((name, index): [string, GraphNode] => [
      name,
      { targets: steps.slice(index + 1, index + 2), run: (context) => take(context, name) },
    ]),
  ),
};

const holdMs = 3_600_000;
const keptCounts = 10_000;
/** Executions by job and step: outside of any state, since a step that fails changes none. */
const counts = new Map<string, number>();

async function take(context: NodeContext, step: string): Promise<JsonObject> {
  const { messages, job = messages[0]?.id, fail_at, fail_times = 1, hold_at, executions } = context.state;
  const times = counted(JSON.stringify([job, step]));
  while (hold_at === step && times === 1) await context.sleep(holdMs);
  if (fail_at === step && times <= Number(fail_times)) {
    throw new Error(`${step} failed, time ${times} of ${Number(fail_times)}.`);
  }
  const calls = step === "charge" ? [charge()] : [];
  const said = await context.say({ text: `${step}: done`, toolCalls: calls });
  const results = calls.map((call) => context.tool(call, () => Promise.resolve("Charged 120.")));
  return {
    messages: [said, ...(await Promise.all(results))],
    executions: { ...(executions as JsonObject | undefined), [step]: times },
  };
}

function counted(key: string): number {
  const times = (counts.get(key) ?? 0) + 1;
  counts.delete(key);
  counts.set(key, times);
  const [oldest] = counts.keys();
  if (counts.size > keptCounts && oldest !== undefined) counts.delete(oldest);
  return times;
}

function charge() {
  return { id: `call_${uuid7()}`, name: "charge_card", args: { amount: 120 }, type: "tool_call" } as const;
}

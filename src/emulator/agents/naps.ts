import type { Agent, Graph, GraphNode, NodeContext } from "../runtime/agent.ts";
import type { Message } from "../runtime/messages.ts";
import { messagesInput } from "./input.ts";

/** What a step notes of itself, by this process' clock. */
interface Nap {
  readonly node: string;
  readonly from: number;
  readonly to: number;
}

const naps = [
  ["first", 120],
  ["second", 40],
  ["third", 300],
  ["fourth", 80],
] as const;
const speakers = ["left", "right"] as const;

/** A graph of its own, whose message goes up into the state around it. */
const speaker: Graph = {
  name: "speaker",
  entry: ["say"],
  nodes: {
    say: {
      targets: [],
      run: async (context) => {
        const usage = { input_tokens: 6, output_tokens: 4, total_tokens: 10 };
        return { messages: [await context.say({ text: "one two three four", usage })] };
      },
    },
  },
};

/**
 * Steps that take a known time, and note in `naps` of the state when each began and ended; then two models side by
 * side. What a timeline tells of a run can be held against it.
 */
export const napping: Agent = {
  name: "naps",
  description:
    "Takes four steps of known lengths and notes when each began and ended; then two models speak.",
  input: messagesInput,
  entry: [naps[0][0]],
  nodes: {
    ...Object.fromEntries(
      naps.map(([name, ms], index): [string, GraphNode] => [
        name,
        { targets: naps[index + 1]?.slice(0, 1).map(String) ?? speakers, run: nap(name, ms) },
      ]),
    ),
    ...Object.fromEntries(
      speakers.map((name): [string, GraphNode] => [name, { targets: [], subgraph: speaker, run: speak }]),
    ),
  },
};

function nap(node: string, ms: number): GraphNode["run"] {
  return async (context) => {
    const before = Array.isArray(context.state.naps) ? (context.state.naps as readonly Nap[]) : [];
    const from = Date.now();
    await context.sleep(ms);
    return { naps: [...before, { node, from, to: Date.now() }] };
  };
}

async function speak(context: NodeContext): Promise<{ messages: readonly Message[] }> {
  const { messages } = await context.subgraph(speaker, { messages: context.state.messages });
  return { messages: messages.slice(context.state.messages.length) };
}

import { lastHumanText, type Message, type State, textOf, type ToolCall } from "../runtime/messages.ts";
import type { Agent, Graph, GraphNode, NodeContext } from "../runtime/agent.ts";
import { messagesInput } from "./input.ts";

/** What a subagent looks for, and what it finds: made up, and always the same for the same topic. */
interface Speciality {
  readonly name: string;
  readonly tool: string;
  readonly task: (topic: string) => string;
  readonly args: (topic: string) => ToolCall["args"];
  readonly results: (topic: string) => unknown;
  readonly findings: (topic: string) => string;
}

const webResearcher: Speciality = {
  name: "web_researcher",
  tool: "search_web",
  task: (topic) => `Find three recent sources about ${topic}.`,
  args: (topic) => ({ query: topic, max_results: 3 }),
  results: (topic) => [
    { title: `${topic}: an overview`, url: "https://example.com/overview", year: 2026 },
    { title: `${topic} in practice`, url: "https://example.com/practice", year: 2025 },
    { title: `What people get wrong about ${topic}`, url: "https://example.com/myths", year: 2024 },
  ],
  findings: (topic) =>
    `Three sources on ${topic} agree on the basics. The overview explains the terms, the second shows how teams ` +
    "apply it, and the third lists what is often misunderstood.",
};

const factChecker: Speciality = {
  name: "fact_checker",
  tool: "check_claim",
  task: (topic) => `Check the common claims about ${topic}.`,
  args: (topic) => ({ claim: `${topic} is well understood`, strict: true }),
  results: (topic) => ({ claim: `${topic} is well understood`, verdict: "partly true", confidence: 0.7 }),
  findings: (topic) =>
    `The claim that ${topic} is well understood is only partly true: the principles are settled, the costs are not.`,
};

/** Plans, lets two subagents work side by side, and reports. */
export const researcher: Agent = {
  name: "researcher",
  description: "Plans, sends out two subagents side by side, and reports what they found.",
  input: messagesInput,
  entry: ["plan"],
  nodes: {
    plan: { targets: ["web_researcher", "fact_checker"], run: plan },
    web_researcher: delegate(webResearcher),
    fact_checker: delegate(factChecker),
    report: { targets: [], run: report },
  },
};

async function plan(context: NodeContext): Promise<{ messages: Message[] }> {
  const topic = topicOf(context.state);
  context.custom({ type: "progress", stage: "planning", percent: 5 });
  const message = await context.say({
    text: `I will look into **${topic}** in two ways at once:\n\n1. search for sources\n2. check the common claims`,
    toolCalls: [webResearcher, factChecker].map(({ name, task }) => ({
      id: `call_${name}_${context.state.messages.length}`,
      name: "task",
      args: { subagent_type: name, description: task(topic) },
      type: "tool_call",
    })),
    usage: { input_tokens: 212, output_tokens: 74, total_tokens: 286 },
  });
  context.custom({ type: "progress", stage: "researching", percent: 20 });
  return { messages: [message] };
}

async function report(context: NodeContext): Promise<{ messages: Message[] }> {
  const topic = topicOf(context.state);
  context.custom({ type: "progress", stage: "writing", percent: 80 });
  const findings = context.state.messages.slice(-2).map(textOf);
  const message = await context.say({
    text: [
      `# ${topic}`,
      "## What the sources say",
      findings[0] ?? "",
      "## What holds up",
      findings[1] ?? "",
      "| Question | Answer |\n|---|---|\n| Sources read | 3 |\n| Claims checked | 1 |\n| Verdict | partly true |",
      "_The sources are made up: this agent shows how a run looks, not what the world knows._",
    ].join("\n\n"),
    usage: { input_tokens: 1480, output_tokens: 168, total_tokens: 1648 },
  });
  context.custom({ type: "progress", stage: "done", percent: 100 });
  return { messages: [message] };
}

/** A step that hands its part of the plan to a subagent and answers the plan's tool call with what it found. */
function delegate(speciality: Speciality): GraphNode {
  const graph = subagent(speciality);
  return {
    targets: ["report"],
    subgraph: graph,
    run: async (context) => {
      const call = context.state.messages.at(-1)?.tool_calls?.find((wanted) => {
        return wanted.args.subagent_type === speciality.name;
      });
      if (call === undefined) throw new Error(`Nothing was planned for ${speciality.name}.`);
      const result = await context.tool(call, async () => {
        const done = await context.subgraph(graph, {
          messages: [String(call.args.description)],
          topic: topicOf(context.state),
        });
        return textOf(done.messages.at(-1));
      });
      return { messages: [result] };
    },
  };
}

/** A small agent of its own: asks for a tool, uses it, and sums up. */
function subagent(speciality: Speciality): Graph {
  const model: GraphNode = {
    targets: ["tools"],
    next: (state) => (state.messages.at(-1)?.tool_calls?.length ? ["tools"] : []),
    run: async (context) => {
      const topic = String(context.state.topic);
      const used = context.state.messages.some(({ type }) => type === "tool");
      if (used) {
        const usage = { input_tokens: 640, output_tokens: 58, total_tokens: 698 };
        return {
          messages: [await context.say({ text: speciality.findings(topic), usage, name: speciality.name })],
        };
      }
      const call: ToolCall = {
        id: `call_${speciality.tool}`,
        name: speciality.tool,
        args: speciality.args(topic),
        type: "tool_call",
      };
      const usage = { input_tokens: 188, output_tokens: 31, total_tokens: 219 };
      const text = `Let me use \`${speciality.tool}\`.`;
      return { messages: [await context.say({ text, toolCalls: [call], usage, name: speciality.name })] };
    },
  };
  const tools: GraphNode = {
    targets: ["model"],
    run: async (context) => {
      const topic = String(context.state.topic);
      const calls = context.state.messages.at(-1)?.tool_calls ?? [];
      const results = calls.map((call) =>
        context.tool(call, async () => {
          for (const percent of [25, 50, 75, 100]) {
            await context.pause(10);
            context.custom({ type: "progress", stage: speciality.tool, percent });
          }
          return JSON.stringify(speciality.results(topic), null, 2);
        }),
      );
      return { messages: await Promise.all(results) };
    },
  };
  return { name: speciality.name, entry: ["model"], nodes: { model, tools } };
}

function topicOf(state: State): string {
  const said = lastHumanText(state)
    .trim()
    .replace(/[.?!]+$/, "");
  const first = said.split("\n", 1)[0] ?? "";
  if (first === "") return "agents";
  return first.length > 80 ? `${first.slice(0, 80)}…` : first;
}

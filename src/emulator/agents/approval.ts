import * as z from "zod";
import { uuid7 } from "../kit/ids.ts";
import { lastHumanText, type Message, type State, textOf, type ToolCall } from "../runtime/messages.ts";
import type { Agent, NodeContext } from "../runtime/agent.ts";
import { messagesInput } from "./input.ts";

/** The answers to a question do not fit it. */
class InvalidDecisionError extends Error {
  override readonly name = "InvalidDecisionError";
}

const action = z.looseObject({ name: z.string(), args: z.record(z.string(), z.unknown()) });

const decision = z.discriminatedUnion("type", [
  z.looseObject({ type: z.literal("approve") }),
  z
    .looseObject({
      type: z.literal("edit"),
      edited_action: action.optional(),
      editedAction: action.optional(),
    })
    .refine(({ edited_action, editedAction }) => edited_action !== undefined || editedAction !== undefined, {
      error:
        "An edit needs an `edited_action`, as Python spells it, or an `editedAction`, as JavaScript does.",
    }),
  z.looseObject({ type: z.literal("reject"), message: z.string().nullish() }),
  z.looseObject({ type: z.literal("respond"), message: z.string() }),
]);

const answer = z.looseObject({ decisions: z.array(decision) });

/** Something that the agent does only when a person lets it. */
export interface Action {
  readonly tool: string;
  readonly description: string;
  readonly args: (said: string) => ToolCall["args"];
  readonly allowed: readonly string[];
}

const everyDecision = ["approve", "edit", "reject", "respond"];

const sendEmail: Action = {
  tool: "send_email",
  description: "Sends an email in your name.",
  args: (said) => ({ to: "team@example.com", subject: "Update", body: said === "" ? "Hello!" : said }),
  allowed: everyDecision,
};

const deleteFile: Action = {
  tool: "delete_file",
  description: "Deletes a file for good.",
  args: () => ({ path: "drafts/update.md" }),
  allowed: ["approve", "reject"],
};

/** Wants to use a tool, or two, and asks a person first. */
export const approval = askBefore([sendEmail, deleteFile]);

/** An agent that wants to use the first of these, or the first two when the message says so, and asks a person first. */
export function askBefore(actions: readonly Action[]): Agent {
  return {
    name: "approval",
    description:
      "Wants to send an email and asks you first; say “two” and it wants to delete a file as well.",
    input: messagesInput,
    entry: ["model"],
    nodes: {
      model: { targets: ["review"], next: askNext, run: (context) => model(context, actions) },
      review: { targets: ["model"], run: (context) => review(context, actions) },
    },
  };
}

/** What a tool of any name is asked for. */
export function useOf(tool: string, description: string): Action {
  const known = [sendEmail, deleteFile].find((action) => action.tool === tool);
  return known ?? { tool, description, args: (said) => ({ request: said }), allowed: everyDecision };
}

function askNext(state: State): readonly string[] {
  return state.messages.at(-1)?.tool_calls?.length ? ["review"] : [];
}

async function model(context: NodeContext, actions: readonly Action[]): Promise<{ messages: Message[] }> {
  const { messages } = context.state;
  if (messages.at(-1)?.type === "tool") return { messages: [await context.say({ text: summary(messages) })] };
  const said = lastHumanText(context.state);
  const wanted = actions.slice(0, /\btwo\b/i.test(said) ? 2 : 1);
  const calls = wanted.map(({ tool, args }) => toolCall(tool, args(said)));
  const one = calls[0]?.name === "send_email" ? "send this email" : `use \`${calls[0]?.name ?? ""}\``;
  const text = calls.length === 1 ? `I would like to ${one}.` : "I would like to do two things.";
  return { messages: [await context.say({ text, toolCalls: calls })] };
}

async function review(context: NodeContext, actions: readonly Action[]): Promise<{ messages: Message[] }> {
  const wanting = context.state.messages.at(-1);
  const calls = wanting?.tool_calls ?? [];
  const asked = calls.map(({ name }) => actions.find(({ tool }) => tool === name) ?? useOf(name, name));
  const answered = context.interrupt({
    action_requests: calls.map(({ name, args }, index) => ({
      name,
      args,
      description: asked[index]?.description ?? name,
    })),
    review_configs: asked.map(({ tool, allowed }) => ({ action_name: tool, allowed_decisions: allowed })),
  });
  const decisions = checked(answered, asked);
  const decided = calls.map((call, index) => edited(call, decisions[index]));
  const results: Message[] = [];
  for (const [index, call] of decided.entries()) {
    const one = decisions[index];
    if (one !== undefined) results.push(await carryOut(context, call, one));
  }
  const changed = decided.some((call, index) => call !== calls[index]);
  // What was wanted is what a person made of it: the next model call sees no other.
  if (changed && wanting !== undefined) results.unshift({ ...wanting, tool_calls: decided });
  return { messages: results };
}

function edited(call: ToolCall, decided: z.output<typeof decision> | undefined): ToolCall {
  const better = decided?.type === "edit" ? (decided.edited_action ?? decided.editedAction) : undefined;
  return better === undefined ? call : { ...call, name: better.name, args: better.args };
}

function checked(answered: unknown, asked: readonly Action[]): z.output<typeof decision>[] {
  const parsed = answer.safeParse(answered);
  if (!parsed.success) {
    const [issue] = parsed.error.issues;
    const at = issue === undefined || issue.path.length === 0 ? "the answer" : issue.path.join(".");
    throw new InvalidDecisionError(`Expected {"decisions": [...]}; ${at}: ${issue?.message ?? "invalid"}`);
  }
  const { decisions } = parsed.data;
  if (decisions.length !== asked.length) {
    throw new InvalidDecisionError(
      `Expected ${asked.length} decisions, one per action, but got ${decisions.length}.`,
    );
  }
  for (const [index, { tool, allowed }] of asked.entries()) {
    const type = decisions[index]?.type ?? "";
    if (allowed.includes(type)) continue;
    throw new InvalidDecisionError(
      `"${type}" is not allowed for ${tool}: choose one of ${allowed.join(", ")}.`,
    );
  }
  return decisions;
}

async function carryOut(
  context: NodeContext,
  call: ToolCall,
  decided: z.output<typeof decision>,
): Promise<Message> {
  const result = (content: string, status: string): Message => ({
    type: "tool",
    id: uuid7(),
    content,
    name: call.name,
    tool_call_id: call.id,
    status,
  });
  switch (decided.type) {
    case "approve":
    case "edit":
      return await execute(context, call);
    case "reject":
      return result(`Rejected: ${decided.message ?? "no reason given"}`, "error");
    case "respond":
      return result(decided.message, "success");
    default:
      return decided satisfies never;
  }
}

async function execute(context: NodeContext, call: ToolCall): Promise<Message> {
  return await context.tool(call, async () => {
    await context.pause(15);
    const { args } = call;
    if (call.name === "send_email")
      return `Sent to ${text(args.to)}: ${text(args.subject)} — ${text(args.body)}`;
    return `${call.name} done with ${JSON.stringify(args)}`;
  });
}

function summary(messages: readonly Message[]): string {
  const last = messages.findLastIndex(({ type }) => type === "ai");
  const lines = messages.slice(last + 1).map((message) => {
    const failed = message.status === "error";
    return `- ${failed ? "✗" : "✓"} \`${message.name ?? "tool"}\`: ${textOf(message)}`;
  });
  return `This is what came of it:\n\n${lines.join("\n")}`;
}

function toolCall(name: string, args: ToolCall["args"]): ToolCall {
  return { id: `call_${uuid7()}`, name, args, type: "tool_call" };
}

function text(value: unknown): string {
  return typeof value === "string" ? value : JSON.stringify(value ?? null);
}

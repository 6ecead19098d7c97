import * as z from "zod";
import { uuid7 } from "../ids.ts";
import { lastHumanText, textOf } from "../runtime/messages.ts";
import type { Message, State, ToolCall } from "../runtime/messages.ts";
import type { Agent, NodeContext } from "./agent.ts";
import { messagesInput } from "./input.ts";

/** The answers to a question do not fit it. */
export class InvalidDecisionError extends Error {
  override readonly name = "InvalidDecisionError";
}

const decision = z.discriminatedUnion("type", [
  z.looseObject({ type: z.literal("approve") }),
  z.looseObject({
    type: z.literal("edit"),
    edited_action: z.looseObject({ name: z.string(), args: z.record(z.string(), z.unknown()) }),
  }),
  z.looseObject({ type: z.literal("reject"), message: z.string().nullish() }),
  z.looseObject({ type: z.literal("respond"), message: z.string() }),
]);

const answer = z.looseObject({ decisions: z.array(decision) });

const allowed: Readonly<Record<string, readonly string[]>> = {
  send_email: ["approve", "edit", "reject", "respond"],
  delete_file: ["approve", "reject"],
};

const descriptions: Readonly<Record<string, string>> = {
  send_email: "Sends an email in your name.",
  delete_file: "Deletes a file for good.",
};

/** Wants to use a tool, or two, and asks a person first. */
export const approval: Agent = {
  name: "approval",
  description: "Wants to send an email and asks you first; say “two” and it wants to delete a file as well.",
  input: messagesInput,
  entry: ["model"],
  nodes: {
    model: { targets: ["review"], next: askNext, run: model },
    review: { targets: ["model"], run: review },
  },
};

function askNext(state: State): readonly string[] {
  return state.messages.at(-1)?.tool_calls?.length ? ["review"] : [];
}

async function model(context: NodeContext): Promise<{ messages: Message[] }> {
  const { messages } = context.state;
  if (messages.at(-1)?.type === "tool") return { messages: [await context.say({ text: summary(messages) })] };
  const said = lastHumanText(context.state);
  const calls: ToolCall[] = [
    toolCall("send_email", {
      to: "team@example.com",
      subject: "Update",
      body: said === "" ? "Hello!" : said,
    }),
  ];
  if (/\btwo\b/i.test(said)) calls.push(toolCall("delete_file", { path: "drafts/update.md" }));
  const text = calls.length === 1 ? "I would like to send this email." : "I would like to do two things.";
  return { messages: [await context.say({ text, toolCalls: calls })] };
}

async function review(context: NodeContext): Promise<{ messages: Message[] }> {
  const calls = context.state.messages.at(-1)?.tool_calls ?? [];
  const answered = context.interrupt({
    action_requests: calls.map(({ name, args }) => ({ name, args, description: descriptions[name] ?? name })),
    review_configs: calls.map(({ name }) => ({ action_name: name, allowed_decisions: allowed[name] ?? [] })),
  });
  const decisions = checked(answered, calls);
  const results: Message[] = [];
  for (const [index, call] of calls.entries()) {
    const decided = decisions[index];
    if (decided !== undefined) results.push(await carryOut(context, call, decided));
  }
  return { messages: results };
}

function checked(answered: unknown, calls: readonly ToolCall[]): z.output<typeof decision>[] {
  const parsed = answer.safeParse(answered);
  if (!parsed.success) {
    const [issue] = parsed.error.issues;
    const at = issue === undefined || issue.path.length === 0 ? "the answer" : issue.path.join(".");
    throw new InvalidDecisionError(`Expected {"decisions": [...]}; ${at}: ${issue?.message ?? "invalid"}`);
  }
  const { decisions } = parsed.data;
  if (decisions.length !== calls.length) {
    throw new InvalidDecisionError(
      `Expected ${calls.length} decisions, one per action, but got ${decisions.length}.`,
    );
  }
  for (const [index, { type }] of decisions.entries()) {
    const name = calls[index]?.name ?? "";
    const choices = allowed[name] ?? [];
    if (choices.includes(type)) continue;
    throw new InvalidDecisionError(
      `"${type}" is not allowed for ${name}: choose one of ${choices.join(", ")}.`,
    );
  }
  return decisions;
}

async function carryOut(
  context: NodeContext,
  call: ToolCall,
  decided: z.output<typeof decision>,
): Promise<Message> {
  const told = (content: string, status: string): Message => ({
    type: "tool",
    id: uuid7(),
    content,
    name: call.name,
    tool_call_id: call.id,
    status,
  });
  switch (decided.type) {
    case "approve":
      return await execute(context, call);
    case "edit":
      return await execute(context, { ...call, ...decided.edited_action });
    case "reject":
      return told(`Rejected: ${decided.message ?? "no reason given"}`, "error");
    case "respond":
      return told(decided.message, "success");
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

/** Records a real agent server's answers into `test/fixtures/wire`: `node test/peers/record.ts`. */

import { mkdir, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { setTimeout as delay } from "node:timers/promises";
import { startFeedbackService } from "../support/feedbackService.ts";
import { installPeer } from "./install.ts";
import { startAgentServer } from "./server.ts";

const fixtures = join(import.meta.dirname, "..", "fixtures", "wire");
const panelModes = { stream_mode: ["messages-tuple", "updates", "values", "custom"], stream_subgraphs: true };
const say = (content: string) => ({ messages: [{ role: "user", content }] });

await installPeer();
await mkdir(fixtures, { recursive: true });
const feedback = await startFeedbackService();
const server = await startAgentServer({ LANGSMITH_ENDPOINT: feedback.url, LANGSMITH_API_KEY: "recorded" });
try {
  await record();
} finally {
  await server.stop();
  await feedback.stop();
}

async function record(): Promise<void> {
  const chat = await thread();
  await stream("chat.sse", chat, { assistant_id: "chat", input: say("Hello"), ...panelModes });
  await stream("chat-second-turn.sse", chat, {
    assistant_id: "chat",
    input: say("And again"),
    ...panelModes,
  });
  await stream("chat-messages.sse", await thread(), {
    assistant_id: "chat",
    input: say("Hello"),
    stream_mode: "messages",
  });
  await stream("chat-debug.sse", await thread(), {
    assistant_id: "chat",
    input: say("Hello"),
    stream_mode: ["debug", "tasks", "checkpoints", "events"],
  });
  const feedback_keys = ["user_score", "correct"];
  await stream("feedback.sse", await thread(), {
    assistant_id: "chat",
    input: say("Rate me"),
    ...panelModes,
    feedback_keys,
  });

  const researcher = await thread();
  await stream("researcher.sse", researcher, {
    assistant_id: "researcher",
    input: say("tea"),
    ...panelModes,
  });
  await answer("researcher-state.json", `/threads/${researcher}/state`);
  await answer("researcher-history.json", `/threads/${researcher}/history`, { limit: 20 });
  await stream("researcher-messages.sse", await thread(), {
    assistant_id: "researcher",
    input: say("tea"),
    stream_mode: "messages",
    stream_subgraphs: true,
  });
  await stream("researcher-plain.sse", await thread(), {
    assistant_id: "researcher",
    input: say("tea"),
    stream_mode: ["messages-tuple", "updates", "values", "custom"],
  });

  const approval = await thread();
  await stream("approval.sse", approval, { assistant_id: "approval", input: say("Report"), ...panelModes });
  await answer("approval-state.json", `/threads/${approval}/state?subgraphs=true`);
  await answer("approval-thread.json", `/threads/${approval}`);
  const edited_action = { name: "delete_file", args: { path: "old.txt" } };
  const resume = { decisions: [{ type: "approve" }, { type: "edit", edited_action }] };
  await stream("approval-resumed.sse", approval, {
    assistant_id: "approval",
    command: { resume },
    ...panelModes,
  });

  const faulty = await thread();
  await stream("faulty.sse", faulty, { assistant_id: "faulty", input: say("Try"), ...panelModes });
  await answer("faulty-state.json", `/threads/${faulty}/state`);
  await answer("faulty-wait.json", `/threads/${faulty}/runs/wait`, {
    assistant_id: "faulty",
    input: say("Try"),
  });
  await recordStopped();

  await answer("thread-search.json", "/threads/search", { limit: 3 });
  await answer("runs.json", `/threads/${chat}/runs`);
  await answer("assistants.json", "/assistants/search", {});
  await answer("graph.json", "/assistants/researcher/graph?xray=true");
  await answer("info.json", "/info");
}

/** A run that is cancelled, and one that a second run with the strategy `interrupt` stops. */
async function recordStopped(): Promise<void> {
  const slow = { assistant_id: "slow", input: { ...say("Talk"), seconds: 30 }, ...panelModes };
  const cancelled = await thread();
  const stopped = stream("slow-cancelled.sse", cancelled, slow);
  await delay(2000);
  const [run] = (await json(`/threads/${cancelled}/runs`)) as [{ run_id: string }];
  await call(`/threads/${cancelled}/runs/${run.run_id}/cancel`, {});
  await stopped;

  const interrupted = await thread();
  const first = stream("slow-interrupted-first.sse", interrupted, slow);
  await delay(2000);
  const second = { ...slow, input: { ...say("Shorter"), seconds: 1 }, multitask_strategy: "interrupt" };
  await Promise.all([first, stream("slow-interrupted-second.sse", interrupted, second)]);
  await answer("slow-interrupted-runs.json", `/threads/${interrupted}/runs`);
  await answer("slow-interrupted-state.json", `/threads/${interrupted}/state`);
}

async function thread(): Promise<string> {
  return ((await json("/threads", {})) as { thread_id: string }).thread_id;
}

async function stream(file: string, threadId: string, body: object): Promise<void> {
  const response = await call(`/threads/${threadId}/runs/stream`, { ...body, stream_resumable: true });
  await save(file, await response.text());
}

async function answer(file: string, path: string, body?: object): Promise<void> {
  await save(file, `${JSON.stringify(await json(path, body), undefined, 2)}\n`);
}

async function json(path: string, body?: object): Promise<unknown> {
  return (await call(path, body)).json();
}

async function call(path: string, body?: object): Promise<Response> {
  const post = {
    method: "POST",
    body: JSON.stringify(body),
    headers: { "content-type": "application/json" },
  };
  const response = await fetch(server.url + path, body === undefined ? {} : post);
  if (!response.ok) throw new Error(`${path}: ${response.status} ${await response.text()}`);
  return response;
}

/** Saves without what is particular to the recording machine. */
async function save(file: string, text: string): Promise<void> {
  const clean = text
    .replaceAll(feedback.url, "https://platform.example.com")
    .replaceAll(server.url, "https://agents.example.com");
  await writeFile(join(fixtures, file), clean);
}

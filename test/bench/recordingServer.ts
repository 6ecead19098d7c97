/**
 * A process that serves one recorded run, as fast as the client takes it or at a rate: `node recordingServer.ts
 * custom|tokens EVENTS [PER_SECOND]`. Prints its URL.
 */

import { createServer } from "node:http";
import type { ServerResponse } from "node:http";
import type { AddressInfo } from "node:net";
import { setTimeout as pause } from "node:timers/promises";

const [kind = "custom", count = "1000", perSecond] = process.argv.slice(2);
const recording = perSecond === undefined ? Buffer.from(recorded(Number(count))) : undefined;

const server = createServer((request, response) => {
  request.resume();
  const path = (request.url ?? "").split("?")[0] ?? "";
  if (path.endsWith("/stream")) void stream(response);
  else json(response, path);
});
server.listen(0, "127.0.0.1", () => {
  console.log(`http://127.0.0.1:${(server.address() as AddressInfo).port}`);
});

async function stream(response: ServerResponse): Promise<void> {
  response.writeHead(200, {
    "content-type": "text/event-stream",
    "content-location": "/threads/thread/runs/run",
  });
  if (recording !== undefined) {
    response.end(recording);
    return;
  }
  response.socket?.setNoDelay(true);
  const start = performance.now();
  response.write(event("metadata", { run_id: "run", attempt: 1 }, 0));
  for (let n = 1; n <= Number(count); n += 1) {
    const due = start + (n * 1000) / Number(perSecond);
    await pause(Math.max(0, due - performance.now()));
    const text = `${n % 40 === 0 ? "\n\n" : " "}<${performance.timeOrigin + performance.now()}>`;
    response.write(event("messages|model:1", token(text), n));
  }
  response.end();
}

function json(response: ServerResponse, path: string): void {
  const at = new Date().toISOString();
  const run = { run_id: "run", thread_id: "thread", assistant_id: "flood", status: "success", metadata: {} };
  const state = {
    values: {},
    next: [],
    tasks: [],
    created_at: null,
    checkpoint: null,
    parent_checkpoint: null,
  };
  const thread = { thread_id: "thread", metadata: {}, status: "idle", created_at: at, updated_at: at };
  const assistant = { assistant_id: "flood", graph_id: "flood", name: "flood", metadata: {}, config: {} };
  const bodies: Readonly<Record<string, unknown>> = {
    "/threads": thread,
    "/threads/thread": thread,
    "/threads/thread/state": state,
    "/threads/thread/runs": [],
    "/threads/search": [thread],
    "/threads/count": 1,
    "/assistants/search": [assistant],
    "/info": { version: "recorded" },
    "/ok": { ok: true },
  };
  response.writeHead(200, { "content-type": "application/json" });
  response.end(JSON.stringify(bodies[path] ?? { ...run, created_at: at, updated_at: at }));
}

function recorded(events: number): string {
  const parts = [event("metadata", { run_id: "run", attempt: 1 }, 0)];
  for (let n = 1; n < events; n += 1) {
    if (kind === "tokens") parts.push(event("messages|model:1", token(` word${n % 100}`), n));
    else parts.push(event("custom", { i: n, t: "tick" }, n));
  }
  return parts.join("");
}

function event(name: string, data: unknown, id: number): string {
  return `event: ${name}\ndata: ${JSON.stringify(data)}\nid: ${id}\n\n`;
}

/** A piece of a message with as much metadata as real servers send along. */
function token(content: string): unknown {
  const chunk = {
    id: "msg_4593dcef-c62f-4cc8-a3d9-9a66915a2820",
    content,
    tool_calls: [],
    invalid_tool_calls: [],
    tool_call_chunks: [],
    additional_kwargs: {},
    response_metadata: {},
    type: "ai",
  };
  const metadata = {
    tags: [],
    ls_integration: "langchain_chat_model",
    created_by: "system",
    graph_id: "chat",
    assistant_id: "eb6db400-e3c8-5d06-a834-015cb89efe69",
    run_attempt: 1,
    langgraph_version: "1.4.18",
    langgraph_plan: "developer",
    langgraph_host: "self-hosted",
    thread_id: "01a1fc88-1e99-74db-baf6-e83986dc8ab6",
    run_id: "01a1fc88-1ea4-719c-ac5d-0a5b3c8c712a",
    langgraph_step: 1,
    langgraph_node: "model",
    langgraph_triggers: ["branch:to:model"],
    langgraph_path: ["__pregel_pull", "model"],
    langgraph_checkpoint_ns: "model:1",
    checkpoint_ns: "model:1",
    ls_provider: "scripted",
    ls_model_type: "chat",
  };
  return [chunk, metadata];
}

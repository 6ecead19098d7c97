/**
 * A process that serves one recorded run, as fast as the client takes it or at a rate: `node recordingServer.ts
 * custom|tokens EVENTS [PER_SECOND]`. Prints its URL.
 */

import { createServer } from "node:http";
import type { ServerResponse } from "node:http";
import type { AddressInfo } from "node:net";
import { setTimeout as pause } from "node:timers/promises";
import { eventText, recordedStream, token } from "./recording.ts";

const [kind = "custom", count = "1000", perSecond] = process.argv.slice(2);
const recording =
  perSecond === undefined
    ? Buffer.from(recordedStream(kind === "tokens" ? kind : "custom", Number(count)))
    : undefined;

let threads = 0;
const server = createServer((request, response) => {
  request.resume();
  const path = (request.url ?? "").split("?")[0] ?? "";
  if (path === "/threads") threads += 1;
  const threadId = /thread-\d+/.exec(path)?.[0] ?? `thread-${threads}`;
  if (path.endsWith("/stream")) void stream(response, threadId);
  else json(response, path.replace(threadId, "thread"), threadId);
});
server.listen(0, "127.0.0.1", () => {
  console.log(`http://127.0.0.1:${(server.address() as AddressInfo).port}`);
});

async function stream(response: ServerResponse, threadId: string): Promise<void> {
  response.writeHead(200, {
    "content-type": "text/event-stream",
    "content-location": `/threads/${threadId}/runs/run`,
  });
  if (recording !== undefined) {
    response.end(recording);
    return;
  }
  response.socket?.setNoDelay(true);
  const start = performance.now();
  response.write(eventText("metadata", { run_id: "run", attempt: 1 }, 0));
  for (let n = 1; n <= Number(count); n += 1) {
    const due = start + (n * 1000) / Number(perSecond);
    await pause(Math.max(0, due - performance.now()));
    const text = `${n % 40 === 0 ? "\n\n" : " "}<${performance.timeOrigin + performance.now()}>`;
    response.write(eventText("messages|model:1", token(text), n));
  }
  response.end();
}

function json(response: ServerResponse, path: string, threadId: string): void {
  const at = new Date().toISOString();
  const run = { run_id: "run", thread_id: threadId, assistant_id: "flood", status: "success", metadata: {} };
  const state = {
    values: {},
    next: [],
    tasks: [],
    created_at: null,
    checkpoint: null,
    parent_checkpoint: null,
  };
  const thread = { thread_id: threadId, metadata: {}, status: "idle", created_at: at, updated_at: at };
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

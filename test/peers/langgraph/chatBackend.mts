/** A chat backend as an application builds one: the embeddable server under `/api`, and what it leaves to the app. */

import { serve } from "@hono/node-server";
import { MemorySaver } from "@langchain/langgraph";
import { createEmbedServer, type ThreadSaver } from "@langchain/langgraph-api/experimental/embed";
import { Hono } from "hono";
import { HTTPException } from "hono/http-exception";
import { graph as approval } from "./graphs/approval.mts";
import { graph as chat } from "./graphs/chat.mts";
import { graph as letters } from "./graphs/letters.mts";

type Thread = Awaited<ReturnType<ThreadSaver["get"]>>;

const kept = new Map<string, Thread>();
const threads: ThreadSaver = {
  get: async (id) => {
    const thread = kept.get(id);
    if (thread === undefined) throw new HTTPException(404, { message: `Thread ${id} not found` });
    return thread;
  },
  set: async (id, { metadata }) => {
    const thread = { thread_id: id, metadata: { ...kept.get(id)?.metadata, ...metadata } };
    kept.set(id, thread);
    return thread;
  },
  delete: async (id) => {
    kept.delete(id);
  },
};

const app = new Hono();
app.get("/api/threads", (c) =>
  c.json(
    [...kept.keys()].reverse().map((id) => ({ id, title: `Thread ${id.slice(0, 4)}`, updatedAt: null })),
  ),
);
app.post("/api/threads/:id/state", async (c, next) => {
  const id = c.req.param("id");
  if (kept.has(id)) return next();
  await threads.set(id, { kind: "put" });
  return c.json({ values: { messages: [] }, next: [], tasks: [], checkpoint: null });
});
app.route(
  "/api",
  createEmbedServer({ graph: { agent: chat, approval, letters }, threads, checkpointer: new MemorySaver() }),
);
serve({ fetch: app.fetch, port: 0, hostname: "127.0.0.1" }, ({ port }) => {
  console.log(JSON.stringify({ url: `http://127.0.0.1:${port}` }));
});

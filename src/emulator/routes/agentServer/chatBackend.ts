import { type Context, Hono } from "hono";
import * as z from "zod";
import { pageQuery, record } from "../../kit/schemas.ts";
import { agents } from "../../agents/catalog.ts";
import { readBody, readQuery } from "../../http/body.ts";
import type { Env } from "../../http/env.ts";
import { operation } from "../../http/operation.ts";
import type { Platform } from "../../platform/platform.ts";
import { commandAnswer, commandBody } from "../../chat/command.ts";
import { ChatThreads, InvalidStateUpdateError, listedThread, stateBody } from "../../chat/chatThreads.ts";
import { subscriptionBody } from "../../protocol/subscription.ts";
import { followThread, readThreadId, sendCommand } from "./protocol.ts";
import { historyBody, historyOf } from "./threadState.ts";
import { isObject } from "../../kit/json.ts";

const listQuery = z.object(pageQuery(1000));
const state = z.looseObject({ values: record, next: z.array(z.string()), tasks: z.array(z.unknown()) });
const missing = "The thread has no state yet.";

const described = {
  command: operation(
    "Send a command to a thread",
    { 200: commandAnswer, 400: "This is no command." },
    { body: commandBody },
  ),
  follow: operation(
    "Follow a thread",
    { 200: "Protocol events: what happened, then what happens." },
    { body: subscriptionBody, mediaType: "text/event-stream" },
  ),
  read: operation("Read a thread's state", { 200: state, 404: missing }),
  change: operation(
    "Make a thread's first state, or change the one it has",
    { 200: state, 409: "A run is in progress.", 422: "The state cannot become so." },
    { body: stateBody },
  ),
  list: operation("List the threads, newest first", { 200: z.array(listedThread) }, { query: listQuery }),
  remove: operation("Delete a thread", { 204: "It is gone, if it was there." }),
  history: operation(
    "Page through a thread's earlier states, newest first",
    { 200: z.array(state), 404: missing },
    { body: historyBody },
  ),
};

/** A chat backend that serves the streaming protocol (docs/interface.md, "Streaming protocol thread endpoints"). */
export function chatBackendRoutes(platform: Platform): Hono<Env> {
  const app = new Hono<Env>();
  const threads = (c: Context<Env>) => new ChatThreads(platform, c.get("deploymentId"));
  const assistantId = agents[0]?.name ?? "";

  app.post("/:thread_id/commands", described.command, (c) =>
    sendCommand(platform, c, { strategy: "interrupt", assistantId }),
  );

  app.post("/:thread_id/stream", described.follow, async (c) =>
    followThread(platform, c, await readBody(c, subscriptionBody), chatFrame),
  );

  app.get("/:thread_id/state", described.read, (c) => {
    const threadId = readThreadId(c);
    const found = threads(c).state(threadId);
    return found === undefined ? notFound(c, threadId) : c.json(found);
  });

  app.post("/:thread_id/state", described.change, async (c) => {
    const body = await readBody(c, stateBody);
    try {
      return c.json(threads(c).update(readThreadId(c), body));
    } catch (error) {
      if (!(error instanceof InvalidStateUpdateError)) throw error;
      return c.json({ error: "invalid_state_update", message: error.message }, error.status);
    }
  });

  app.get("/", described.list, (c) => {
    const { limit, offset } = readQuery(c, listQuery);
    return c.json(threads(c).list(limit, offset));
  });

  app.delete("/:thread_id", described.remove, async (c) => {
    await threads(c).remove(readThreadId(c));
    return c.body(null, 204);
  });

  app.post("/:thread_id/history", described.history, async (c) => {
    const query = historyOf(await readBody(c, historyBody));
    const threadId = readThreadId(c);
    const found = threads(c).history(threadId, query);
    return found === undefined ? notFound(c, threadId) : c.json(found);
  });

  return app;
}

function notFound(c: Context<Env>, threadId: string): Response {
  return c.json({ error: "not_found", message: `Thread ${threadId} not found` }, 404);
}

/**
 * A frame of the protocol as chat backends send it: every event under the name `message`, a run that begins as
 * `started`, and the node of an update beside its values.
 */
function chatFrame(frame: string): string {
  const [id = "", event = "", data = ""] = frame.split("\n", 3);
  const text = data.slice("data: ".length);
  const method = event.slice("event: ".length);
  return `${id}\nevent: message\ndata: ${method === "updates" || method === "lifecycle" ? adapted(text) : text}\n\n`;
}

function adapted(text: string): string {
  const event: unknown = JSON.parse(text);
  if (!isObject(event) || !isObject(event.params)) return text;
  const { params } = event;
  const { data, node } = params;
  if (event.method === "updates") {
    return JSON.stringify({ ...event, params: { ...params, data: { node, values: data } } });
  }
  if (!isObject(data) || data.event !== "running") return text;
  return JSON.stringify({ ...event, params: { ...params, data: { ...data, event: "started" } } });
}

import type { ServerResponse } from "node:http";
import { type Context, Hono } from "hono";
import { readBody } from "../../http/body.ts";
import type { Env } from "../../http/env.ts";
import { HttpError, wrongValue } from "../../kit/httpError.ts";
import { isUuid } from "../../kit/ids.ts";
import { operation } from "../../http/operation.ts";
import type { Platform } from "../../platform/platform.ts";
import { commandAnswer, commandBody } from "../../chat/command.ts";
import { answerCommand, type CommandHabits } from "../../chat/commands.ts";
import { headOf } from "../../protocol/protocolEvent.ts";
import { type Subscription, subscriptionBody, wants } from "../../protocol/subscription.ts";
import { sendEvents, whenClosed } from "../../http/sse.ts";

/** The streaming protocol at an agent server's own paths. */
export function protocolRoutes(platform: Platform): Hono<Env> {
  const app = new Hono<Env>();

  app.post(
    "/:thread_id/commands",
    operation(
      "Send a command of the streaming protocol",
      { 200: commandAnswer, 400: "This is no command." },
      { body: commandBody },
    ),
    (c) => sendCommand(platform, c, { strategy: "enqueue" }),
  );

  app.post(
    "/:thread_id/stream/events",
    operation(
      "Follow a thread by the streaming protocol",
      { 200: "Protocol events: what happened, then what happens." },
      { body: subscriptionBody, mediaType: "text/event-stream" },
    ),
    async (c) => {
      const subscription = await readBody(c, subscriptionBody);
      return followThread(platform, c, subscription, (frame) => frame);
    },
  );

  return app;
}

/** Answers a command; what is none gets a 400 with the protocol's error envelope. */
export async function sendCommand(
  platform: Platform,
  c: Context<Env>,
  habits: CommandHabits,
): Promise<Response> {
  const threadId = readThreadId(c);
  try {
    const command = await readBody(c, commandBody);
    return c.json(answerCommand(platform, c.get("deploymentId"), threadId, command, habits));
  } catch (error) {
    if (!(error instanceof HttpError) || error.status !== 422) throw error;
    return c.json({ type: "error", id: null, error: "invalid_argument", message: error.message }, 400);
  }
}

/** Sends a thread's events as they are wanted, each frame in the form that `view` gives it, until the client goes. */
export function followThread(
  platform: Platform,
  c: Context<Env>,
  subscription: Subscription,
  view: (frame: string) => string,
): Response {
  const threadId = readThreadId(c);
  const { protocolStreams } = platform;
  const reader = protocolStreams.read(threadId, subscription.since ?? 0);
  const response: ServerResponse = c.env.outgoing;
  whenClosed(response, () => setImmediate(() => protocolStreams.release(threadId)));
  return sendEvents(response, {}, reader, {
    view: (frame) => {
      const head = headOf(frame);
      return head !== undefined && wants(subscription, head) ? view(frame) : "";
    },
  });
}

/** The thread that a protocol path names: its client makes the ids up, and they need not be UUIDs. Throws 422. */
export function readThreadId(c: Context<Env>): string {
  const id = c.req.param("thread_id") ?? "";
  if (isUuid(id)) return id.toLowerCase();
  if (/^[\w-][\w.:-]{0,127}$/.test(id)) return id;
  throw wrongValue(["path", "thread_id"], "This is not the ID of a thread", id);
}

import { validateHeaderName, validateHeaderValue } from "node:http";
import { type Context, Hono } from "hono";
import * as z from "zod";
import { readBody, readId } from "../../http/body.ts";
import type { Env } from "../../http/env.ts";
import { HttpError } from "../../kit/httpError.ts";
import { operation } from "../../http/operation.ts";
import type { Platform } from "../../platform/platform.ts";
import { checkSubscriber, ForbiddenAddressError } from "../../issueWebhooks/webhookAddress.ts";
import { eventTypes, type Webhook } from "../../issueWebhooks/webhooks.ts";

const headers = z
  .record(z.string().refine(isHeaderName, "This is not the name of a header."), z.string())
  .refine((record) => Object.values(record).every(isHeaderValue), "A value cannot be sent in a header.")
  .describe("Sent with each delivery; Content-Type and the signature are the platform's own.");

const order = {
  url: z.string().min(1).max(2048),
  severity_threshold: z.int().min(0).max(3),
  event_types: z.array(z.enum(eventTypes)).min(1),
  headers,
};

/** What makes a subscription. */
const webhookBody = z.looseObject({
  url: order.url,
  severity_threshold: order.severity_threshold.default(3),
  event_types: order.event_types.default(["issue.created"]),
  headers: order.headers.default({}),
});

/** What changes one. */
const webhookPatch = z.looseObject({
  url: order.url.optional(),
  severity_threshold: order.severity_threshold.optional(),
  event_types: order.event_types.optional(),
  headers: order.headers.optional(),
});

const webhook = z.looseObject({
  id: z.uuid(),
  url: order.url,
  severity_threshold: order.severity_threshold,
  event_types: order.event_types,
  header_names: z.array(z.string()),
  has_signing_secret: z.literal(true),
  created_at: z.string(),
  updated_at: z.string(),
});
const secret = { signing_secret: z.string().describe("Shown here only; the key of the HMAC-SHA256.") };
const record = z.object({
  event_id: z.uuid(),
  type: z.enum(eventTypes),
  attempt: z.int().describe("0 for a delivery that was not tried yet."),
  status: z.int().nullable().describe("The status of the receiver's answer, if there was one."),
  error: z.string().optional(),
  at: z.string(),
  state: z.enum(["pending", "delivered", "failed"]).describe("Where the delivery as a whole stands."),
});

const described = {
  create: operation("Subscribe to issue events", { 201: webhook.extend(secret) }, { body: webhookBody }),
  list: operation("List the subscriptions", { 200: z.array(webhook) }),
  read: operation("Read a subscription", { 200: webhook }),
  change: operation("Change a subscription", { 200: webhook }, { body: webhookPatch }),
  remove: operation("Remove a subscription and its deliveries", { 204: "It is removed." }),
  rollSecret: operation("Replace the signing secret, in force at once", {
    200: z.object({ id: z.uuid(), ...secret }),
  }),
  deliveries: operation("List the attempts to deliver", { 200: z.array(record) }),
};

/** Subscriptions to issue events, and what became of their deliveries. */
export function webhookRoutes(platform: Platform): Hono<Env> {
  const { webhooks, deliveries } = platform;
  const app = new Hono<Env>();

  app.post("/", described.create, (c) => create(platform, c));
  app.get("/", described.list, (c) => c.json(webhooks.list()));
  app.get("/:id", described.read, (c) => c.json(requireWebhook(platform, c)));
  app.patch("/:id", described.change, (c) => change(platform, c));
  app.delete("/:id", described.remove, (c) => remove(platform, c));
  app.post("/:id/roll-secret", described.rollSecret, (c) => rollSecret(platform, c));
  app.get("/:id/deliveries", described.deliveries, (c) =>
    c.json(deliveries.list(requireWebhook(platform, c).id)),
  );

  return app;
}

async function create(platform: Platform, c: Context<Env>): Promise<Response> {
  const body = await readBody(c, webhookBody);
  await requireAllowed(platform, body.url);
  const { id, signingSecret } = platform.webhooks.insert(body);
  return c.json({ ...platform.webhooks.get(id), signing_secret: signingSecret }, 201);
}

async function change(platform: Platform, c: Context<Env>): Promise<Response> {
  const { id } = requireWebhook(platform, c);
  const body = await readBody(c, webhookPatch);
  if (body.url !== undefined) await requireAllowed(platform, body.url);
  platform.webhooks.update(id, body);
  return c.json(requireWebhook(platform, c));
}

function remove(platform: Platform, c: Context<Env>): Response {
  const { webhooks, deliveries, store } = platform;
  const { id } = requireWebhook(platform, c);
  store.atomically(() => {
    webhooks.delete(id);
    deliveries.deleteOf(id);
  });
  return c.body(null, 204);
}

function rollSecret(platform: Platform, c: Context<Env>): Response {
  const { id } = requireWebhook(platform, c);
  return c.json({ id, signing_secret: platform.webhooks.rollSecret(id) });
}

function requireWebhook(platform: Platform, c: Context<Env>): Webhook {
  const id = readId(c, "id");
  const found = platform.webhooks.get(id);
  if (found === undefined) throw new HttpError(404, `Webhook ${id} not found`);
  return found;
}

async function requireAllowed(platform: Platform, url: string): Promise<void> {
  try {
    await checkSubscriber(url, platform.deliveries.options);
  } catch (error) {
    if (!(error instanceof ForbiddenAddressError)) throw error;
    throw new HttpError(422, [{ loc: ["body", "url"], msg: error.message, type: "value_error", input: url }]);
  }
}

function isHeaderName(name: string): boolean {
  return passes(() => validateHeaderName(name));
}

function isHeaderValue(value: string): boolean {
  return passes(() => validateHeaderValue("x", value));
}

function passes(check: () => void): boolean {
  try {
    check();
    return true;
  } catch {
    return false;
  }
}

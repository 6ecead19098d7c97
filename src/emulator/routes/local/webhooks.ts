import { type Context, Hono } from "hono";
import * as z from "zod";
import { readBody, readId } from "../../http/body.ts";
import type { Env } from "../../http/env.ts";
import { required, wrongValue } from "../../kit/httpError.ts";
import { operation } from "../../http/operation.ts";
import type { Platform } from "../../platform/platform.ts";
import { deliveryRecord } from "../../issueWebhooks/deliveries.ts";
import { checkSubscriber, ForbiddenAddressError } from "../../kit/webhookAddress.ts";
import { webhook, type Webhook, webhookBody, webhookPatch } from "../../issueWebhooks/webhooks.ts";

const secret = { signing_secret: z.string().describe("Shown here only; the key of the HMAC-SHA256.") };

const described = {
  create: operation("Subscribe to issue events", { 201: webhook.extend(secret) }, { body: webhookBody }),
  list: operation("List the subscriptions", { 200: z.array(webhook) }),
  read: operation("Read a subscription", { 200: webhook }),
  change: operation("Change a subscription", { 200: webhook }, { body: webhookPatch }),
  remove: operation("Remove a subscription and its deliveries", { 204: "It is removed." }),
  rollSecret: operation("Replace the signing secret, in force at once", {
    200: z.object({ id: z.uuid(), ...secret }),
  }),
  deliveries: operation("List the attempts to deliver", { 200: z.array(deliveryRecord) }),
};

/** Subscriptions to issue events, and the results of their deliveries. */
export function webhookRoutes(platform: Platform): Hono<Env> {
  const { webhooks, deliveries } = platform;
  const app = new Hono<Env>();

  app.post("/", described.create, async (c) => {
    const body = await readBody(c, webhookBody);
    await requireAllowed(platform, body.url);
    const { id, signingSecret } = platform.webhooks.insert(body);
    return c.json({ ...platform.webhooks.get(id), signing_secret: signingSecret }, 201);
  });
  app.get("/", described.list, (c) => c.json(webhooks.list()));
  app.get("/:id", described.read, (c) => c.json(requireWebhook(platform, c)));

  app.patch("/:id", described.change, async (c) => {
    const { id } = requireWebhook(platform, c);
    const body = await readBody(c, webhookPatch);
    if (body.url !== undefined) await requireAllowed(platform, body.url);
    platform.webhooks.update(id, body);
    return c.json(requireWebhook(platform, c));
  });

  app.delete("/:id", described.remove, (c) => {
    const { webhooks, deliveries, store } = platform;
    const { id } = requireWebhook(platform, c);
    store.atomically(() => {
      webhooks.delete(id);
      deliveries.deleteOf(id);
    });

    return c.body(null, 204);
  });

  app.post("/:id/roll-secret", described.rollSecret, (c) => {
    const { id } = requireWebhook(platform, c);
    return c.json({ id, signing_secret: platform.webhooks.rollSecret(id) });
  });
  app.get("/:id/deliveries", described.deliveries, (c) =>
    c.json(deliveries.list(requireWebhook(platform, c).id)),
  );

  return app;
}

function requireWebhook(platform: Platform, c: Context<Env>): Webhook {
  const id = readId(c, "id");
  return required(platform.webhooks.get(id), `Webhook ${id} not found`);
}

async function requireAllowed(platform: Platform, url: string): Promise<void> {
  try {
    await checkSubscriber(url, platform.deliveries.options);
  } catch (error) {
    if (!(error instanceof ForbiddenAddressError)) throw error;
    throw wrongValue(["body", "url"], error.message, url);
  }
}

import { type Context, Hono } from "hono";
import * as z from "zod";
import { requirePermission } from "../../http/auth.ts";
import { readBody, readId } from "../../http/body.ts";
import { Bucket } from "../../bulkExports/bucket.ts";
import { BucketError } from "../../bulkExports/bucketError.ts";
import {
  configBody,
  type Credentials,
  credentialsBody,
  type Destination,
  type DestinationConfig,
} from "../../bulkExports/destination.ts";
import type { Env } from "../../http/env.ts";
import { HttpError, required, type ValidationIssue } from "../../kit/httpError.ts";
import { operation } from "../../http/operation.ts";
import type { Platform } from "../../platform/platform.ts";

const createBody = z.looseObject({
  destination_type: z.literal("s3"),
  display_name: z
    .string()
    .max(255)
    .regex(/^[a-zA-Z0-9\-_ ']+$/),
  config: configBody,
  credentials: credentialsBody
    .nullish()
    .describe("Without them the environment of the Local Platform is looked through."),
});

const patchBody = z.looseObject({ credentials: credentialsBody });

const problem = "The test write failed: the detail begins with the name of the cause.";

/** The destinations of bulk exports: each is tested by a real write before it is kept. */
export function destinationRoutes(platform: Platform): Hono<Env> {
  const { destinations } = platform.bulkExports;
  const app = new Hono<Env>();

  app.post(
    "/",
    operation(
      "Create a destination",
      { 200: "The destination, without credentials.", 400: problem },
      { body: createBody },
    ),
    async (c) => {
      const { display_name, config, credentials } = await readSecretBody(c, createBody);
      await testWrite(c, config, credentials ?? undefined);
      return c.json(destinations.insert(display_name, config, credentials ?? undefined));
    },
  );

  app.get("/", operation("List destinations", { 200: "All destinations." }), (c) =>
    c.json(destinations.list()),
  );

  app.get(
    "/:destination_id",
    operation("Get a destination", { 200: "The destination, without credentials." }),
    (c) => c.json(requireDestination(platform, c)),
  );

  app.patch(
    "/:destination_id",
    requirePermission("bulk-exports:manage", "workspaces:manage"),
    operation(
      "Replace a destination's credentials",
      { 200: "What has changed.", 400: problem },
      { body: patchBody },
    ),
    async (c) => {
      const { id, config } = requireDestination(platform, c);
      const { credentials } = await readSecretBody(c, patchBody);
      await testWrite(c, config, credentials);
      const { tenant_id, created_at, updated_at, credentials_keys } = destinations.replaceCredentials(
        id,
        credentials,
      );
      return c.json({ id, tenant_id, created_at, updated_at, credentials_keys });
    },
  );

  return app;
}

function requireDestination(platform: Platform, c: Context<Env>): Destination {
  return required(
    platform.bulkExports.destinations.get(readId(c, "destination_id")),
    "Destination not found",
  );
}

/** Throws 400 with the cause when the bucket can't be written to. */
async function testWrite(
  c: Context<Env>,
  config: DestinationConfig,
  credentials: Credentials | undefined,
): Promise<void> {
  try {
    const bucket = await Bucket.open(config, credentials);
    try {
      await bucket.test(c.req.raw.signal);
    } finally {
      bucket.close();
    }
  } catch (error) {
    if (error instanceof BucketError) throw new HttpError(400, error.message);
    throw error;
  }
}

/** Like `readBody`, but what is said about a wrong body repeats nothing of it: it may hold a secret. */
async function readSecretBody<Schema extends z.ZodType>(
  c: Context<Env>,
  schema: Schema,
): Promise<z.output<Schema>> {
  try {
    return await readBody(c, schema);
  } catch (error) {
    if (!(error instanceof HttpError) || typeof error.detail === "string") throw error;
    throw new HttpError(error.status, error.detail.map(withoutSecrets));
  }
}

function withoutSecrets({ loc, msg, type, input }: ValidationIssue): ValidationIssue {
  const safe = loc.length > 1 && !loc.includes("credentials") && input !== undefined;
  return { loc, msg, type, ...(safe ? { input } : {}) };
}

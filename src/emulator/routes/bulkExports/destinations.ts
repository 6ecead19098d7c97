import { type Context, Hono } from "hono";
import * as z from "zod";
import { requirePermission } from "../../http/auth.ts";
import { readBody, readId } from "../../http/body.ts";
import { Bucket } from "../../bulkExports/bucket.ts";
import { BucketError } from "../../bulkExports/bucketError.ts";
import {
  addressingStyles,
  type Credentials,
  type Destination,
  type DestinationConfig,
} from "../../bulkExports/destination.ts";
import type { Env } from "../../http/env.ts";
import { HttpError, required, type ValidationIssue } from "../../kit/httpError.ts";
import { operation } from "../../http/operation.ts";
import type { Platform } from "../../platform/platform.ts";

const configBody = z
  .looseObject({
    bucket_name: z
      .string()
      .min(3)
      .max(63)
      .regex(/^[A-Za-z0-9][A-Za-z0-9._-]*[A-Za-z0-9]$/),
    prefix: z
      .string()
      .max(2048)
      .refine((prefix) => !/(^|\/)\.\.?(\/|$)/.test(prefix), "The prefix must not have . or .. as a part.")
      .refine((prefix) => !/\p{Cc}/u.test(prefix), "The prefix must not have control characters."),
    region: z.string().min(1).max(100).optional(),
    endpoint_url: z.string().min(1).max(2048).optional(),
    include_bucket_in_prefix: z.boolean().default(true),
    config_kwargs_s3: z.looseObject({ addressing_style: z.enum(addressingStyles).optional() }).optional(),
    s3_additional_kwargs: z.record(z.string(), z.union([z.string(), z.number(), z.boolean()])).optional(),
    aws_role_arn: z.null("The Local Platform takes no roles, only credentials.").optional(),
  })
  .refine(({ region, endpoint_url }) => region !== undefined || endpoint_url !== undefined, {
    message: "An AWS bucket needs a region, any other an endpoint_url.",
    path: ["region"],
  });

const credentialsBody = z.object({
  access_key_id: z.string().min(1).max(255),
  secret_access_key: z.string().min(1).max(2048),
  session_token: z.string().max(2048).nullish(),
});

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
      const given = credentials ? toCredentials(credentials) : undefined;
      await testWrite(c, config, given);
      return c.json(destinations.insert(display_name, config, given));
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
      const credentials = toCredentials((await readSecretBody(c, patchBody)).credentials);
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

function toCredentials({ session_token, ...keys }: z.output<typeof credentialsBody>): Credentials {
  return session_token ? { ...keys, session_token } : keys;
}

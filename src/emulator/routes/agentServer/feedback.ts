import { type Context, Hono } from "hono";
import * as z from "zod";
import { record } from "../../kit/schemas.ts";
import { requireKey } from "../../http/auth.ts";
import { readBody, readId, readQuery } from "../../http/body.ts";
import type { Env } from "../../http/env.ts";
import type { FeedbackToken } from "../../access/feedbackTokens.ts";
import { HttpError, required, wrongValue } from "../../kit/httpError.ts";
import type { JsonObject } from "../../kit/json.ts";
import { operation } from "../../http/operation.ts";
import type { Platform } from "../../platform/platform.ts";

const score = z.union([z.number(), z.boolean()]);
const value = z.union([z.number(), z.boolean(), z.string()]);

const feedbackBody = z.looseObject({
  score: score.nullish(),
  value: value.nullish(),
  comment: z.string().nullish(),
  correction: z.union([record, z.string()]).nullish(),
  metadata: record.nullish(),
});

const feedbackQuery = z.looseObject({
  score: z.string().transform(scalar).pipe(score).optional(),
  value: z.string().transform(scalar).pipe(value).optional(),
  comment: z.string().optional(),
  correction: z
    .string()
    .transform((text, context) => {
      try {
        return JSON.parse(text) as unknown;
      } catch {
        context.addIssue({ code: "custom", message: "The correction is not JSON." });
        return z.NEVER;
      }
    })
    .pipe(z.union([record, z.string()]))
    .optional(),
});

const amount = z.number().min(-1_000_000).max(1_000_000).default(0);
const tokenBody = z.looseObject({
  run_id: z.uuid(),
  feedback_key: z.string().min(1),
  expires_in: z.object({ days: amount, hours: amount, minutes: amount }).nullish(),
  expires_at: z.iso.datetime({ offset: true }).nullish(),
  feedback_config: record.nullish(),
});

const tokensBody = z.union([tokenBody, z.array(tokenBody)]);
const tokensQuery = z.object({ run_id: z.uuid() });
const givenQuery = z.object({
  run: z.uuid().optional(),
  limit: z.coerce.number().int().min(1).max(1000).default(100),
});

const described = {
  give: operation(
    "Give feedback by a pre-signed URL",
    { 200: z.null(), 404: "The token is unknown or expired." },
    { body: feedbackBody, open: true },
  ),
  giveByLink: operation(
    "Give feedback by following a pre-signed URL",
    { 200: z.null(), 404: "The token is unknown or expired." },
    { query: feedbackQuery, open: true },
  ),
  invite: operation(
    "Make pre-signed feedback URLs",
    { 200: "The token, or a list of tokens for a list.", 404: "There is no such run." },
    { body: tokensBody },
  ),
  invitations: operation("List the feedback tokens of a run", { 200: "The tokens." }, { query: tokensQuery }),
  given: operation(
    "List feedback that was given",
    { 200: "The feedback, newest first." },
    { query: givenQuery },
  ),
};

/** Feedback: tokens for those with the key, and the pre-signed URLs that anyone may use. */
export function feedbackRoutes(platform: Platform): Hono<Env> {
  const { feedbackTokens } = platform;
  const app = new Hono<Env>();

  app.post("/tokens/:token_id", described.give, async (c) => {
    const token = requireToken(platform, c);
    give(platform, token, await readBody(c, feedbackBody));
    return c.json(null);
  });

  app.get("/tokens/:token_id", described.giveByLink, (c) => {
    const token = requireToken(platform, c);
    give(platform, token, readQuery(c, feedbackQuery));
    return c.json(null);
  });

  app.use(requireKey(platform));

  app.post("/tokens", described.invite, async (c) => {
    const body = await readBody(c, tokensBody);
    const made = (Array.isArray(body) ? body : [body]).map((wanted) => create(platform, wanted));
    return c.json(Array.isArray(body) ? made : made[0]);
  });

  app.get("/tokens", described.invitations, (c) => {
    const { run_id } = readQuery(c, tokensQuery);
    return c.json(feedbackTokens.ofRun(run_id).map((token) => view(platform, token)));
  });

  app.get("/", described.given, (c) => {
    const query = readQuery(c, givenQuery);
    return c.json(feedbackTokens.given(query.run, query.limit));
  });

  return app;
}

function requireToken(platform: Platform, c: Context<Env>): FeedbackToken {
  const token = platform.feedbackTokens.find(readId(c, "token_id"));
  return required(token, "Feedback token not found or expired");
}

function give(platform: Platform, token: FeedbackToken, body: z.output<typeof feedbackBody>): void {
  const { score, value, comment, correction, metadata } = body;
  const range = token.feedback_config;
  if (typeof score === "number" && range !== null) {
    const low = typeof range.min === "number" && score < range.min;
    const high = typeof range.max === "number" && score > range.max;
    if (low || high) {
      throw wrongValue(["body", "score"], "The score is outside of what this feedback key allows.", score);
    }
  }
  const given = { score, value, comment, correction, metadata };
  const named = Object.fromEntries(Object.entries(given).map(([name, field]) => [name, field ?? null]));
  platform.feedbackTokens.give(token, named);
}

function create(platform: Platform, body: z.output<typeof tokenBody>): JsonObject {
  const { expires_in } = body;
  const minutes = expires_in
    ? (expires_in.days * 24 + expires_in.hours) * 60 + expires_in.minutes
    : undefined;
  const relative = minutes === undefined ? undefined : new Date(Date.now() + minutes * 60_000);
  const expiresAt = typeof body.expires_at === "string" ? new Date(body.expires_at) : relative;
  const config = body.feedback_config ?? undefined;
  if (!platform.runs.exists(body.run_id)) throw new HttpError(404, "Run not found");
  return view(platform, platform.feedbackTokens.create(body.run_id, body.feedback_key, expiresAt, config));
}

function view(platform: Platform, token: FeedbackToken): JsonObject {
  const { id, feedback_key, expires_at } = token;
  return { id, url: platform.feedbackTokens.url(token), expires_at, feedback_key };
}

/** A query parameter as the number or truth value that it spells, else as it is. */
function scalar(text: string): number | boolean | string {
  if (text === "true" || text === "false") return text === "true";
  return text.trim() !== "" && Number.isFinite(Number(text)) ? Number(text) : text;
}

import { Hono } from "hono";
import * as z from "zod";
import { readBody, readId, readQuery } from "../../http/body.ts";
import type { Env } from "../../http/env.ts";
import { HttpError } from "../../kit/httpError.ts";
import { AuthorizationServerError } from "../../mcp/authorizationServer.ts";
import type { AuthSession } from "../../mcp/authSessions.ts";
import type { OAuthToken } from "../../access/oauthTokens.ts";
import { operation } from "../../http/operation.ts";
import type { Platform } from "../../platform/platform.ts";

const startBody = z.object({
  provider_id: z.string().min(1).max(512),
  scopes: z
    .array(z.string().regex(/^[\x21\x23-\x5b\x5d-\x7e]{1,256}$/, "This is no name of a scope."))
    .max(100)
    .describe("Without any, those that the tool server names are asked for."),
  strategy: z.enum(["REUSE", "CREATE"]),
  agent_id: z.uuid().toLowerCase().nullish(),
  token_id: z.uuid().toLowerCase().nullish().describe("The token to use, or to get anew."),
  is_default: z.boolean().default(true),
});

const waitQuery = z.object({ wait_seconds: z.coerce.number().int().min(1).max(25).default(1) });

type StartOrder = z.output<typeof startBody>;

const described = {
  start: operation(
    "Connect the user to an OAuth provider",
    {
      200: "A token that the user already holds.",
      201: "A pending session, with the address where the user agrees.",
      400: "A field is missing or wrong.",
      502: "The authorization server cannot be asked.",
    },
    { body: startBody },
  ),
  wait: operation(
    "Wait for an auth session",
    {
      200: "How it stands, at once when that is final.",
      400: "A parameter is wrong.",
      404: "There is no such session.",
    },
    { query: waitQuery },
  ),
};

/** How users connect to tool servers: begun here, ended in their browser, waited for here. */
export function authSessionRoutes(platform: Platform): Hono<Env> {
  const app = new Hono<Env>();

  app.post("/", described.start, async (c) => {
    const order = await readBody(c, startBody);
    const { userId } = c.get("caller");
    const provider_id = order.provider_id.toLowerCase();
    try {
      const token = await reusable(platform, provider_id, userId, order);
      if (token !== undefined) {
        return c.json({ provider_id, status: "COMPLETED", token, metadata: {} }, 200);
      }
      const { id, url } = await begin(platform, provider_id, userId, order);
      return c.json({ id, provider_id, status: "PENDING", verification_url: url, metadata: {} }, 201);
    } catch (error) {
      if (!(error instanceof AuthorizationServerError)) throw error;
      throw new HttpError(502, error.message, "upstream_error");
    }
  });

  app.get("/:session_id", described.wait, async (c) => {
    const { sessions, authorization } = platform.mcp;
    const { wait_seconds } = readQuery(c, waitQuery);
    const { userId } = c.get("caller");
    const id = readId(c, "session_id");
    if (requireSession(platform, id, userId).status === "PENDING") {
      const signal = AbortSignal.any([c.req.raw.signal, authorization.closing]);
      await sessions.wait(id, wait_seconds * 1000, signal);
    }
    const session = requireSession(platform, id, userId);
    const metadata = session.error === null ? {} : { error: session.error };
    const { providerId: provider_id } = session;
    return c.json({ id, provider_id, status: authorization.statusOf(session), metadata });
  });

  return app;
}

/** A token that the user holds and that covers what is asked for; renewed if need be. */
async function reusable(
  { mcp }: Platform,
  providerId: string,
  userId: string,
  { strategy, scopes, token_id }: StartOrder,
): Promise<string | undefined> {
  if (strategy === "CREATE") return undefined;
  const held = mcp.tokens.list(providerId, userId, scopes);
  const candidates = (token_id ?? null) === null ? held : held.filter(({ id }) => id === token_id);
  for (const token of candidates) {
    const text = await mcp.authorization.usable(token);
    if (text !== undefined) return text;
  }
  return undefined;
}

async function begin(
  { mcp }: Platform,
  providerId: string,
  userId: string,
  { scopes, agent_id, token_id, is_default }: StartOrder,
): Promise<{ readonly id: string; readonly url: string }> {
  const provider = mcp.providers.get(providerId);
  if (provider === undefined) {
    throw new HttpError(400, `There is no OAuth provider ${providerId}.`, "provider_not_found");
  }
  const replaced = (token_id ?? null) === null ? undefined : mcp.tokens.get(token_id ?? "");
  if ((token_id ?? null) !== null && !isOf(replaced, providerId, userId)) {
    throw new HttpError(400, `The user holds no token ${token_id ?? ""}.`, "token_not_found");
  }
  return await mcp.authorization.start(provider, userId, {
    scopes,
    agentId: agent_id ?? null,
    isDefault: is_default,
    replaces: replaced?.id ?? null,
  });
}

function isOf(token: OAuthToken | undefined, providerId: string, userId: string): boolean {
  return token?.providerId === providerId && token.userId === userId;
}

function requireSession({ mcp }: Platform, id: string, userId: string): AuthSession {
  const session = mcp.sessions.get(id);
  if (session?.userId === userId) return session;
  throw new HttpError(404, `Auth session ${id} not found`, "auth_session_not_found");
}

import type { IncomingMessage } from "node:http";
import type { Context, MiddlewareHandler, Next } from "hono";
import { type ApiKeys, type Caller, isAllowed } from "../access/apiKeys.ts";
import type { Env } from "./env.ts";
import type { Identity } from "../access/identity.ts";

/** What API keys are checked against. */
export interface Gate {
  readonly identity: Identity;
  readonly apiKeys: ApiKeys;
}

/**
 * Lets only holders of an API key through (`X-Api-Key`): without a key 401, with a wrong one or for another
 * workspace 403. The body is flat (`error`), with the reason beside it (docs/interface.md, "Errors").
 */
export function requireKey(gate: Gate): MiddlewareHandler<Env> {
  return async (c, next) => {
    const key = c.req.header("x-api-key") ?? "";
    if (key === "") return unauthorized(c, "The header X-Api-Key is missing.");
    return await admit(gate, c, key, next);
  };
}

/**
 * The control plane's gate: an API key in `X-Api-Key`, or a token in `Authorization: Bearer`, which needs
 * `X-Tenant-Id` or `X-Organization-Id` beside it. The Local Platform's tokens are its API keys.
 */
export function requireKeyOrBearer(gate: Gate): MiddlewareHandler<Env> {
  return async (c, next) => {
    const key = c.req.header("x-api-key") ?? "";
    if (key !== "") return await admit(gate, c, key, next);
    const token = /^Bearer +(\S+)$/i.exec(c.req.header("authorization") ?? "")?.[1];
    if (token === undefined) return unauthorized(c, "The header X-Api-Key or a bearer token is missing.");
    const named = c.req.header("x-tenant-id") ?? c.req.header("x-organization-id");
    if (named === undefined) return forbidden(c, `A bearer token ${workspaceWanted}`);
    return await admit(gate, c, token, next);
  };
}

/** Whether a request that no route answers, such as a WebSocket's, comes from a holder of an API key. */
export function hasKey(gate: Gate, { headers }: IncomingMessage): boolean {
  const [key, workspace] = [headers["x-api-key"], headers["x-tenant-id"]];
  if (typeof key !== "string" || Array.isArray(workspace)) return false;
  return "caller" in admissionOf(gate, key, workspace);
}

/** Lets only callers through who hold one of the permissions; others get the missing one's name as plain text. */
export function requirePermission(name: string, ...alternatives: string[]): MiddlewareHandler<Env> {
  return async (c, next) => {
    const caller = c.get("caller");
    if (![name, ...alternatives].some((permission) => isAllowed(caller, permission))) {
      return c.text(`missing permission ${name}`, 403);
    }
    await next();
    return undefined;
  };
}

const workspaceWanted = "requires workspace specification. Please provide the 'X-Tenant-Id' header.";

async function admit(gate: Gate, c: Context<Env>, key: string, next: Next): Promise<Response | undefined> {
  const admission = admissionOf(gate, key, c.req.header("x-tenant-id"));
  if ("refusal" in admission) return forbidden(c, admission.refusal);
  c.set("caller", admission.caller);
  await next();
  return undefined;
}

type Admission = { readonly caller: Caller } | { readonly refusal: string };

/** Who holds the key, or why it is not good for this workspace. */
function admissionOf(gate: Gate, key: string, workspace: string | undefined): Admission {
  const caller = gate.apiKeys.callerOf(key);
  if (caller === undefined) return { refusal: "The API key is not valid here." };
  if (workspace !== undefined && workspace.toLowerCase() !== gate.identity.workspaceId) {
    return { refusal: "The API key has no access to this workspace." };
  }
  if (workspace === undefined && caller.scope === "organization") {
    return { refusal: `This API key is scoped to an organization and ${workspaceWanted}` };
  }
  return { caller };
}

function unauthorized(c: Context<Env>, detail: string): Response {
  return c.json({ error: "Unauthorized", detail }, 401);
}

function forbidden(c: Context<Env>, detail: string): Response {
  return c.json({ error: "Forbidden", detail }, 403);
}

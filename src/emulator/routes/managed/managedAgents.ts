import { type Context, Hono } from "hono";
import * as z from "zod";
import { requirePermission } from "../../http/auth.ts";
import { readBody, readId, readQuery } from "../../http/body.ts";
import type { Env } from "../../http/env.ts";
import { HttpError, required } from "../../kit/httpError.ts";
import { uuid5 } from "../../kit/ids.ts";
import type { JsonObject } from "../../kit/json.ts";
import { cloneAgentBody, createAgentBody, updateAgentBody } from "../../managed/agentBody.ts";
import { readTree, type TreeFields } from "../../managed/fileTree.ts";
import { fold, type ManagedAgent } from "../../managed/managedAgents.ts";
import { sortKeys, readPage } from "../../managed/pages.ts";
import { sameServer } from "../../mcp/mcpServers.ts";
import { toolServerHealth, type ToolServerHealth } from "../../mcp/toolServer.ts";
import { operation } from "../../http/operation.ts";
import type { Platform } from "../../platform/platform.ts";

/** Headers with the caller's credentials for a tool server. */
type HeadersFor = (url: string) => Promise<Readonly<Record<string, string>>>;

const listQuery = z.object({
  page_size: z.coerce.number().int().min(1).max(100).default(20),
  cursor: z.string().min(1).optional(),
  name: z.string().optional().describe("A part of the name, without regard to case."),
  sort_by: z.enum(sortKeys).default("updated_at"),
  sort_order: z.enum(["asc", "desc"]).default("desc"),
});

const filesQuery = z.object({
  include_files: z.stringbool({ truthy: ["true", "1"], falsy: ["false", "0", ""] }).default(false),
});

const unknown = "There is no such agent.";

const described = {
  list: operation(
    "List managed agents",
    { 200: "One page: `items`, and `next_cursor` or null.", 400: "A parameter is wrong." },
    { query: listQuery },
  ),
  create: operation(
    "Make a managed agent",
    { 201: "The agent.", 400: "A field is missing.", 409: "No more agents.", 422: "A field is wrong." },
    { query: filesQuery, body: createAgentBody },
  ),
  read: operation("Read a managed agent", { 200: "The agent.", 404: unknown }, { query: filesQuery }),
  change: operation(
    "Change a managed agent",
    { 200: "The agent; a new revision if files changed.", 404: unknown, 422: "A field is wrong." },
    { query: filesQuery, body: updateAgentBody },
  ),
  remove: operation("Delete a managed agent", { 204: "There is no such agent any more." }),
  clone: operation(
    "Copy a managed agent",
    { 201: "The copy.", 404: unknown, 409: "No more agents.", 422: "A field is wrong." },
    { query: filesQuery, body: cloneAgentBody },
  ),
  health: operation("Check a managed agent and its tool servers", { 200: "What was found.", 404: unknown }),
};

/** Managed agents: made, listed, changed, copied, checked, deleted. */
export function managedAgentRoutes(platform: Platform): Hono<Env> {
  const { managedAgents } = platform;
  const app = new Hono<Env>();
  const may = (action: string) => requirePermission(`agents:${action}`);

  app.get("/", described.list, may("read"), (c) => c.json(list(platform, readQuery(c, listQuery))));

  app.post("/", described.create, may("create"), async (c) => {
    const { include_files } = readQuery(c, filesQuery);
    checkTimeZone(c);
    const body = await readBody(c, createAgentBody);
    requireRoom(platform);
    return c.json(view(platform, platform.managedAgents.create(body), include_files), 201);
  });
  app.get("/:agent_id", described.read, may("read"), (c) =>
    c.json(view(platform, agentOf(platform, c), readQuery(c, filesQuery).include_files)),
  );

  app.patch("/:agent_id", described.change, may("update"), async (c) => {
    const { include_files } = readQuery(c, filesQuery);
    checkTimeZone(c);
    const body = await readBody(c, updateAgentBody);
    return c.json(view(platform, platform.managedAgents.update(agentOf(platform, c), body), include_files));
  });

  app.delete("/:agent_id", described.remove, may("delete"), (c) => {
    managedAgents.delete(readId(c, "agent_id"));
    return c.body(null, 204);
  });

  app.post("/:agent_id/clone", described.clone, may("create"), async (c) => {
    const { include_files } = readQuery(c, filesQuery);
    checkTimeZone(c);
    const { name, permissions } = await readBody(c, cloneAgentBody);
    const original = agentOf(platform, c);
    requireRoom(platform);
    const copy = platform.managedAgents.clone(original, name ?? `${original.name} (copy)`, permissions);
    return c.json(view(platform, copy, include_files), 201);
  });
  app.get("/:agent_id/health", described.health, may("read"), async (c) => {
    const agent = agentOf(platform, c);
    const { userId } = c.get("caller");
    const headersFor = (url: string) => platform.mcp.credentials.headersFor(url, userId);
    return c.json(
      await agentHealth(agent, readTree(managedAgents.files(agent)), headersFor, c.req.raw.signal),
    );
  });

  return app;
}

/** The agent, or a 404. */
export function requireAgent(platform: Platform, id: string): ManagedAgent {
  return required(platform.managedAgents.get(id), `Agent ${id} not found`, "agent_not_found");
}

function agentOf(platform: Platform, c: Context<Env>): ManagedAgent {
  return requireAgent(platform, readId(c, "agent_id"));
}

function list(platform: Platform, query: z.output<typeof listQuery>): JsonObject {
  const { page_size, cursor, sort_by, sort_order } = query;
  const name = fold(query.name ?? "");
  const { ids, next_cursor } = readPage(platform.store, {
    owner: "agents",
    sort_by,
    sort_order,
    page_size,
    cursor,
    listing: name,
    from: "managed_agents AS item ON item.id = place.item_id",
    where: ["instr(place.name, ?) > 0", name],
  });

  const items = ids.flatMap((id) => {
    const agent = platform.managedAgents.get(id);
    return agent === undefined ? [] : [summary(platform, agent)];
  });

  return { items, next_cursor };
}

/** An agent as listings show it. Every key of this platform owns all its agents. */
function summary({ identity }: Platform, agent: ManagedAgent): JsonObject {
  const { id, name, description, permissions, runtime, backend, extras, created_at, updated_at } = agent;
  const owner_id = uuid5(identity.workspaceId, "owner");
  const shown = { id, name, description, owner_id, created_at, updated_at, permissions, runtime, extras };
  return { ...shown, access_level: "WRITE", is_owner: true, backend };
}

function view(platform: Platform, agent: ManagedAgent, includeFiles: boolean): JsonObject {
  const files = platform.managedAgents.files(agent);
  return {
    ...summary(platform, agent),
    configurable: agent.configurable,
    tracing_project_id: agent.tracing_project_id,
    revision: agent.revision,
    ...readTree(files),
    ...(includeFiles ? { files } : {}),
  };
}

/** Whether an agent could work now: each of its tool servers is asked for its tools. */
async function agentHealth(
  agent: ManagedAgent,
  { tools, subagents }: TreeFields,
  headersFor: HeadersFor,
  signal: AbortSignal,
): Promise<JsonObject> {
  const entries = [tools, ...subagents.map((subagent) => subagent.tools)].flatMap(
    (part) => part?.tools ?? [],
  );
  const byUrl = new Map(entries.toReversed().map(({ mcp_server_url: url }) => [sameServer(url), url]));
  const servers = await Promise.all(
    [...byUrl.values()].toReversed().map(async (url) => ({ url, ...(await probe(url, headersFor, signal)) })),
  );
  return {
    agent_id: agent.id,
    mcp_check: { ok: servers.every(({ ok }) => ok), servers },
    backend: { type: agent.backend.type, ok: true },
  };
}

async function probe(url: string, headersFor: HeadersFor, signal: AbortSignal): Promise<ToolServerHealth> {
  try {
    return await toolServerHealth(url, await headersFor(url), signal);
  } catch (error) {
    return { ok: false, error: error instanceof Error ? error.message : String(error) };
  }
}

function requireRoom({ managedAgents }: Platform): void {
  const { limit } = managedAgents;
  if (limit === null || managedAgents.count() < limit) return;
  throw new HttpError(409, `This workspace may have no more than ${limit} agents.`, "agent_limit_reached");
}

/** Callers say where they are, so that an agent can tell the time there. */
function checkTimeZone(c: Context<Env>): void {
  const zone = c.req.header("x-user-timezone");
  if (zone === undefined) return;
  try {
    new Intl.DateTimeFormat("en", { timeZone: zone });
  } catch {
    throw new HttpError(400, "X-User-Timezone is not the name of a time zone.", "invalid_request");
  }
}

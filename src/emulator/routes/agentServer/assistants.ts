import { Hono } from "hono";
import * as z from "zod";
import { record } from "../../kit/schemas.ts";
import type { Agent, Graph } from "../../runtime/agent.ts";
import { agents, assistantId } from "../../agents/catalog.ts";
import { readBody } from "../../http/body.ts";
import type { Env } from "../../http/env.ts";
import { contains, type JsonObject } from "../../kit/json.ts";
import { sendPage } from "./page.ts";
import { operation } from "../../http/operation.ts";
import type { Platform } from "../../platform/platform.ts";
import { assistantOf } from "../../platform/runOrder.ts";

const searchBody = z.looseObject({
  graph_id: z.string().nullish(),
  name: z.string().nullish(),
  metadata: record.nullish(),
  limit: z.int().min(1).max(1000).nullish(),
  offset: z.int().min(0).nullish(),
  sort_by: z.enum(["assistant_id", "graph_id", "name", "created_at", "updated_at"]).nullish(),
  sort_order: z.enum(["asc", "desc"]).nullish(),
  select: z.array(z.string()).nullish(),
});

/** The sample agents have not changed since this day. */
const since = "2026-01-01T00:00:00.000Z";

const described = {
  search: operation("Search assistants", { 200: "The assistants of one page." }, { body: searchBody }),
  count: operation("Count assistants", { 200: z.int() }, { body: searchBody }),
  read: operation("Read an assistant", { 200: "The assistant.", 404: "There is no such assistant." }),
  graph: operation("Read the graph of an assistant", {
    200: "Its nodes and edges.",
    404: "There is no such assistant.",
  }),
  schemas: operation("Read the schemas of an assistant", {
    200: "The JSON Schemas of its input, output, state and configuration.",
    404: "There is no such assistant.",
  }),
};

/** The assistants of a deployment: its agents, each with an id made from its name. */
export function assistantRoutes(platform: Platform): Hono<Env> {
  const app = new Hono<Env>();

  app.post("/search", described.search, async (c) => {
    const body = await readBody(c, searchBody);
    const found = search(body);
    const offset = body.offset ?? 0;
    const page = found.slice(offset, offset + (body.limit ?? 10));
    return sendPage(c, page, body, found.length);
  });

  app.post("/count", described.count, async (c) => c.json(search(await readBody(c, searchBody)).length));

  app.get("/:assistant_id", described.read, (c) =>
    c.json(view(assistantOf(platform, c.req.param("assistant_id")).agent)),
  );

  app.get("/:assistant_id/graph", described.graph, (c) => {
    const { agent } = assistantOf(platform, c.req.param("assistant_id"));
    const xray = c.req.query("xray");
    return c.json(drawing(agent, xray !== undefined && xray !== "false" && xray !== "0"));
  });

  app.get("/:assistant_id/schemas", described.schemas, (c) => {
    const { agent } = assistantOf(platform, c.req.param("assistant_id"));
    const input = z.toJSONSchema(agent.input, { io: "input" });
    // An input becomes part of the state.
    const messages = { type: "array", items: { type: "object" } };
    const state = { type: "object", properties: { ...input.properties, messages } };
    return c.json({
      graph_id: agent.name,
      input_schema: input,
      output_schema: state,
      state_schema: state,
      config_schema: z.toJSONSchema(configSchema, { io: "input" }),
      context_schema: { type: "object", properties: {} },
    });
  });

  return app;
}

const configSchema = z.object({
  token_delay_ms: z.number().min(0).default(25).describe("Milliseconds between two streamed tokens."),
});

function search(body: z.output<typeof searchBody>): JsonObject[] {
  const key = body.sort_by ?? "name";
  const direction = body.sort_order === "desc" ? -1 : 1;
  return agents
    .map(view)
    .filter((assistant) => {
      const named = String(assistant.name)
        .toLowerCase()
        .includes((body.name ?? "").toLowerCase());
      const ofGraph = (body.graph_id ?? assistant.graph_id) === assistant.graph_id;
      return named && ofGraph && contains(assistant.metadata, body.metadata ?? {});
    })
    .sort((left, right) => direction * String(left[key]).localeCompare(String(right[key])));
}

function view(agent: Agent): JsonObject {
  return {
    assistant_id: assistantId(agent.name),
    graph_id: agent.name,
    name: agent.name,
    description: agent.description,
    version: 1,
    config: {},
    context: {},
    metadata: { created_by: "system" },
    created_at: since,
    updated_at: since,
  };
}

function drawing(graph: Graph, xray: boolean): { nodes: JsonObject[]; edges: JsonObject[] } {
  const plain = (id: string) => ({ id, type: "schema", data: id });
  const nodes: JsonObject[] = [plain("__start__")];
  const edges: JsonObject[] = graph.entry.map((target) => ({ source: "__start__", target }));
  for (const [name, node] of Object.entries(graph.nodes)) {
    nodes.push({ id: name, type: "runnable", data: { id: ["sample", "step"], name } });
    const conditional = node.next === undefined ? {} : { conditional: true };
    const targets = node.targets.length === 0 ? ["__end__"] : node.targets;
    for (const target of targets) edges.push({ source: name, target, ...conditional });
    if (!xray || node.subgraph === undefined) continue;
    const inner = drawing(node.subgraph, true);
    const prefixed = (id: unknown) => `${name}:${String(id)}`;
    nodes.push(...inner.nodes.map((item) => ({ ...item, id: prefixed(item.id) })));
    edges.push(
      ...inner.edges.map((edge) => ({
        ...edge,
        source: prefixed(edge.source),
        target: prefixed(edge.target),
      })),
    );
  }
  nodes.push(plain("__end__"));
  return { nodes, edges };
}

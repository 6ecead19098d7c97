import * as z from "zod";
import { isObject, type JsonObject } from "../kit/json.ts";
import type { Operation, Route } from "./route.ts";

/** The OpenAPI 3.1 document of the routes that are served (docs/interface.md, "Local Platform"). */
export function openApiDocument(routes: readonly Route[], baseUrl: string): JsonObject {
  const paths: Record<string, JsonObject> = {};
  for (const { method, path, operation } of routes) {
    if (operation === undefined) continue;
    const template = path.replaceAll(/:([a-z_]+)(\{[^}]*\})?/gi, "{$1}");
    paths[template] ??= {};
    paths[template][method.toLowerCase()] = describe(method, template, operation);
  }
  return {
    openapi: "3.1.0",
    info: {
      title: "Local Platform",
      version: "0.1.0",
      description: "An agent platform on one machine, with no account and no network.",
    },
    servers: [{ url: baseUrl }],
    security: [{ "API Key": [] }],
    paths,
    components: {
      securitySchemes: {
        "API Key": { type: "apiKey", in: "header", name: "X-Api-Key" },
        "Tenant ID": { type: "apiKey", in: "header", name: "X-Tenant-Id" },
        "Bearer Auth": { type: "http", scheme: "bearer" },
      },
      schemas: { ValidationErrorBody: validationErrorBody },
    },
  };
}

const validationErrorBody = {
  type: "object",
  properties: {
    detail: {
      type: "array",
      items: {
        type: "object",
        required: ["loc", "msg", "type"],
        properties: {
          loc: { type: "array", items: { type: ["string", "integer"] } },
          msg: { type: "string" },
          type: { type: "string" },
          input: {},
          ctx: { type: "object" },
        },
      },
    },
  },
};

const interfaces: readonly [prefix: string, tag: string][] = [
  ["/api-host/", "control plane"],
  ["/v1/managed/", "managed agents"],
  ["/deployments/{deployment_id}/api/", "streaming protocol"],
  ["/deployments/", "agent server"],
  ["/api/v1/bulk-exports", "bulk exports"],
  ["/api/v1/", "feedback"],
  ["/_local/", "local"],
];

function describe(method: string, path: string, operation: Operation): JsonObject {
  const { summary, query, body, open, mediaType } = operation;
  const tag = interfaces.find(([prefix]) => path.startsWith(prefix))?.[1] ?? "local";
  const parameters = [...pathParameters(path), ...(query === undefined ? [] : queryParameters(query))];
  const json = (schema: z.ZodType) => ({ "application/json": { schema: toSchema(schema, "input") } });
  return {
    operationId: `${method.toLowerCase()} ${path}`.replaceAll(/[^a-z0-9]+/gi, "_").replace(/_$/, ""),
    summary,
    tags: [tag],
    ...(open === true ? { security: [] } : security.has(tag) ? { security: security.get(tag) } : {}),
    ...(parameters.length === 0 ? {} : { parameters }),
    ...(body === undefined ? {} : { requestBody: { content: json(body) } }),
    responses: responses(operation, mediaType ?? "application/json"),
  };
}

/** What interfaces ask for that do not take an API key alone. */
const security = new Map([
  [
    "control plane",
    [{ "API Key": [] }, { "API Key": [], "Tenant ID": [] }, { "Bearer Auth": [], "Tenant ID": [] }],
  ],
  ["bulk exports", [{ "API Key": [], "Tenant ID": [] }]],
]);

function responses({ answers, query, body, open }: Operation, mediaType: string): JsonObject {
  const all: Record<string, JsonObject> = {};
  for (const [status, answer] of Object.entries(answers)) {
    if (typeof answer === "string") {
      const free = Number(status) < 300 && Number(status) !== 204 ? { content: { [mediaType]: {} } } : {};
      all[status] = { description: answer, ...free };
    } else {
      const schema = toSchema(answer, "output");
      all[status] = { description: "The answer.", content: { [mediaType]: { schema } } };
    }
  }
  if (open !== true) {
    all["401"] ??= { description: "No API key was sent." };
    all["403"] ??= { description: "The API key is not valid here, or lacks a permission." };
  }
  if (query !== undefined || body !== undefined) {
    const schema = { $ref: "#/components/schemas/ValidationErrorBody" };
    all["422"] ??= {
      description: "Something in the request is not as described.",
      content: { "application/json": { schema } },
    };
  }
  return all;
}

function pathParameters(path: string): JsonObject[] {
  return [...path.matchAll(/\{([^}]+)\}/g)].map(([, name]) => ({
    name,
    in: "path",
    required: true,
    schema: { type: "string" },
  }));
}

function queryParameters(query: z.ZodType): JsonObject[] {
  const { properties, required } = toSchema(query, "input");
  const names = Array.isArray(required) ? required : [];
  return Object.entries(isObject(properties) ? properties : {}).map(([name, schema]) => ({
    name,
    in: "query",
    required: names.includes(name),
    schema,
  }));
}

function toSchema(schema: z.ZodType, io: "input" | "output"): JsonObject {
  const described: JsonObject = { ...z.toJSONSchema(schema, { io, unrepresentable: "any" }) };
  delete described.$schema;
  return described;
}

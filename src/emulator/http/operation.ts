import type { Hono, MiddlewareHandler } from "hono";
import { findTargetHandler } from "hono/utils/handler";
import type { Env } from "./env.ts";
import type { Operation, Route } from "./route.ts";

const described = new WeakMap<object, Operation>();

/**
 * Describes the route that it stands in. Whatever the route reads through `readBody` and `readQuery` must be read
 * with the schemas named here, so that the description cannot drift from what is checked.
 */
export function operation(
  summary: string,
  answers: Operation["answers"],
  more: Omit<Operation, "summary" | "answers"> = {},
): MiddlewareHandler<Env> {
  const description: Operation = { summary, answers, ...more };
  const handler: MiddlewareHandler<Env> = async (c, next) => {
    c.set("operation", description);
    await next();
  };
  described.set(handler, description);
  return handler;
}

/** All routes of a server, in the order in which they were added. */
export function routesOf(app: Hono<Env>): Route[] {
  const found = new Map<string, Route>();
  for (const { method, path, handler } of app.routes) {
    if (method === "ALL") continue;
    const key = `${method} ${path}`;
    const known = found.get(key)?.operation;
    found.set(key, { method, path, operation: known ?? described.get(findTargetHandler(handler)) });
  }
  return [...found.values()];
}

import type { Hono, MiddlewareHandler } from "hono";
import { findTargetHandler } from "hono/utils/handler";
import type { z } from "zod";
import type { Env } from "./env.ts";

/** What a route is for, and the shapes of what it takes and answers. */
export interface Operation {
  readonly summary: string;
  readonly query?: z.ZodType;
  readonly body?: z.ZodType;
  /** By status: the answer's shape, or words about an answer whose shape is free. */
  readonly answers: Readonly<Record<number, z.ZodType | string>>;
  /** Whether it needs no key. */
  readonly open?: true;
  /** The media type of its good answers, where that is not JSON. */
  readonly mediaType?: string;
}

/** A route as it is served, with its description if it has one. */
export interface Route {
  readonly method: string;
  /** With parameters as `:name`. */
  readonly path: string;
  readonly operation: Operation | undefined;
}

const described = new WeakMap<object, Operation>();

/**
 * Describes the route that it stands in. Whatever the route reads through `readBody` and `readQuery` must be read
 * with the schemas named here, so that the description cannot drift from what is checked.
 */
export function operation(description: Operation): MiddlewareHandler<Env> {
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

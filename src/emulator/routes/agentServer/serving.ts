import type { Context, MiddlewareHandler } from "hono";
import { upstreamOf } from "../../controlPlane/deployment.ts";
import { forward } from "../../controlPlane/proxy.ts";
import type { Env } from "../../http/env.ts";
import { HttpError } from "../../kit/httpError.ts";
import type { Platform } from "../../platform/platform.ts";

/** Finds the deployment that a path names, as long as a revision of it is being served. */
export function serveDeployment(platform: Platform): MiddlewareHandler<Env> {
  return async (c, next) => {
    const id = (c.req.param("deployment_id") ?? "").toLowerCase();
    const deployment = platform.controlPlane.deployments.get(id);
    if (deployment === undefined || deployment.status === "AWAITING_DELETE") {
      throw new HttpError(404, `Deployment ${id} not found`);
    }
    if (deployment.active_revision_id === null) {
      throw new HttpError(503, `Deployment ${id} has no revision that is deployed yet.`);
    }
    c.set("deploymentId", id);
    c.set("upstream", upstreamOf(deployment));
    await next();
  };
}

/** Lets the running agent server answer that the deployment fronts, if it does. */
export function frontAgentServer(): MiddlewareHandler<Env> {
  return async (c, next) => {
    const upstream = c.get("upstream");
    if (upstream !== undefined) return await forward(c.env.incoming, c.env.outgoing, upstream, pathBehind(c));
    await next();
    return undefined;
  };
}

/** The request's path and query within the deployment. */
function pathBehind(c: Context<Env>): string {
  const url = c.env.incoming.url ?? "";
  const own = /^(?:https?:\/\/[^/]*)?\/deployments\/[^/?]+/i.exec(url)?.[0];
  if (own === undefined) throw new HttpError(404, "Not Found");
  const behind = url.slice(own.length);
  return behind.startsWith("/") ? behind : `/${behind}`;
}

import type { IncomingMessage } from "node:http";
import type { MiddlewareHandler } from "hono";
import { upstreamOf } from "../../controlPlane/deployment.ts";
import { forward, isUp, type Onward } from "../../controlPlane/proxy.ts";
import type { Env } from "../../http/env.ts";
import { HttpError } from "../../kit/httpError.ts";
import type { Platform } from "../../platform/platform.ts";

/** Finds the deployment that a path names, as long as a revision of it is being served. */
export function serveDeployment(platform: Platform): MiddlewareHandler<Env> {
  return async (c, next) => {
    const { id, upstream } = servedBy(platform, c.req.param("deployment_id") ?? "");
    c.set("deploymentId", id);
    c.set("upstream", upstream);
    await next();
  };
}

/** Says whether the running agent server is up that the deployment fronts, if it does; nothing of its answer is passed on. */
export function frontHealth(gate: MiddlewareHandler<Env>): MiddlewareHandler<Env> {
  return async (c, next) => {
    const upstream = c.get("upstream");
    if (upstream === undefined) return next();
    return await gate(c, async () => {
      const ok = await isUp(upstream, c.req.raw.signal);
      c.res = c.json({ ok }, ok ? 200 : 503);
    });
  };
}

/** Lets the running agent server answer that the deployment fronts, if it does. */
export function frontAgentServer(platform: Platform): MiddlewareHandler<Env> {
  return async (c, next) => {
    const upstream = c.get("upstream");
    const { incoming, outgoing } = c.env;
    if (upstream === undefined) return next();
    return await forward(incoming, outgoing, onwardTo(platform, upstream, incoming));
  };
}

/** Where a WebSocket goes on to; undefined for one that is answered here, like any other request. */
export function upgradeOf(platform: Platform, incoming: IncomingMessage): Onward | undefined {
  const [, id = ""] = deploymentPath.exec(incoming.url ?? "") ?? [];
  const { upstream } = servedBy(platform, id);
  return upstream === undefined ? undefined : onwardTo(platform, upstream, incoming);
}

/** Throws 404 and 503. */
function servedBy(
  platform: Platform,
  name: string,
): { readonly id: string; readonly upstream: string | undefined } {
  const id = name.toLowerCase();
  const deployment = platform.controlPlane.deployments.get(id);
  if (deployment === undefined || deployment.status === "AWAITING_DELETE") {
    throw new HttpError(404, `Deployment ${id} not found`);
  }
  if (deployment.active_revision_id === null) {
    throw new HttpError(503, `Deployment ${id} has no revision that is deployed yet.`);
  }
  return { id, upstream: upstreamOf(deployment) };
}

const deploymentPath = /^(?:https?:\/\/[^/]*)?\/deployments\/([^/?]+)/i;

function onwardTo({ apiKeys }: Platform, upstream: string, { url = "" }: IncomingMessage): Onward {
  const own = deploymentPath.exec(url)?.[0];
  if (own === undefined) throw new HttpError(404, "Not Found");
  const rest = url.slice(own.length);
  const path = rest.startsWith("/") ? rest : `/${rest}`;
  return { upstream, path, hasOwnKey: (text) => apiKeys.areIn(text) };
}

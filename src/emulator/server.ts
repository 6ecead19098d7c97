import { createServer, type IncomingMessage, type ServerResponse } from "node:http";
import type { AddressInfo, Socket } from "node:net";
import type { Duplex } from "node:stream";
import { getRequestListener } from "@hono/node-server";
import { Hono, type MiddlewareHandler } from "hono";
import { forwardUpgrade } from "./controlPlane/proxy.ts";
import { hasKey, requireKey, requireKeyOrBearer } from "./http/auth.ts";
import type { DeliveryOptions } from "./issueWebhooks/delivery.ts";
import type { Env } from "./http/env.ts";
import { errorAnswer, notFoundAnswer } from "./http/errorAnswer.ts";
import { Faults } from "./http/faults.ts";
import { routesOf } from "./http/operation.ts";
import { listenForUpgrades } from "./http/upgrades.ts";
import { HttpError } from "./kit/httpError.ts";
import { closePlatform, openPlatform, type Platform } from "./platform/platform.ts";
import { RecentRequests } from "./statusPage/recentRequests.ts";
import { apiKeyRoutes } from "./routes/local/apiKeys.ts";
import { assistantRoutes } from "./routes/agentServer/assistants.ts";
import { bulkExportRoutes, projectRoutes } from "./routes/bulkExports/bulkExports.ts";
import { authCallbackRoutes } from "./routes/controlPlane/authCallback.ts";
import { authTokenRoutes } from "./routes/controlPlane/authTokens.ts";
import { deploymentLogRoutes, logSearchRoutes } from "./routes/controlPlane/deploymentLogs.ts";
import { deploymentRoutes } from "./routes/controlPlane/deployments.ts";
import { revisionRoutes } from "./routes/controlPlane/revisions.ts";
import { chatBackendRoutes } from "./routes/agentServer/chatBackend.ts";
import { feedbackRoutes } from "./routes/agentServer/feedback.ts";
import { issueRoutes } from "./routes/local/issues.ts";
import { localRoutes, openApiRoutes } from "./routes/local/local.ts";
import { authSessionRoutes } from "./routes/managed/authSessions.ts";
import { managedAgentRoutes } from "./routes/managed/managedAgents.ts";
import { managedRunRoutes } from "./routes/managed/managedRuns.ts";
import { managedThreadRoutes } from "./routes/managed/managedThreads.ts";
import { mcpServerRoutes } from "./routes/managed/mcpServers.ts";
import { mcpToolRoutes } from "./routes/managed/mcpTools.ts";
import { healthRoutes, infoRoutes } from "./routes/agentServer/meta.ts";
import { rolloutRoutes } from "./routes/local/rollout.ts";
import { protocolRoutes } from "./routes/agentServer/protocol.ts";
import { runRoutes } from "./routes/agentServer/runs.ts";
import { frontAgentServer, frontHealth, serveDeployment, upgradeOf } from "./routes/agentServer/serving.ts";
import { statelessRunRoutes } from "./routes/agentServer/statelessRuns.ts";
import { statusRoutes } from "./routes/local/status.ts";
import { threadRoutes } from "./routes/agentServer/threads.ts";
import { threadStateRoutes } from "./routes/agentServer/threadState.ts";
import { webhookRoutes } from "./routes/local/webhooks.ts";
import { seed } from "./seed.ts";
import type { Identity } from "./access/identity.ts";
import type { Server } from "node:http";

/** How to start the Local Platform. */
export interface ServerOptions {
  /** 0 for any free port. */
  readonly port: number;
  /** The data directory; made if missing. */
  readonly directory: string;
  /** Kept from the last start, or made, when absent. */
  readonly apiKey?: string | undefined;
  /** Other limits for the delivery of webhooks than the documented ones. */
  readonly delivery?: Partial<DeliveryOptions> | undefined;
  /** Another deadline for the headers of a request than the usual one, in milliseconds. */
  readonly headersTimeout?: number | undefined;
}

/** The line that says where everything is (docs/interface.md, "Local Platform"). */
export interface Ready extends Identity {
  readonly ready: true;
  readonly baseUrl: string;
  readonly controlPlaneUrl: string;
  readonly deploymentUrl: string;
  readonly localUrl: string;
}

/** A running Local Platform. */
export interface RunningServer {
  readonly ready: Ready;
  /** Stops it; runs in progress are kept as far as they came. */
  close(): Promise<void>;
}

/** A request may take as long as its run, but its headers come at once. */
const timeouts = {
  keepAliveTimeout: 60_000,
  requestTimeout: 0,
  connectionsCheckingInterval: 1_000,
};
const usualHeadersTimeout = 10_000;
const mostUnfinished = 1_000;

/** Starts the Local Platform on the loopback interface. */
export async function startServer(options: ServerOptions): Promise<RunningServer> {
  let baseUrl = "";
  const platform = openPlatform(options.directory, options.apiKey, () => baseUrl, options.delivery);
  const faults = new Faults();
  const requests = new RecentRequests();
  const answer = getRequestListener(compose(platform, faults, requests).fetch, {
    overrideGlobalObjects: false,
  });
  const listener = async (request: IncomingMessage, response: ServerResponse): Promise<void> => {
    if (!(await faults.apply(request, response))) await answer(request, response);
  };
  const { headersTimeout = usualHeadersTimeout } = options;
  const server = createServer({ ...timeouts, headersTimeout }, (request, response) => {
    requests.watch(request, response);
    listener(request, response).catch((error: unknown) => {
      console.error("A request could not be answered:", error);
      response.destroy();
    });
  });
  boundUnfinished(server, mostUnfinished);
  const endUpgrades = listenForUpgrades(server, (request, socket, head) =>
    takeUpgrade(platform, request, socket, head),
  );
  await new Promise<void>((resolve, reject) => {
    server.once("error", reject);
    server.listen(options.port, "127.0.0.1", resolve);
  });
  baseUrl = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  platform.scheduler.recover();
  platform.controlPlane.start();
  platform.deliveries.start();
  platform.bulkExports.exporter.start();
  await platform.store.flushed();
  const seeding = setImmediate(() => seed(platform));
  return {
    ready: readyLine(platform, baseUrl),
    close: async () => {
      clearImmediate(seeding);
      server.close();
      endUpgrades();
      await closePlatform(platform);
      server.closeAllConnections();
    },
  };
}

/** Only a fronted agent server has WebSockets; what is wrong with a request to one, its ordinary answer says. */
function takeUpgrade(platform: Platform, request: IncomingMessage, socket: Duplex, head: Buffer): boolean {
  try {
    const onward = hasKey(platform, request) ? upgradeOf(platform, request) : undefined;
    if (onward !== undefined) forwardUpgrade(request, socket, head, onward);
    return onward !== undefined;
  } catch (error) {
    if (!(error instanceof HttpError)) console.error("A WebSocket could not be passed on:", error);
    return false;
  }
}

/** All routes of the Local Platform. */
export function compose(platform: Platform, faults: Faults, requests: RecentRequests): Hono<Env> {
  const app = new Hono<Env>();
  app.use(acknowledge(platform));
  app.route("/", statusRoutes(platform, requests));
  app.route("/deployments/:deployment_id", agentServer(platform));
  app.route("/api-host", controlPlaneRoutes(platform));
  app.route("/api/v1/feedback", feedbackRoutes(platform));
  app.route("/api/v1/bulk-exports", bulkExportRoutes(platform));
  app.route("/api/v1/sessions", projectRoutes(platform));
  app.route("/v1/managed", managedRoutes(platform));
  const local = new Hono<Env>();
  local.route(
    "/",
    openApiRoutes(() => routesOf(app), platform.baseUrl),
  );
  local.use(requireKey(platform));
  local.route("/webhooks", webhookRoutes(platform));
  local.route("/", issueRoutes(platform));
  local.route("/", localRoutes(faults, platform));
  local.route("/", rolloutRoutes(platform));
  local.route("/api-keys", apiKeyRoutes(platform));
  app.route("/_local", local);
  app.notFound(notFoundAnswer);
  app.onError(errorAnswer);
  return app;
}

/** The control plane (docs/interface.md, "Endpoints"). */
function controlPlaneRoutes(platform: Platform): Hono<Env> {
  const app = new Hono<Env>();
  app.route("/v2/auth/callback", authCallbackRoutes(platform));
  app.use(requireKeyOrBearer(platform));
  app.route("/v2/auth/tokens", authTokenRoutes(platform));
  app.route("/v2/deployments", deploymentRoutes(platform));
  app.route("/v2/deployments", revisionRoutes(platform));
  app.route("/v2/deployments", deploymentLogRoutes(platform));
  app.route("/v2/deployment-logs", logSearchRoutes(platform));
  return app;
}

/**
 * The managed-agents API (docs/interface.md, "Managed-agents API"), mounted at `/v1/managed`. Every request needs a key. Values
 * that do not fit are a 422 where an operation lists that among its answers, else a 400.
 */
function managedRoutes(platform: Platform): Hono<Env> {
  const app = new Hono<Env>();
  app.use(requireKey(platform));
  app.route("/agents", managedAgentRoutes(platform));
  app.route("/mcp-servers", mcpServerRoutes(platform));
  app.route("/mcp", mcpToolRoutes(platform));
  app.route("/auth-sessions", authSessionRoutes(platform));
  app.route("/threads", managedThreadRoutes(platform));
  app.route("/threads", managedRunRoutes(platform));
  return app;
}

/** The agent server of a deployment. */
function agentServer(platform: Platform): Hono<Env> {
  const app = new Hono<Env>();
  app.use(serveDeployment(platform));
  app.use("/ok", frontHealth(requireKey(platform)));
  app.route("/", healthRoutes());
  app.use(requireKey(platform));
  app.use(frontAgentServer(platform));
  app.route("/", infoRoutes());
  app.route("/assistants", assistantRoutes(platform));
  app.route("/api/threads", chatBackendRoutes(platform));
  app.route("/threads", protocolRoutes(platform));
  app.route("/threads", threadRoutes(platform));
  app.route("/threads", threadStateRoutes(platform));
  app.route("/threads", runRoutes(platform));
  app.route("/runs", statelessRunRoutes(platform));
  return app;
}

/** Lets an answer out only when everything that was written for it is on disk. */
function acknowledge(platform: Platform): MiddlewareHandler<Env> {
  return async (_, next) => {
    await next();
    await platform.store.flushed();
  };
}

function readyLine(platform: Platform, baseUrl: string): Ready {
  return {
    ready: true,
    baseUrl,
    controlPlaneUrl: `${baseUrl}/api-host`,
    deploymentUrl: `${baseUrl}/deployments/${platform.identity.deploymentId}`,
    localUrl: `${baseUrl}/_local`,
    ...platform.identity,
  };
}

/** Keeps at most so many connections whose first request has not come yet; one more ends the one that is oldest. */
function boundUnfinished(server: Server, most: number): void {
  const unfinished = new Set<Socket>();
  server.on("connection", (socket: Socket) => {
    unfinished.add(socket);
    socket.once("close", () => unfinished.delete(socket));
    const [oldest] = unfinished;
    if (unfinished.size > most) oldest?.destroy();
  });
  for (const event of ["request", "upgrade"])
    server.on(event, ({ socket }: IncomingMessage) => unfinished.delete(socket));
}

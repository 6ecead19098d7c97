import { randomUUID } from "node:crypto";
import { createServer as createHttpServer } from "node:http";
import type { IncomingHttpHeaders, Server } from "node:http";
import type { AddressInfo } from "node:net";
import { requireBearerAuth } from "@modelcontextprotocol/sdk/server/auth/middleware/bearerAuth.js";
import {
  getOAuthProtectedResourceMetadataUrl,
  mcpAuthRouter,
} from "@modelcontextprotocol/sdk/server/auth/router.js";
import { createMcpExpressApp } from "@modelcontextprotocol/sdk/server/express.js";
import { StreamableHTTPServerTransport } from "@modelcontextprotocol/sdk/server/streamableHttp.js";
import { createServer } from "@modelcontextprotocol/server-everything/dist/server/index.js";
import type { Express, Request, Response } from "express";
import { AuthorizationServer } from "./authorizationServer.ts";

/** The reference tool server over streamable HTTP, with or without the official SDK's authorization before it. */
export class ToolServer {
  readonly url: string;
  /** Headers of all requests to the tool server itself, in order. */
  readonly asked: IncomingHttpHeaders[] = [];
  readonly provider: AuthorizationServer;
  /** When it is settled, who asks for access is let go on. */
  agreeing: Promise<unknown> = Promise.resolve();
  readonly #server: Server;
  readonly #sessions = new Map<string, StreamableHTTPServerTransport>();
  readonly #cleanups: (() => void)[] = [];

  private constructor(server: Server, url: string) {
    this.#server = server;
    this.url = url;
    this.provider = new AuthorizationServer(new URL(url));
  }

  /** Starts one on a free port. */
  static async start({ oauth = false, port = 0 } = {}): Promise<ToolServer> {
    const server = createHttpServer();
    await new Promise<void>((resolve) => server.listen(port, "127.0.0.1", resolve));
    const origin = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
    const started = new ToolServer(server, `${origin}/mcp`);
    const app = createMcpExpressApp();
    if (oauth) started.#guard(app, new URL(origin));
    app.all("/mcp", (request, response) => started.#serve(request, response));
    server.on("request", app);
    return started;
  }

  async stop(): Promise<void> {
    for (const transport of this.#sessions.values()) await transport.close();
    for (const cleanup of this.#cleanups) cleanup();
    this.#server.closeAllConnections();
    await new Promise((resolve) => this.#server.close(resolve));
  }

  #guard(app: Express, issuerUrl: URL): void {
    const url = new URL(this.url);
    const scopesSupported = ["mcp:tools"];
    app.use((request, _, next) => {
      const asked = `${request.method ?? ""} ${request.url ?? ""}`.split("?")[0] ?? "";
      this.provider.asked.push(asked);
      if (asked.endsWith("/authorize")) void this.agreeing.then(() => next());
      else next();
    });
    app.use(
      mcpAuthRouter({
        provider: this.provider,
        issuerUrl,
        scopesSupported,
        resourceServerUrl: url,
        authorizationOptions: { rateLimit: false },
        clientRegistrationOptions: { rateLimit: false },
        tokenOptions: { rateLimit: false },
      }),
    );
    const resourceMetadataUrl = getOAuthProtectedResourceMetadataUrl(url);
    const verifier = this.provider;
    const bearer = requireBearerAuth({ verifier, resourceMetadataUrl, expectedResource: url });
    app.all("/mcp", bearer);
  }

  async #serve(request: Request, response: Response): Promise<void> {
    this.asked.push(request.headers);
    const id = request.headers["mcp-session-id"];
    const known = this.#sessions.get(typeof id === "string" ? id : "");
    const transport = known ?? (await this.#open());
    await transport.handleRequest(request, response, request.body);
  }

  async #open(): Promise<StreamableHTTPServerTransport> {
    const transport: StreamableHTTPServerTransport = new StreamableHTTPServerTransport({
      sessionIdGenerator: randomUUID,
      onsessioninitialized: (id) => {
        this.#sessions.set(id, transport);
      },
      onsessionclosed: (id) => {
        this.#sessions.delete(id);
      },
    });
    const { server, cleanup } = createServer();
    this.#cleanups.push(() => cleanup(transport.sessionId));
    await server.connect(transport);
    return transport;
  }
}

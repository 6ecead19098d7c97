import { createServer } from "node:http";
import type { IncomingMessage, Server, ServerResponse } from "node:http";
import type { AddressInfo } from "node:net";
import { setTimeout as pause } from "node:timers/promises";
import { list, text } from "../../../support/localPlatform.ts";
import { until } from "../../../support/until.ts";
import type { Answer, LocalPlatform, Shape } from "../../../support/localPlatform.ts";

type Fields = Record<string, unknown>;

export const secret = "sesame-open-0123456789-ABCDEF";
export const credentials = { access_key_id: "AKIAEXAMPLE", secret_access_key: secret };

/** The bulk-export interface of a Local Platform, asked with both headers. */
export class ExportClient {
  readonly #platform: LocalPlatform;

  constructor(platform: LocalPlatform) {
    this.#platform = platform;
  }

  async send(
    method: string,
    path: string,
    body?: unknown,
    headers: Record<string, string> = {},
  ): Promise<Answer> {
    const { baseUrl, workspaceId } = this.#platform.ready;
    const all = { "x-tenant-id": workspaceId, ...headers };
    return await this.#platform.send(method, `${baseUrl}/api/v1/bulk-exports${path}`, body, all);
  }

  /** An export of all that the sample deployment has recorded. */
  async create(destination: string, order: Fields = {}): Promise<Shape> {
    const answer = await this.send("POST", "", {
      bulk_export_destination_id: destination,
      session_id: this.#platform.ready.deploymentId,
      start_time: "2020-01-01T00:00:00Z",
      ...order,
    });
    if (answer.status !== 200) throw new Error(answer.text);
    return answer.body;
  }

  async status(id: unknown): Promise<string> {
    return text((await this.send("GET", `/${text(id)}`)).body.status);
  }

  async ended(id: unknown): Promise<string> {
    await until("the export is over", async () => !["Created", "Running"].includes(await this.status(id)));
    return await this.status(id);
  }

  async runs(id: unknown): Promise<Shape[]> {
    return list((await this.send("GET", `/${text(id)}/runs`)).body);
  }
}

/** A bucket that takes everything, or whatever a test wants instead. */
export class Bin {
  readonly #server: Server;
  readonly visits: { readonly method: string; readonly url: string; readonly token: string }[] = [];
  /** Answers so instead of taking what comes. */
  reply: ((headers: IncomingMessage["headers"]) => { status: number; body: string }) | undefined;
  /** Answers wait for this. */
  held: Promise<void> = Promise.resolve();
  /** How long it takes to store a file of an export. */
  uploadMs = 0;

  private constructor(server: Server) {
    this.#server = server;
    server.on("request", (request, response) => void this.#answer(request, response));
  }

  static async start(): Promise<Bin> {
    const server = createServer();
    await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
    return new Bin(server);
  }

  stop(): void {
    this.#server.closeAllConnections();
    this.#server.close();
  }

  get url(): string {
    return `http://127.0.0.1:${(this.#server.address() as AddressInfo).port}`;
  }

  /** Holds back all answers until the returned function is called. */
  hold(): () => void {
    const { promise, resolve } = Promise.withResolvers<undefined>();
    this.held = promise;
    return () => {
      this.held = Promise.resolve();
      resolve(undefined);
    };
  }

  /** What creates a destination in this bucket. */
  order(changes: Fields = {}): Fields {
    return {
      destination_type: "s3",
      display_name: "Archive",
      config: { bucket_name: "traces", prefix: "p", endpoint_url: this.url },
      credentials,
      ...changes,
    };
  }

  uploads(): string[] {
    return this.visits
      .filter(({ method, url }) => method === "PUT" && url.includes(".parquet"))
      .map(({ url }) => url);
  }

  async #answer(request: IncomingMessage, response: ServerResponse): Promise<void> {
    const { method = "", url = "", headers } = request;
    this.visits.push({ method, url, token: String(headers["x-amz-security-token"] ?? "") });
    request.resume();
    await this.held;
    if (this.uploadMs > 0 && url.includes(".parquet")) await pause(this.uploadMs);
    const reply = this.reply?.(headers);
    if (reply !== undefined) {
      response.writeHead(reply.status, { "content-type": "application/xml" }).end(reply.body);
      return;
    }
    response.writeHead(method === "DELETE" ? 204 : method === "HEAD" ? 403 : 200, { etag: '"e"' });
    response.end();
  }
}

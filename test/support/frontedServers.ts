import assert from "node:assert/strict";
import { createServer, type IncomingMessage, type Server, type ServerResponse } from "node:http";
import type { AddressInfo } from "node:net";
import { ControlPlaneClient } from "./controlPlaneClient.ts";
import { LocalPlatform, text } from "./localPlatform.ts";

type Handler = (request: IncomingMessage, response: ServerResponse) => void;

/** A Local Platform, and servers that its deployments front. */
export class FrontedServers {
  readonly platform: LocalPlatform;
  readonly client: ControlPlaneClient;
  readonly servers: Server[] = [];

  private constructor(platform: LocalPlatform) {
    this.platform = platform;
    this.client = new ControlPlaneClient(platform);
  }

  static async start(): Promise<FrontedServers> {
    return new FrontedServers(await LocalPlatform.start());
  }

  /** The address of a server that is up, and answers as the handler does elsewhere than at `/ok`. */
  async listen(handler: Handler): Promise<string> {
    return this.listenAlways((incoming, response) => {
      if (incoming.url?.endsWith("/ok") === true) response.end('{"ok":true}');
      else handler(incoming, response);
    });
  }

  /** The address of a server that answers everything as the handler does. */
  async listenAlways(handler: Handler): Promise<string> {
    const server = createServer(handler);
    this.servers.push(server);
    await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
    return `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  }

  /** Makes a deployment in front of a server. */
  async create(custom_url: string): Promise<{ id: string; revision: string; url: string }> {
    const body = { source: "external_docker", source_config: { custom_url }, source_revision_config: {} };
    const created = await this.client.create(body);
    const id = text(created.id);
    const url = `${this.platform.ready.baseUrl}/deployments/${id}`;
    return { id, revision: text(created.latest_revision_id), url };
  }

  /** The address of a deployment that fronts a server, once it is deployed. */
  async front(custom_url: string): Promise<string> {
    const { id, revision, url } = await this.create(custom_url);
    assert.equal((await this.client.follow(id, revision)).at(-1), "DEPLOYED");
    return url;
  }

  async remove(): Promise<void> {
    for (const server of this.servers) {
      server.close();
      server.closeAllConnections();
    }
    await this.platform.remove();
  }
}

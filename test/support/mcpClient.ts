import assert from "node:assert/strict";
import type { Answer, LocalPlatform, Shape } from "./localPlatform.ts";
import { text } from "./localPlatform.ts";
import { ManagedClient } from "./managedClient.ts";

/** Requests about tool servers and auth sessions, and the browser of the user who agrees. */
export class McpClient extends ManagedClient {
  /** Registers a tool server; answers it. */
  async server(url: string, body: Record<string, unknown> = {}): Promise<Shape> {
    const answer = await this.send("POST", "/mcp-servers", { name: "Tools", url, ...body });
    assert.equal(answer.status, 201, answer.text);
    return answer.body;
  }

  /** Registers a tool server that asks for OAuth, and a client there; answers the provider's id. */
  async provider(url: string): Promise<string> {
    const { id } = await this.server(url, { auth_type: "oauth" });
    const answer = await this.send("POST", `/mcp-servers/${text(id)}/oauth-provider`, {});
    assert.equal(answer.status, 200, answer.text);
    return text(answer.body.oauth_provider_id);
  }

  async start(provider_id: string, body: Record<string, unknown> = {}): Promise<Answer> {
    return await this.send("POST", "/auth-sessions", {
      provider_id,
      scopes: [],
      strategy: "CREATE",
      ...body,
    });
  }

  /** Starts a session that must be pending; answers its id and where the user goes. */
  async pending(provider: string, body: Record<string, unknown> = {}): Promise<{ id: string; url: string }> {
    const answer = await this.start(provider, body);
    assert.equal(answer.status, 201, answer.text);
    return { id: text(answer.body.id), url: text(answer.body.verification_url) };
  }

  /** How a session stands. */
  async session(id: string, waitSeconds = 1): Promise<Shape> {
    return await this.get(`/auth-sessions/${id}?wait_seconds=${waitSeconds}`);
  }

  /** Connects the user, all the way. */
  async connect(provider: string, body: Record<string, unknown> = {}): Promise<string> {
    const { id, url } = await this.pending(provider, body);
    const page = await fetch(url);
    assert.equal(page.status, 200, await page.text());
    assert.deepEqual((await this.session(id)).status, "COMPLETED");
    return id;
  }

  async tools(url: string, query = ""): Promise<Answer> {
    return await this.send("GET", `/mcp/tools?url=${encodeURIComponent(url)}${query}`);
  }

  async hasToken(provider: string): Promise<unknown> {
    const url = `${this.platform.ready.controlPlaneUrl}/v2/auth/tokens/exists?provider_id=${provider}`;
    return (await this.platform.send("GET", url)).body.has_token;
  }
}

/** A key that may do only what is named. */
export async function keyFor(platform: LocalPlatform, ...permissions: string[]): Promise<string> {
  const made = await platform.send("POST", `${platform.ready.localUrl}/api-keys`, { permissions });
  return text(made.body.api_key);
}

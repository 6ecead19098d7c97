import assert from "node:assert/strict";
import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { DatabaseSync } from "node:sqlite";
import { ToolServer } from "../../../support/toolServer.ts";
import { list, LocalPlatform, text } from "../../../support/localPlatform.ts";
import type { Shape } from "../../../support/localPlatform.ts";
import { McpClient } from "../../../support/mcpClient.ts";

describe("auth sessions", () => {
  let platform: LocalPlatform;
  let client: McpClient;
  let server: ToolServer;
  let provider: string;

  before(async () => {
    server = await ToolServer.start({ oauth: true });
  });
  after(() => server.stop());
  beforeEach(async () => {
    Object.assign(server.provider, { denies: false, lifetime: 3600, renews: false, fails: false });
    platform = await LocalPlatform.start();
    client = new McpClient(platform);
    provider = await client.provider(server.url);
  });
  afterEach(() => platform.remove());

  /** Where the authorization server sends the browser back to, without going there. */
  const wayBack = async (url: string): Promise<URL> => {
    const response = await fetch(url, { redirect: "manual" });
    return new URL(response.headers.get("location") ?? "");
  };
  const restart = async (change: (data: DatabaseSync) => void = () => undefined): Promise<void> => {
    await platform.stop();
    const data = new DatabaseSync(join(platform.directory, "platform.db"));
    change(data);
    data.close();
    platform = await LocalPlatform.start(platform.directory);
    client = new McpClient(platform);
  };
  const files = (): Buffer[] =>
    readdirSync(platform.directory).map((name) => readFileSync(join(platform.directory, name)));
  const is = (part: Shape | undefined, expected: string): void => assert.equal(text(part), expected);

  it("begin pending, with the address where the user agrees", async () => {
    const { status, body } = await client.start(provider, { scopes: ["mcp:tools", "mcp:more"] });
    assert.equal(status, 201);
    const { id, verification_url, ...rest } = body;
    assert.deepEqual(rest, { provider_id: provider, status: "PENDING", metadata: {} });
    const url = new URL(text(verification_url));
    assert.equal(url.origin, new URL(server.url).origin);
    const { state, code_challenge, ...asked } = Object.fromEntries(url.searchParams);
    assert.match(state ?? "", /^[\w-]{43}$/);
    assert.match(code_challenge ?? "", /^[\w-]{43}$/);
    assert.deepEqual(asked, {
      response_type: "code",
      client_id: server.provider.registered.at(-1)!.client_id,
      redirect_uri: `${platform.ready.controlPlaneUrl}/v2/auth/callback/${provider}`,
      code_challenge_method: "S256",
      scope: "mcp:tools mcp:more",
      resource: server.url,
    });
    assert.match(text(id), /^[0-9a-f-]{36}$/);
    const unscoped = await client.pending(provider);
    assert.equal(new URL(unscoped.url).searchParams.get("scope"), "mcp:tools");
  });

  it("ask for consent where they are to go on without the user", async () => {
    const promptFor = async (scopes: readonly string[]) => {
      const { body } = await client.start(provider, { scopes });
      return new URL(text(body.verification_url)).searchParams.get("prompt");
    };
    assert.equal(await promptFor(["mcp:tools", "offline_access"]), "consent");
    assert.equal(await promptFor(["mcp:tools"]), null);
  });

  it("complete when the user agreed, and then the platform holds a token", async () => {
    assert.equal(await client.hasToken(provider), false);
    const id = await client.connect(provider);
    const ended = { id, provider_id: provider, status: "COMPLETED", metadata: {} };
    assert.deepEqual(await client.session(id), ended);
    assert.equal(await client.hasToken(provider), true);
    assert.equal(await client.hasToken("another"), false);
    assert.equal((await client.tools(server.url)).status, 200);
  });

  it("are answered at once with a token that is held and covers the scopes, when it may be reused", async () => {
    await client.connect(provider, { scopes: ["mcp:tools"] });
    const token = server.provider.given.at(-1)!.access_token;
    for (const scopes of [[], ["mcp:tools"]]) {
      const { status, body } = await client.start(provider, { strategy: "REUSE", scopes });
      assert.equal(status, 200);
      assert.deepEqual(body, { provider_id: provider, status: "COMPLETED", token, metadata: {} });
    }
    assert.equal((await client.start(provider, { strategy: "REUSE", scopes: ["mcp:more"] })).status, 201);
    assert.equal((await client.start(provider, { strategy: "CREATE" })).status, 201);
  });

  it("bring the token that is used from then on, unless it is not to be the default", async () => {
    await client.connect(provider);
    await client.connect(provider);
    const second = server.provider.given.at(-1)!.access_token;
    await client.connect(provider, { is_default: false });
    const reused = await client.start(provider, { strategy: "REUSE" });
    is(reused.body.token, second);
  });

  it("need a connection when the user said no", async () => {
    server.provider.denies = true;
    const { id, url } = await client.pending(provider);
    const page = await fetch(url);
    assert.equal(page.status, 400);
    assert.match(await page.text(), /Access was not granted/);
    const session = await client.session(id);
    is(session.status, "CONNECTION_REQUIRED");
    assert.deepEqual(session.metadata, { error: "access_denied" });
    assert.equal(await client.hasToken(provider), false);
  });

  it("are untouched by an answer whose state is not theirs", async () => {
    const { id, url } = await client.pending(provider);
    const back = await wayBack(url);
    const other = await client.provider(`${server.url}?other`);
    const forged = [
      (target: URL) => target.searchParams.set("state", "x".repeat(43)),
      (target: URL) => target.searchParams.delete("state"),
      (target: URL) => (target.pathname = target.pathname.replace(provider, other)),
    ];
    for (const forge of forged) {
      const target = new URL(back);
      forge(target);
      const page = await fetch(target);
      assert.equal(page.status, 400);
      assert.match(page.headers.get("content-type") ?? "", /^text\/html/);
      assert.match(await page.text(), /belongs to no session/);
    }
    is((await client.session(id)).status, "PENDING");
    assert.equal((await fetch(back)).status, 200);
    is((await client.session(id)).status, "COMPLETED");
  });

  it("take an answer once", async () => {
    const { id, url } = await client.pending(provider);
    const back = await wayBack(url);
    const both = await Promise.all([fetch(back), fetch(back)]);
    assert.deepEqual(both.map(({ status }) => status).sort(), [200, 400]);
    assert.equal((await fetch(back)).status, 400);
    is((await client.session(id)).status, "COMPLETED");
  });

  it("never show on their page what came with the address", async () => {
    const { url } = await client.pending(provider);
    const back = await wayBack(url);
    back.searchParams.set("error", "<script>alert(1)</script>");
    const page = await fetch(back);
    assert.equal((await page.text()).includes("alert"), false);
    assert.match(page.headers.get("content-security-policy") ?? "", /default-src 'none'/);
  });

  it("let those who wait know at once, and others after the time they wanted to wait", async () => {
    const { id, url } = await client.pending(provider);
    const began = performance.now();
    is((await client.session(id)).status, "PENDING");
    assert.ok(performance.now() - began > 950);
    const waiting = [client.session(id, 25), client.session(id, 25)];
    assert.equal((await fetch(url)).status, 200);
    for (const session of await Promise.all(waiting)) is(session.status, "COMPLETED");
    assert.ok(performance.now() - began < 15_000);
  });

  it("do not keep the platform from closing while somebody waits", async () => {
    const { id } = await client.pending(provider);
    const waiting = client.session(id, 25);
    await new Promise((resolve) => setTimeout(resolve, 50));
    const began = performance.now();
    await platform.stop();
    is((await waiting).status, "PENDING");
    assert.ok(performance.now() - began < 10_000);
  });

  it("that are pending go on after a restart, and new ones use the platform's new address", async () => {
    const { id, url } = await client.pending(provider);
    const back = await wayBack(url);
    const clients = server.provider.registered.length;
    await restart();
    back.host = new URL(platform.ready.baseUrl).host;
    assert.equal((await fetch(back)).status, 200);
    is((await client.session(id)).status, "COMPLETED");
    assert.equal(await client.hasToken(provider), true);
    assert.equal((await client.tools(server.url)).status, 200);
    await client.connect(provider);
    assert.equal(server.provider.registered.length, clients + 1);
  });

  it("expire when nobody agreed in time", async () => {
    const { id, url } = await client.pending(provider);
    const back = await wayBack(url);
    await restart((data) => data.exec("UPDATE auth_sessions SET expires_at = '2020-01-01T00:00:00.000Z'"));
    const session = await client.session(id, 25);
    is(session.status, "CONNECTION_REQUIRED");
    assert.deepEqual(session.metadata, { error: "session_expired" });
    back.host = new URL(platform.ready.baseUrl).host;
    assert.equal((await fetch(back)).status, 400);
    assert.equal(await client.hasToken(provider), false);
  });

  it("tell when the token that they brought came to its end", async () => {
    const id = await client.connect(provider);
    await restart((data) => data.exec("UPDATE oauth_tokens SET expires_at = '2020-01-01T00:00:00.000Z'"));
    is((await client.session(id)).status, "TOKEN_EXPIRED");
    assert.equal(await client.hasToken(provider), false);
    is((await client.tools(server.url)).body.code, "upstream_auth_failed");
    assert.equal((await client.start(provider, { strategy: "REUSE" })).status, 201);
  });

  it("bring tokens that are renewed when they end, until the provider refuses", async () => {
    Object.assign(server.provider, { renews: true, lifetime: 10 });
    const id = await client.connect(provider);
    const given = server.provider.given.length;
    const answers = await Promise.all([1, 2, 3].map(() => client.start(provider, { strategy: "REUSE" })));
    for (const { body } of answers) assert.match(text(body.token), /^renewed-/);
    assert.ok(server.provider.given.length > given);
    assert.equal((await client.tools(server.url)).status, 200);
    await restart((data) => data.exec("UPDATE oauth_tokens SET expires_at = '2020-01-01T00:00:00.000Z'"));
    is((await client.session(id)).status, "COMPLETED");
    assert.equal(await client.hasToken(provider), true);
    server.provider.renews = false;
    is((await client.tools(server.url)).body.code, "upstream_auth_failed");
    is((await client.session(id)).status, "TOKEN_EXPIRED");
    assert.equal(await client.hasToken(provider), false);
  });

  it("keep what they brought when the provider cannot renew it for now", async () => {
    Object.assign(server.provider, { renews: true, lifetime: 10, fails: true });
    await client.connect(provider);
    const failed = await client.start(provider, { strategy: "REUSE" });
    assert.equal(failed.status, 502);
    is((await client.tools(server.url)).body.code, "upstream_error");
    server.provider.fails = false;
    const { body } = await client.start(provider, { strategy: "REUSE" });
    assert.match(text(body.token), /^renewed-/);
  });

  it("leave no token, secret or proof in the clear in the files of the platform", async () => {
    server.provider.renews = true;
    await client.connect(provider);
    const { url } = await client.pending(provider);
    const { access_token, refresh_token = "" } = server.provider.given.at(-1)!;
    const { client_secret = "" } = server.provider.registered.at(-1)!;
    const state = new URL(url).searchParams.get("state") ?? "";
    const hidden = [access_token, refresh_token, client_secret, state];
    assert.ok(hidden.every((secret) => secret.length >= 20));
    assert.ok(files().some((file) => file.includes(provider)));
    for (const secret of hidden) assert.ok(files().every((file) => !file.includes(secret)));
    await platform.stop();
    for (const secret of hidden) assert.ok(files().every((file) => !file.includes(secret)));
  });

  it("and their tokens are gone with the tool server", async () => {
    const id = await client.connect(provider);
    const { id: serverId } = list(await client.get("/mcp-servers"))[0]!;
    await client.send("DELETE", `/mcp-servers/${text(serverId)}`);
    assert.equal(await client.hasToken(provider), false);
    assert.equal((await client.send("GET", `/auth-sessions/${id}`)).status, 404);
  });

  it("are a bad gateway when a new client is needed and nobody answers", async () => {
    const brief = await ToolServer.start({ oauth: true });
    const own = await client.provider(brief.url);
    await brief.stop();
    await restart();
    const answer = await client.start(own);
    assert.equal(answer.status, 502, answer.text);
    is(answer.body.code, "upstream_error");
  });
});

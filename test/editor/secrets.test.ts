import { strict as assert } from "node:assert";
import * as vscode from "vscode";
import type { ConnectionSetting } from "../../src/editor/connections/connection.ts";
import type { Services } from "../../src/editor/services.ts";
import { startAgentServer } from "./agentServer.ts";
import type { TestServer } from "./agentServer.ts";
import { theExtension } from "./extensionUnderTest.ts";
import { until } from "../support/until.ts";
import { whileAllIsLogged, writtenDown } from "./writtenDown.ts";
import { wordsOf } from "./person.ts";

const key = "test-key-0123456789abcdef";
const refOf = ({ id, url = "" }: ConnectionSetting) =>
  ({ connectionId: id, server: { kind: "agentServer", url } }) as const;
const otherKey = "test-key-of-the-environment";

describe("API keys", () => {
  let services: Services;
  let server: TestServer;
  let elsewhere: TestServer;
  let connection: ConnectionSetting;

  before(async () => {
    services = await theExtension();
    server = await startAgentServer(key);
    elsewhere = await startAgentServer();
  });
  after(() => Promise.all([server.close(), elsewhere.close()]));
  beforeEach(async () => {
    connection = await services.connections.add({ name: "Guarded", kind: "agentServer", url: server.url });
  });
  afterEach(async () => {
    await services.apiKeys.clear(connection.id);
    await services.connections.remove(connection.id);
    delete process.env["AGENT_OPERATIONS_TEST_KEY"];
  });

  const client = async (): Promise<ReturnType<Services["agentServers"]["client"]>> => {
    const [ref] = await services.agentServers.list(connection.id);
    assert(ref);
    return services.agentServers.client(ref);
  };
  const lastKey = (of: TestServer): string | string[] | undefined => of.seen.at(-1)?.headers["x-api-key"];

  it("are sent with each request to the server that they were entered for", async () => {
    await services.apiKeys.set(connection.id, [server.url], key);
    assert.equal(await services.apiKeys.state(connection), "stored");
    await (await client()).ok();
    assert.equal(lastKey(server), key);
  });

  it("are sent as a bearer token instead where the connection says so, whatever the extra headers are", async () => {
    const headers = { Authorization: "Basic ${env:AGENT_OPERATIONS_TEST_KEY}", "X-Team": "ops" };
    process.env["AGENT_OPERATIONS_TEST_KEY"] = otherKey;
    await services.connections.update({ ...connection, auth: "bearer", workspaceId: "w-1", headers });
    await services.apiKeys.set(connection.id, [server.url], key);
    await (await client()).ok().catch(() => undefined);
    const sent = server.seen.at(-1)?.headers;
    assert.equal(sent?.authorization, `Bearer ${key}`);
    assert.equal(sent["x-api-key"], undefined);
    assert.equal(sent["x-tenant-id"], "w-1");
    assert.equal(sent["x-team"], "ops");
  });

  it("go to no other origin, whatever the settings say later", async () => {
    await services.apiKeys.set(connection.id, [server.url], key);
    const moved = { ...connection, url: elsewhere.url };
    await services.connections.update(moved);
    assert.equal(await services.apiKeys.state(moved), "otherOrigin");
    await (await client()).ok();
    assert.equal(lastKey(elsewhere), undefined);
  });

  describe("and headers and the workspace id", () => {
    beforeEach(async () => {
      process.env["AGENT_OPERATIONS_TEST_KEY"] = otherKey;
      const headers = {
        Authorization: "Bearer ${env:AGENT_OPERATIONS_TEST_KEY}",
        Cookie: "sid=${env:AGENT_OPERATIONS_TEST_KEY}",
        "X-Team": "ops",
      };
      const { id, name } = connection;
      connection = { id, name, kind: "platform", url: server.url, workspaceId: "w-1", headers };
      await services.connections.update(connection);
    });
    afterEach(() => services.apiKeys.forgetConfirmed(connection.id));

    /** What of the connection a request to the address takes along. */
    const sentTo = async (of: TestServer): Promise<readonly string[]> => {
      const http = await services.transport.http(connection.id, of.url);
      await http.json({ method: "GET", path: "/info" });
      const names = ["authorization", "cookie", "x-team", "x-tenant-id", "x-api-key"];
      return names.filter((name) => of.seen.at(-1)?.headers[name] !== undefined);
    };
    const all = ["authorization", "cookie", "x-team", "x-tenant-id", "x-api-key"];

    it("go to no origin that nobody typed or confirmed", async () => {
      await services.apiKeys.set(connection.id, [server.url], key);
      assert.deepEqual(await sentTo(server), all);
      assert.deepEqual(await sentTo(elsewhere), []);
      await services.apiKeys.allow(connection.id, `${elsewhere.url}/some/path`);
      assert.deepEqual(await sentTo(elsewhere), all);
      await services.apiKeys.forgetConfirmed(connection.id);
      assert.deepEqual(await sentTo(elsewhere), []);
    });

    it("are confirmed also where there is no key, and stay so when a key is set or cleared", async () => {
      const withoutKey = all.slice(0, -1);
      assert.deepEqual(await sentTo(elsewhere), []);
      await services.apiKeys.allow(connection.id, elsewhere.url);
      assert.deepEqual(await sentTo(elsewhere), withoutKey);
      await services.apiKeys.set(connection.id, [server.url], key);
      assert.deepEqual(await sentTo(elsewhere), all);
      await services.apiKeys.clear(connection.id);
      assert.deepEqual(await sentTo(elsewhere), withoutKey);
    });

    it("go where version 0.1.0 was allowed to send the key", async () => {
      const stored = JSON.stringify({ origins: [server.url, elsewhere.url], key });
      await services.context.secrets.store(`agentOperations.apiKey.${connection.id}`, stored);
      assert.deepEqual(await sentTo(elsewhere), all);
    });
  });

  it("do not go with feedback to a pre-signed address", async () => {
    await services.apiKeys.set(connection.id, [server.url], key);
    const url = `${server.url}/api/v1/feedback/tokens/t`;
    await services.agentServers
      .submitFeedback(refOf(connection), url, { score: 1 }, AbortSignal.timeout(60_000))
      .catch(() => undefined);
    assert.equal(server.seen.at(-1)?.url, "/api/v1/feedback/tokens/t");
    assert.equal(lastKey(server), undefined);
  });

  it("may be named by an environment variable, which is read at each request", async () => {
    await services.apiKeys.set(connection.id, [server.url], "${env:AGENT_OPERATIONS_TEST_KEY}");
    assert.equal(await services.apiKeys.state(connection), "envMissing");
    process.env["AGENT_OPERATIONS_TEST_KEY"] = otherKey;
    assert.equal(await services.apiKeys.state(connection), "env");
    assert.equal(await services.apiKeys.read(connection, server.url), otherKey);
  });

  it("that vanish from secret storage are told from keys that never were", async () => {
    assert.equal(await services.apiKeys.state(connection), "none");
    await services.apiKeys.set(connection.id, [server.url], key);
    await services.context.secrets.delete(`agentOperations.apiKey.${connection.id}`);
    assert.equal(await services.apiKeys.state(connection), "lost");
  });

  it("that are refused give an error that says so, without the key", async () => {
    await services.apiKeys.set(connection.id, [server.url], "wrong-key-0123456789");
    const refused = await client()
      .then((it) => it.ok())
      .then(
        () => assert.fail("the wrong key was taken"),
        (error: unknown) => error,
      );
    const words = wordsOf(services, refused);
    assert.match(words, /refused|valid API key/);
    assert.match(words, /Set the connection's API key|Check that the key is valid/);
    assert(!`${words} ${String(refused)}`.includes("wrong-key"));
  });

  it("are deleted with their connection", async () => {
    await services.apiKeys.set(connection.id, [server.url], key);
    await services.apiKeys.clear(connection.id);
    assert.equal(await services.apiKeys.read(connection, server.url), undefined);
    assert.equal(await services.apiKeys.state(connection), "none");
  });

  it("occur in no setting, no log and no stored state", () =>
    whileAllIsLogged(async () => {
      await services.apiKeys.set(connection.id, [server.url], key);
      await (await client()).ok();
      await (await client()).threads.search({}).catch(() => undefined);
      services.report.failure("Scanning", new Error("to have an error in the log"));
      const places = await until("the request is logged", async () => {
        const written = await writtenDown(services);
        return written.find(({ text }) => text.includes("/ok 200")) && written;
      });
      await vscode.commands.executeCommand("notifications.clearAll");
      assert(places.length >= 4, "there is something to look through");
      assert.deepEqual(
        places.filter(({ text }) => text.includes(key)).map(({ place }) => place),
        [],
      );
    }));
});

import { deepEqual, equal, notEqual, match } from "node:assert/strict";
import { ConnectionError } from "../../../../src/editor/connections/connectionSettings.ts";
import type { ListedFailure } from "../../../../src/editor/failures/listedFailure.ts";
import { ago, deployment, disposing, failing, hour, start, world } from "./failingWorld.ts";

const { signal } = new AbortController();
const told = (items: readonly ListedFailure[]) =>
  items.map(({ kind, name, what, reason }) => `${kind} | ${name}: ${what} | ${reason}`);

describe("What is broken", () => {
  it("is a failed revision of a deployment that serves, with the log's reason, which is read once", async () => {
    const { at, make } = world();
    let logs = 0;
    at.deployments = () =>
      Promise.resolve([deployment("bot", "DEPLOY_FAILED"), deployment("fine", "DEPLOYED")]);
    at.log = () => {
      logs += 1;
      return Promise.resolve({ logs: [{ level: "ERROR", message: "No port." }] });
    };
    using failures = disposing(make());
    await failures.load(signal);
    await failures.load(signal);
    deepEqual(told(failures.items), ["revision | bot: deploy failed | No port"]);
    equal(logs, 1);
    deepEqual(failures.items[0]?.ref, {
      ...{ connectionId: "p", deploymentId: "bot", revisionId: "r-bot", name: "bot" },
    });
  });

  it("is told without its reason while the log can't be read", async () => {
    const { at, make } = world();
    at.deployments = () => Promise.resolve([deployment("bot", "BUILD_FAILED")]);
    at.log = () => Promise.reject(failing("server"));
    using failures = disposing(make());
    await failures.load(signal);
    deepEqual(told(failures.items), ["revision | bot: build failed | "]);
  });

  it("is a server that does not answer, beside the others of its platform", async () => {
    const { at, make } = world();
    at.deployments = () => Promise.resolve([deployment("up", "DEPLOYED"), deployment("down", "DEPLOYED")]);
    at.threads = (name) =>
      name === "down" ? Promise.reject(failing("refused")) : Promise.resolve({ threads: [] });
    using failures = disposing(make());
    await failures.load(signal);
    deepEqual(told(failures.items), ["server | down: does not answer | Nothing listens at prod.test"]);
    equal(failures.items[0]?.ref["deploymentId"], "down");
  });

  it("is no server that only wants a key that it does not get, or does not support what is asked", async () => {
    const { at, make } = world();
    at.deployments = () => Promise.resolve([deployment("a", "DEPLOYED"), deployment("b", "DEPLOYED")]);
    at.threads = (name) => Promise.reject(failing(name === "a" ? "forbidden" : "unsupported"));
    using failures = disposing(make());
    await failures.load(signal);
    deepEqual(failures.items, []);
  });

  it("is a connection that can't be asked, once, with the first reason, and what it had is not told any more", async () => {
    const { at, make } = world();
    at.deployments = () => Promise.resolve([deployment("bot", "DEPLOY_FAILED")]);
    using failures = disposing(make());
    await failures.load(signal);
    equal(failures.items.length, 1);
    at.deployments = at.agents = at.exports = (): Promise<never> => Promise.reject(failing("dns"));
    await failures.load(signal);
    deepEqual(told(failures.items), [
      "connection | Production: can't be used | The name of prod.test can't be resolved",
    ]);
    at.agents = () => Promise.reject(failing("unauthorized"));
    at.deployments = at.exports = () => Promise.resolve([]);
    await failures.load(signal);
    match(told(failures.items).join(), /^connection \| Production: refuses the key \| /);
  });

  it("is an agent server of a connection of its own by the connection's name", async () => {
    const { at, make } = world();
    at.connections = [{ id: "s", name: "Dev", kind: "agentServer", url: "http://127.0.0.1:1" }];
    at.named = [{ name: "Dev", url: "http://127.0.0.1:1" }];
    at.threads = () => Promise.reject(failing("refused"));
    using failures = disposing(make());
    await failures.load(signal);
    deepEqual(told(failures.items), ["connection | Dev: can't be used | Nothing listens at prod.test"]);
  });

  it("is no Local Platform that does not run, and nothing of which the platform has none", async () => {
    const { at, make } = world();
    at.deployments = () =>
      Promise.reject(new ConnectionError("localPlatformStopped", "It does not run.", "Start it."));
    at.agents = at.exports = () => Promise.reject(failing("unsupported"));
    using failures = disposing(make());
    await failures.load(signal);
    deepEqual(failures.items, []);
  });

  it("is a run that is busy for too long, and none that began a moment ago", async () => {
    const { at, make } = world();
    const thread = (thread_id: string, updated_at: string) => ({
      ...{ thread_id, updated_at, status: "busy", metadata: { title: thread_id } },
    });
    at.deployments = () => Promise.resolve([deployment("bot", "DEPLOYED")]);
    at.threads = () =>
      Promise.resolve({ threads: [thread("old", ago(2 * hour)), thread("new", ago(60_000))] });
    using failures = disposing(make());
    await failures.load(signal);
    deepEqual(told(failures.items), ["run | old: runs without an end | Busy for 2 h 00 min on bot"]);
    equal(failures.items[0]?.at, start - 2 * hour);
    const unnamed = ["one", "other"].map((id) => ({ ...thread(id, ago(2 * hour)), metadata: {} }));
    at.threads = () => Promise.resolve({ threads: unnamed });
    at.titles = { one: "As in the views" };
    await failures.load(signal);
    deepEqual(failures.items.map(({ name }) => name).join(), "As in the views,Thread other");
  });

  it("is as old as its server's clock says", async () => {
    const { at, make } = world();
    const minute = 60_000;
    const row = (thread_id: string, status: string, updated_at: string) => ({
      ...{ thread_id, updated_at, status, metadata: { title: thread_id } },
    });
    at.deployments = () => Promise.resolve([deployment("bot", "DEPLOYED")]);
    at.ahead = 90 * minute;
    at.threads = () => Promise.resolve({ threads: [row("busy", "busy", ago(-20 * minute))] });
    using failures = disposing(make());
    await failures.load(signal);
    deepEqual(told(failures.items), ["run | busy: runs without an end | Busy for 1 h 10 min on bot"]);
    at.ahead = -90 * minute;
    const week = 7 * 24 * hour;
    at.threads = () => Promise.resolve({ threads: [row("failed", "error", ago(week + hour))] });
    await failures.load(signal);
    deepEqual(told(failures.items), ["threads | bot: 1 failed thread | Their last runs ended with an error"]);
  });

  it("are the failed threads of a server within a week, as one row that is another one when one more fails", async () => {
    const { at, make } = world();
    at.deployments = () => Promise.resolve([deployment("bot", "DEPLOYED")]);
    const rows = [ago(hour), ago(2 * hour), ago(8 * 24 * hour)].map((updated_at) => ({
      ...{ thread_id: updated_at, status: "error", updated_at, metadata: {} },
    }));
    at.threads = () => Promise.resolve({ threads: rows });
    using failures = disposing(make());
    await failures.load(signal);
    deepEqual(told(failures.items), [
      "threads | bot: 2 failed threads | Their last runs ended with an error",
    ]);
    equal(failures.items[0]?.at, start - hour);
    const { key } = failures.items[0];
    rows.unshift({ thread_id: "x", status: "error", updated_at: ago(1000), metadata: {} });
    at.now += 1;
    await failures.load(signal);
    equal(failures.items.length, 1);
    notEqual(failures.items[0].key, key);
  });

  it("is an export that failed within a week, with its last error", async () => {
    const { at, make } = world();
    const job = (id: string, status: string, finished_at: string) => ({
      ...{ id, status, finished_at, bulk_export_destination_id: "d" },
      ...{ start_time: "2026-04-01T00:00:00Z", end_time: "2026-04-02T00:00:00Z" },
    });
    at.exports = () =>
      Promise.resolve([
        job("new", "Failed", ago(hour)),
        job("old", "Failed", ago(8 * 24 * hour)),
        job("good", "Completed", ago(hour)),
      ]);
    at.runs = () =>
      Promise.resolve([{ errors: { retry_0: "AccessDenied", retry_1: "Bucket is gone.\nat x" } }]);
    using failures = disposing(make());
    await failures.load(signal);
    deepEqual(told(failures.items), ["export | Export 2026-04-01 – 04-02: failed | Bucket is gone"]);
  });

  it("is an agent that could not work, checked a few at a time", async () => {
    const { at, make } = world();
    const names = Array.from({ length: 8 }, (_, index) => `a${String(index)}`);
    let checks = 0;
    at.agents = () => Promise.resolve({ items: names.map((id) => ({ id, name: id })) });
    at.health = (id) => {
      checks += 1;
      const servers = [{ url: "https://tools.test", ok: id !== "a7", error: "no route" }];
      return Promise.resolve({ mcp_check: { ok: id !== "a7", servers } });
    };
    using failures = disposing(make());
    await failures.load(signal);
    deepEqual([checks, failures.items.length], [5, 0]);
    await failures.load(signal);
    deepEqual(told(failures.items), ["agent | a7: is not healthy | https://tools.test fails: no route"]);
    await failures.load(signal);
    equal(checks, 8);
  });

  it("is a delivery that the Local Platform gave up, by its last attempt", async () => {
    const { at, make } = world();
    at.connections = [{ id: "local", name: "Local Platform", kind: "localPlatform" }];
    const attempt = (event_id: string, number: number, state: string) => ({
      ...{ event_id, type: "issue.created", attempt: number, status: 500, state, at: ago(hour) },
    });
    at.deliveries = [
      ...[attempt("lost", 1, "failed"), attempt("lost", 4, "failed")],
      ...[attempt("good", 1, "failed"), attempt("good", 2, "delivered")],
    ];
    using failures = disposing(make());
    await failures.load(signal);
    deepEqual(told(failures.items), [
      "delivery | Delivery of issue.created: failed | http://127.0.0.1:1/w: status 500",
    ]);
    equal(failures.items[0]?.key, "delivery local w lost");
  });

  it("is a window that can't receive issues, since it was first found so", () => {
    const { at, make } = world();
    using failures = disposing(make());
    equal(failures.items.length, 0);
    at.receiver = { kind: "failed", error: new Error("No port is free.") };
    deepEqual(told(failures.items), ["delivery | Issue webhooks: can't be received | No port is free"]);
    at.now += hour;
    equal(failures.items[0]?.at, start);
  });

  it("stands in the order of time, and what says no time since it was first found", async () => {
    const { at, make } = world();
    at.connections = [
      ...at.connections,
      { id: "s", name: "Dev", kind: "agentServer", url: "http://127.0.0.1:1" },
    ];
    at.named = [{ name: "Dev", url: "http://127.0.0.1:1" }];
    at.threads = (name) =>
      name === "Dev" ? Promise.reject(failing("refused")) : Promise.resolve({ threads: [] });
    using failures = disposing(make());
    await failures.load(signal);
    at.now += hour;
    at.deployments = () =>
      Promise.resolve([deployment("bot", "DEPLOY_FAILED", new Date(start + 1000).toISOString())]);
    await failures.load(signal);
    deepEqual(
      failures.items.map(({ name }) => name),
      ["bot", "Dev"],
    );
    equal(failures.items.at(-1)?.at, start);
  });
});

describe("What others found out", () => {
  it("takes no failure away that only a check of the platform finds", async () => {
    const { at, make } = world();
    at.agents = () => Promise.reject(failing("server"));
    using failures = disposing(make());
    await failures.load(signal);
    const [before] = failures.items;
    equal(before?.kind, "connection");
    at.tell();
    deepEqual(
      failures.items.map(({ key }) => key),
      [before.key],
    );
  });

  it("counts without a request: failed revisions, and connections that the inbox could not ask", () => {
    const { at, make } = world();
    at.connections = [...at.connections, { id: "s", name: "Dev", kind: "agentServer" }];
    using failures = disposing(make());
    at.known = { items: [deployment("bot", "DEPLOY_FAILED")] };
    at.inboxFailures = [
      { connectionId: "s", error: failing("refused") },
      // One of its servers may be what failed.
      { connectionId: "p", error: failing("refused") },
    ];
    at.tell();
    deepEqual(told(failures.items).sort(), [
      "connection | Dev: can't be used | Nothing listens at prod.test",
      "revision | bot: deploy failed | ",
    ]);
    deepEqual([at.asked, failures.checked], [[], false]);
    at.known = { error: failing("refused") };
    at.inboxFailures = [];
    at.tell();
    deepEqual(told(failures.items), [
      "connection | Production: can't be used | Nothing listens at prod.test",
    ]);
  });
});

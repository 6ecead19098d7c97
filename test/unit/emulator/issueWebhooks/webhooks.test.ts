import assert from "node:assert/strict";
import { is, list, text } from "../../../support/localPlatform.ts";
import type { Shape } from "../../../support/localPlatform.ts";
import { WebhookBench } from "./webhookBench.ts";
import { expectedSignature } from "../../../support/webhookReceiver.ts";

const uuid = /^[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}$/;

describe("issue webhooks", () => {
  let bench: WebhookBench;

  beforeEach(async () => {
    bench = await WebhookBench.start();
  });
  afterEach(() => bench.stop());

  it("send one issue.created and one issue.trace.added per trace, all with one request id", async () => {
    await bench.subscribe();
    const opened = await bench.openIssue({
      description: "It asks the same thing again.",
      session_name: "prod",
      traces: [{ comment: "first" }, { comment: "" }],
    });
    const events = (await bench.receiver.count(3)).map(({ event }) => event);
    const created = events.find(({ type }) => is(type, "issue.created"))!;
    const { workspaceId, baseUrl } = bench.platform.ready;
    const object = {
      id: opened.id,
      name: "Loops on search",
      description: "It asks the same thing again.",
      severity: 1,
      tenant_id: workspaceId,
      tenant_name: created.data?.object?.tenant_name,
      session_id: created.data?.object?.session_id,
      session_name: "prod",
      url: `${baseUrl}/?issue=${text(opened.id)}`,
    };
    assert.match(text(object.session_id), uuid);
    assert.deepEqual(created, {
      id: created.id,
      type: "issue.created",
      created: created.created,
      request_id: opened.request_id,
      data: { object },
    });
    assert.ok(Math.abs(Number(created.created) - Date.now() / 1000) < 10);
    const added = events.filter(({ type }) => is(type, "issue.trace.added"));
    assert.equal(added.length, 2);
    for (const { data, request_id } of added) {
      const { trace } = data as Shape;
      assert.deepEqual(data?.object, object);
      assert.equal(request_id, opened.request_id);
      assert.match(text(trace?.run_id), uuid);
      assert.match(text(trace?.trace_id), uuid);
      assert.ok(!Number.isNaN(Date.parse(text(trace?.start_time))));
    }
    assert.deepEqual(added.map(({ data }) => data?.trace?.comment).sort(), ["first", undefined]);
    assert.equal(new Set(events.map(({ id }) => text(id))).size, 3);
  });

  it("send issue.trace.added for a trace that is linked later, under a request id of its own", async () => {
    await bench.subscribe();
    const opened = await bench.openIssue();
    const answer = await bench.local("POST", `/issues/${text(opened.id)}/traces`, { comment: null });
    assert.equal(answer.status, 201);
    const { event } = (await bench.receiver.count(2)).at(-1)!;
    assert.equal(event.type, "issue.trace.added");
    assert.equal(event.data?.trace?.comment, null);
    assert.equal(event.request_id, answer.body.request_id);
    assert.notEqual(event.request_id, opened.request_id);
    const stored = (await bench.local("GET", `/issues/${text(opened.id)}`)).body;
    assert.equal(list(stored.traces).length, 1);
    assert.equal(list((await bench.local("GET", "/issues")).body).length, 1);
  });

  it("send a failed detection run for a project, with what is unavailable left out", async () => {
    await bench.subscribe({ severity_threshold: 0 });
    await bench.local("POST", "/agent-run-failures", { session_name: "prod" });
    await bench.local("POST", "/agent-run-failures", {
      status: "timeout",
      error_message: "Too slow",
      run_id: "r1",
    });
    const objects = (await bench.receiver.count(2)).map(({ event }) => event.data?.object ?? {});
    const bare = objects.find(({ session_name }) => is(session_name, "prod"))!;
    assert.deepEqual(Object.keys(bare), [
      "tenant_id",
      "tenant_name",
      "session_id",
      "session_name",
      "url",
      "thread_id",
      "status",
      "occurred_at",
    ]);
    assert.equal(bare.status, "error");
    const full = objects.find((object) => object !== bare)!;
    assert.deepEqual([full.run_id, full.status, full.error_message], ["r1", "timeout", "Too slow"]);
  });

  it("go only to subscriptions that list the type, which is issue.created when nothing is said", async () => {
    const usual = await bench.subscribe({ event_types: undefined });
    assert.deepEqual(usual.event_types, ["issue.created"]);
    const traces = await bench.subscribe({ event_types: ["issue.trace.added"] });
    await bench.openIssue({ traces: [{}] });
    await bench.local("POST", "/agent-run-failures", {});
    const types = async (webhook: Shape) => (await bench.settled(webhook)).map(({ type }) => type);
    assert.deepEqual(await types(usual), ["issue.created"]);
    assert.deepEqual(await types(traces), ["issue.trace.added"]);
  });

  it("deliver an issue only when its severity is at most the threshold", async () => {
    const urgent = await bench.subscribe({ severity_threshold: 0 });
    const medium = await bench.subscribe({ severity_threshold: 2 });
    for (const severity of [0, 1, 2, 3]) await bench.openIssue({ severity, name: `severity ${severity}` });
    const of = async (webhook: Shape) => {
      const ids = new Set((await bench.settled(webhook)).map(({ event_id }) => text(event_id)));
      const mine = bench.receiver.received.filter(({ event }) => ids.has(text(event.id)));
      return mine.map(({ event }) => Number(event.data?.object?.severity)).sort();
    };
    assert.deepEqual(await of(urgent), [0]);
    assert.deepEqual(await of(medium), [0, 1, 2]);
  });

  it("sign the exact bytes, and send custom headers except for the content type", async () => {
    const webhook = await bench.subscribe({
      headers: {
        Authorization: "Bearer receiver",
        "X-Team": "agents",
        "content-type": "text/plain",
        "x-service-signature": "sha256=forged",
      },
    });
    await bench.openIssue({ name: "Ünïcode — 変" });
    const { headers, bytes } = (await bench.receiver.count(1))[0]!;
    assert.equal(headers["content-type"], "application/json");
    assert.equal(headers["x-service-signature"], expectedSignature(webhook.signing_secret, bytes));
    assert.equal(headers.authorization, "Bearer receiver");
    assert.equal(headers["x-team"], "agents");
  });

  it("are shown without their secret and the values of their headers", async () => {
    const webhook = await bench.subscribe({ headers: { Authorization: "Bearer receiver" } });
    const shown = await bench.local("GET", "/webhooks");
    assert.deepEqual(list(shown.body)[0]?.header_names, ["Authorization"]);
    assert.ok(!shown.text.includes(text(webhook.signing_secret)) && !shown.text.includes("Bearer"));
    assert.deepEqual((await bench.local("GET", `/webhooks/${text(webhook.id)}`)).body, list(shown.body)[0]);
  });

  it("refuse addresses of metadata services and private networks, and allow loopback", async () => {
    const refused = [
      "http://169.254.169.254/latest/meta-data",
      "http://0xa9fea9fe/",
      "http://2852039166/",
      "http://[::ffff:169.254.169.254]/",
      "http://[fd00:ec2::254]/",
      "http://[fe80::1]/",
      "http://metadata.google.internal/",
      "http://0.0.0.0/",
      "http://10.1.2.3/",
      "http://192.168.0.1/",
      "http://[fc00::1]/",
      "https://user:secret@127.0.0.1/",
      "ftp://127.0.0.1/",
      "file:///etc/passwd",
      "nonsense",
    ];
    for (const url of refused) {
      const answer = await bench.local("POST", "/webhooks", { url });
      assert.equal(answer.status, 422, url);
      assert.deepEqual(answer.body.detail?.[0]?.loc, ["body", "url"], url);
    }
    for (const url of ["http://localhost:1/", "https://[::1]:1/", bench.receiver.url])
      await bench.subscribe({ url });
  });

  it("answer wrong input with 422, unknown ids with 404, and nobody without the key", async () => {
    const { url } = bench.receiver;
    const wrong: [string, unknown][] = [
      ["/webhooks", {}],
      ["/webhooks", { url, severity_threshold: 4 }],
      ["/webhooks", { url, severity_threshold: 1.5 }],
      ["/webhooks", { url, event_types: ["issue.closed"] }],
      ["/webhooks", { url, event_types: [] }],
      ["/webhooks", { url, headers: { "a b": "c" } }],
      ["/webhooks", { url, headers: { a: "b\r\nx-injected: yes" } }],
      ["/issues", { name: "x" }],
      ["/issues", { name: "x", severity: -1 }],
      ["/issues", { name: "", severity: 1 }],
      ["/issues", { name: "x", severity: 1, traces: [{ comment: 1 }] }],
      ["/agent-run-failures", { status: 3 }],
      ["/issues/nonsense/traces", {}],
    ];
    for (const [path, body] of wrong) {
      assert.equal((await bench.local("POST", path, body)).status, 422, JSON.stringify(body));
    }
    const id = crypto.randomUUID();
    for (const path of [`/webhooks/${id}/roll-secret`, `/issues/${id}/traces`]) {
      assert.equal((await bench.local("POST", path, {})).status, 404);
    }
    assert.equal((await bench.local("GET", `/webhooks/${id}/deliveries`)).status, 404);
    const answer = await fetch(`${bench.platform.ready.localUrl}/webhooks`);
    assert.equal(answer.status, 401);
  });
});

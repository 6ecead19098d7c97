import assert from "node:assert/strict";
import { usualDelivery } from "../../../../src/emulator/issueWebhooks/delivery.ts";
import { spawn } from "node:child_process";
import type { ChildProcess } from "node:child_process";
import { once } from "node:events";
import { join } from "node:path";
import { createInterface } from "node:readline";
import type { Ready } from "../../../../src/emulator/server.ts";
import { is, list, LocalPlatform, temporaryDirectory, text } from "../../../support/localPlatform.ts";
import { until } from "../../../support/until.ts";
import { allTypes, WebhookBench } from "./webhookBench.ts";
import { expectedSignature, WebhookReceiver } from "../../../support/webhookReceiver.ts";

const main = join(import.meta.dirname, "../../../../src/emulator/main.ts");

describe("deliveries of issue webhooks", () => {
  let bench: WebhookBench;

  beforeEach(async () => {
    bench = await WebhookBench.start();
  });
  const children: ChildProcess[] = [];

  afterEach(async () => {
    await bench.stop();
    for (const child of children.splice(0)) {
      if (child.exitCode === null && child.signalCode === null && child.kill("SIGKILL")) {
        await once(child, "exit");
      }
    }
  });

  it("are retried with the same bytes and id, at doubling distances, four times in all", async () => {
    bench.receiver.treat = (index) => [503, 429, "cut", 500][index] as 503;
    await bench.restart({ backoffMs: 40, timeoutMs: 2000 });
    const webhook = await bench.subscribe();
    await bench.openIssue();
    const records = await bench.settled(webhook);
    assert.deepEqual(
      records.map(({ attempt, status, state }) => [attempt, status, state]),
      [
        [1, 503, "failed"],
        [2, 429, "failed"],
        [3, null, "failed"],
        [4, 500, "failed"],
      ] as unknown,
    );
    assert.equal(bench.receiver.received.length, 4);
    const [first, ...others] = bench.receiver.received;
    for (const { bytes } of others) assert.ok(bytes.equals(first!.bytes));
    const times = bench.receiver.received.map(({ at }) => at);
    for (const [index, wait] of [40, 80, 160].entries()) {
      assert.ok(times[index + 1]! - times[index]! >= wait - 2, times.join());
    }
    assert.deepEqual(usualDelivery, { timeoutMs: 20_000, backoffMs: 1000, allowPrivate: false });
  });

  for (const status of [408, 425, 429, 500, 599]) {
    it(`are retried after ${status}`, async () => {
      bench.receiver.treat = (index) => (index === 0 ? status : 204);
      const webhook = await bench.subscribe();
      await bench.openIssue();
      assert.deepEqual(
        (await bench.settled(webhook)).map(({ status: answered, state }) => [answered, state]),
        [
          [status, "delivered"],
          [204, "delivered"],
        ] as unknown,
      );
    });
  }

  for (const status of [302, 400, 401, 404, 410, 422]) {
    it(`are not retried after ${status}`, async () => {
      bench.receiver.treat = () => status;
      const webhook = await bench.subscribe();
      await bench.openIssue();
      const [record, ...more] = await bench.settled(webhook);
      assert.deepEqual([record?.status, record?.state, more], [status, "failed", []] as unknown);
      assert.match(text(record?.error), new RegExp(`${status}, which is final`));
      assert.equal(bench.receiver.received.length, 1);
    });
  }

  it("are retried when the receiver does not answer in time, or is not there", async () => {
    bench.receiver.treat = (index) => (index === 0 ? "silence" : 200);
    await bench.restart({ backoffMs: 5, timeoutMs: 500 });
    const webhook = await bench.subscribe();
    const closed = await WebhookReceiver.start();
    const gone = await bench.subscribe({ url: closed.url });
    await closed.stop();
    await bench.openIssue();
    const [late, done] = await bench.settled(webhook);
    assert.match(text(late?.error), /did not answer within 0\.5 s/);
    assert.equal(done?.status, 200);
    const refused = await bench.settled(gone);
    assert.equal(refused.length, 4);
    assert.match(text(refused[0]?.error), /ECONNREFUSED/);
  });

  it("are signed with a rolled secret from the next attempt on", async () => {
    const isRolled = Promise.withResolvers<number>();
    bench.receiver.treat = (index) => (index === 0 ? isRolled.promise : 200);
    await bench.restart({ backoffMs: 5, timeoutMs: 20_000 });
    const webhook = await bench.subscribe();
    await bench.openIssue();
    await bench.receiver.count(1);
    const rolled = await bench.local("POST", `/webhooks/${text(webhook.id)}/roll-secret`);
    assert.deepEqual(Object.keys(rolled.body), ["id", "signing_secret"]);
    assert.notEqual(rolled.body.signing_secret, webhook.signing_secret);
    isRolled.resolve(503);
    const [before, after] = await bench.receiver.count(2);
    assert.ok(before!.bytes.equals(after!.bytes));
    const signature = ({ headers }: typeof before & object) => headers["x-service-signature"];
    assert.equal(signature(before!), expectedSignature(webhook.signing_secret, before!.bytes));
    assert.equal(signature(after!), expectedSignature(rolled.body.signing_secret, after!.bytes));
  });

  it("go on after a restart in the middle of a wait: same bytes, same id, the attempts counted on", async () => {
    bench.receiver.treat = () => 503;
    await bench.restart({ backoffMs: 300, timeoutMs: 2000 });
    const webhook = await bench.subscribe();
    await bench.openIssue();
    await bench.receiver.count(1);
    await until("an attempt was answered 503", async () =>
      is((await bench.attempts(webhook))[0]?.status, 503),
    );
    await bench.restart({ backoffMs: 5, timeoutMs: 2000 });
    const records = await bench.settled(webhook);
    assert.deepEqual(
      records.map(({ attempt }) => Number(attempt)),
      [1, 2, 3, 4],
    );
    const [first, ...others] = bench.receiver.received;
    assert.equal(others.length, 3);
    for (const { bytes } of others) assert.ok(bytes.equals(first!.bytes));
    assert.ok(bench.receiver.received[1]!.at - first!.at >= 295);
  });

  it("make an attempt that was cut short by a stop again", async () => {
    bench.receiver.treat = (index) => (index === 0 ? "silence" : 200);
    const webhook = await bench.subscribe();
    await bench.openIssue();
    await bench.receiver.count(1);
    await bench.restart({ backoffMs: 5 });
    const [first, second] = await bench.receiver.count(2);
    assert.ok(first!.bytes.equals(second!.bytes));
    assert.deepEqual(
      (await bench.settled(webhook)).map(({ attempt, status }) => [attempt, status]),
      [[1, 200]] as unknown,
    );
  });

  it("survive a kill: nothing acknowledged is lost or sent under another id", async () => {
    const { receiver } = bench;
    let killed = false;
    receiver.treat = () => (killed ? 200 : 503);
    const directory = await temporaryDirectory();
    const launch = async () => {
      const child = spawn(process.execPath, [main, "--port", "0", "--data", directory], {
        stdio: ["ignore", "pipe", "inherit"],
      });
      children.push(child);
      const [line] = (await once(createInterface(child.stdout), "line")) as [string];
      return { child, platform: new LocalPlatform(JSON.parse(line) as Ready, directory) };
    };
    const first = await launch();
    const { localUrl } = first.platform.ready;
    await first.platform.send("POST", `${localUrl}/webhooks`, { url: receiver.url, event_types: allTypes });
    const opened = await first.platform.send("POST", `${localUrl}/issues`, {
      name: "Kept",
      severity: 0,
      traces: Array.from({ length: 20 }, () => ({})),
    });
    await receiver.count(3);
    const exited = once(first.child, "exit");
    first.child.kill("SIGKILL");
    await exited;
    killed = true;
    const before = receiver.received.length;
    const second = await launch();
    const delivered = () =>
      new Set(
        receiver.received.slice(before).map(({ event, bytes }) => `${text(event.id)} ${String(bytes)}`),
      );
    await until("all 21 events were delivered", () => delivered().size === 21);
    for (const { event, bytes } of receiver.received.slice(0, before)) {
      assert.ok(delivered().has(`${text(event.id)} ${String(bytes)}`));
    }
    assert.deepEqual(
      new Set(receiver.received.map(({ event }) => event.request_id)),
      new Set([opened.body.request_id]),
    );
    const gone = once(second.child, "exit");
    second.child.kill("SIGTERM");
    await gone;
    await second.platform.remove();
  });

  it("do not wait for another subscriber that is slow", async () => {
    const slow = await WebhookReceiver.start();
    slow.treat = () => "silence";
    const stuck = await bench.subscribe({ url: slow.url });
    const webhook = await bench.subscribe();
    for (let issue = 0; issue < 30; issue++) await bench.openIssue();
    assert.equal((await bench.settled(webhook)).length, 30);
    assert.ok(slow.received.length <= 8);
    assert.equal((await bench.attempts(stuck)).length, 30);
    await slow.stop();
  });

  it("end when the subscription is removed", async () => {
    bench.receiver.treat = () => 503;
    await bench.restart({ backoffMs: 300 });
    const webhook = await bench.subscribe();
    await bench.openIssue();
    await bench.receiver.count(1);
    assert.equal((await bench.local("DELETE", `/webhooks/${text(webhook.id)}`)).status, 204);
    const later = await WebhookReceiver.start();
    later.treat = () => 503;
    const other = await bench.subscribe({ url: later.url });
    await bench.openIssue();
    await later.count(2);
    assert.equal(bench.receiver.received.length, 1);
    await later.stop();
    assert.equal((await bench.local("DELETE", `/webhooks/${text(webhook.id)}`)).status, 404);
    assert.deepEqual(
      list((await bench.local("GET", "/webhooks")).body).map(({ id }) => id),
      [other.id],
    );
  });

  it("change their address, types, threshold and headers, also for what is still to be sent", async () => {
    bench.receiver.treat = () => 503;
    await bench.restart({ backoffMs: 100 });
    const webhook = await bench.subscribe();
    await bench.openIssue();
    await bench.receiver.count(1);
    const other = await WebhookReceiver.start();
    const change = { url: other.url, severity_threshold: 1, headers: { "x-moved": "yes" } };
    const patched = await bench.local("PATCH", `/webhooks/${text(webhook.id)}`, change);
    assert.equal(patched.body.severity_threshold, 1);
    assert.deepEqual(patched.body.event_types, allTypes);
    const [moved] = await other.count(1);
    assert.equal(moved!.headers["x-moved"], "yes");
    assert.ok(moved!.bytes.equals(bench.receiver.received[0]!.bytes));
    await other.stop();
  });

  it("check the address again when they are delivered", async () => {
    await bench.restart({ allowPrivate: true });
    const webhook = await bench.subscribe({ url: "http://10.255.255.1/" });
    await bench.restart({ allowPrivate: false });
    await bench.openIssue();
    const [record, ...more] = await bench.settled(webhook);
    assert.deepEqual([record?.status, more], [null, []]);
    assert.match(text(record?.error), /private address 10\.255\.255\.1 are refused/);
  });
});

import { strict as assert } from "node:assert";
import { deliver, receiverProblem } from "../../../src/api/issueWebhooks/delivery.ts";
import type { DeliveryAttempt } from "../../../src/api/issueWebhooks/delivery.ts";
import { collect } from "../../support/localPlatform.ts";
import { expectedSignature, WebhookReceiver } from "../../support/webhookReceiver.ts";
import type { Treatment } from "../../support/webhookReceiver.ts";

const body = Buffer.from('{"id":"e-1"}');
const quick = { backoffMs: 1, timeoutMs: 2000 };

describe("Sending an event to a receiver", () => {
  let receiver: WebhookReceiver;

  beforeEach(async () => {
    receiver = await WebhookReceiver.start();
  });
  afterEach(() => receiver.stop());

  const send = (options = quick, signal?: AbortSignal): Promise<DeliveryAttempt[]> => {
    const delivery = { url: receiver.url, body, secret: "s", dialect: "standard" } as const;
    return collect(deliver(delivery, { ...options, signal }));
  };

  it("says how long each attempt took", async () => {
    const begun = performance.now();
    const [{ ms } = assert.fail()] = await send();
    assert.ok(ms >= 0 && ms <= performance.now() - begun + 1, `${ms} ms`);
  });

  it("signs the bytes and stops at the first 2xx answer", async () => {
    assert.deepEqual(
      (await send()).map(({ attempt, status }) => [attempt, status]),
      [[1, 200]],
    );
    const [{ headers, bytes } = assert.fail()] = receiver.received;
    assert.equal(headers["x-service-signature"], expectedSignature("s", bytes));
    assert.equal(headers["content-type"], "application/json");
  });

  for (const treatment of [500, 503, 429, 408, 425, "cut"] as const satisfies readonly Treatment[]) {
    it(`tries four times with the same bytes when it is answered with ${String(treatment)}`, async () => {
      receiver.treat = () => treatment;
      const attempts = await send();
      assert.deepEqual(
        attempts.map(({ nextMs }) => nextMs),
        [1, 2, 4, undefined],
      );
      assert.equal(receiver.received.length, 4);
      assert.equal(new Set(receiver.received.map(({ bytes }) => bytes.toString("hex"))).size, 1);
    });
  }

  for (const status of [302, 400, 401, 404, 413]) {
    it(`takes ${String(status)} as final`, async () => {
      receiver.treat = () => status;
      assert.deepEqual(
        (await send()).map((attempt) => attempt.status),
        [status],
      );
    });
  }

  it("says when nobody listens, and when nobody answers in time", async () => {
    receiver.treat = () => "silence";
    const [silent] = await send({ backoffMs: 1, timeoutMs: 50 });
    assert.match(silent?.error ?? "", /no answer within/);
    receiver.treat = () => "cut";
    const [cut] = await send({ backoffMs: 1, timeoutMs: 2000 });
    assert.equal(cut?.error, "other side closed");
    await receiver.stop();
    const [refused] = await send();
    assert.equal(refused?.error, "nothing listens there");
  });

  it("stops when it is asked to", async () => {
    receiver.treat = () => 500;
    const abort = new AbortController();
    const sending = send({ backoffMs: 60_000, timeoutMs: 2000 }, abort.signal);
    await receiver.count(1);
    abort.abort();
    await assert.rejects(sending, { name: "AbortError" });
  });

  for (const [url, allowed] of [
    ["http://127.0.0.1:1/a", true],
    ["http://localhost:1", true],
    ["https://[::1]:8443/x", true],
    ["http://127.0.0.1.example.com/", false],
    ["http://169.254.169.254/", false],
    ["http://u:p@127.0.0.1/", false],
    ["ftp://127.0.0.1/", false],
    ["nonsense", false],
  ] as const) {
    it(`${allowed ? "may" : "may not"} go to ${url}`, () =>
      assert.equal(receiverProblem(url) === undefined, allowed));
  }
});

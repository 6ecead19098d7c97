import { strict as assert } from "node:assert";
import { once } from "node:events";
import { request } from "node:http";
import { connect } from "node:net";
import type { Envelope } from "../../../../src/api/issueWebhooks/event.ts";
import { sampleEvent } from "../../../../src/api/issueWebhooks/sampleEvent.ts";
import { sign } from "../../../../src/api/issueWebhooks/signature.ts";
import { IssueReceiver } from "../../../../src/editor/issues/issueReceiver.ts";
import type { Refusal, Verifier } from "../../../../src/editor/issues/issueReceiver.ts";

const secret = "whsec_test";
const event = sampleEvent("issue.created", 1);
const body = Buffer.from(JSON.stringify(event));

const signed = (bytes: Uint8Array, key = secret): Record<string, string> => ({
  "x-service-signature": sign(key, bytes),
});

describe("The receiver of issue webhooks", () => {
  let receiver: IssueReceiver;
  let accepted: Envelope[];
  let refusals: Refusal[];
  let failures: unknown[];
  let known: Record<string, Verifier>;
  let store: () => Promise<void>;
  let asked: PromiseWithResolvers<undefined>;

  beforeEach(async () => {
    [accepted, refusals, failures] = [[], [], []];
    known = {
      a: { secret, dialect: "standard" },
      b: { secret: "another", dialect: "langsmith" },
      c: { secret: undefined, dialect: "standard" },
    };
    store = () => Promise.resolve();
    asked = Promise.withResolvers();
    receiver = await IssueReceiver.listen(0, {
      verifier: (id) => {
        asked.resolve(undefined);
        return Promise.resolve(known[id]);
      },
      accept: async (_, received) => {
        await store();
        accepted.push(received);
      },
      refused: (_, refusal) => refusals.push(refusal),
      failed: (error) => failures.push(error),
    });
  });
  afterEach(() => receiver.close());

  const url = (path = "/webhooks/a"): string => `http://127.0.0.1:${String(receiver.port)}${path}`;
  const post = async (
    bytes: Uint8Array<ArrayBuffer> | string,
    headers: Record<string, string>,
    path?: string,
  ): Promise<number> => (await fetch(url(path), { method: "POST", body: bytes, headers })).status;

  it("accepts what is signed with its subscription's secret, in its dialect's header", async () => {
    assert.equal(await post(body, signed(body)), 204);
    assert.equal(await post(body, { "x-langsmith-signature": sign("another", body) }, "/webhooks/b"), 204);
    assert.deepEqual(accepted, [event, event]);
    assert.deepEqual(refusals, []);
  });

  it("answers only after the event is stored", async () => {
    const waiting = Promise.withResolvers<undefined>();
    store = () => waiting.promise;
    const posting = post(body, signed(body));
    const first = await Promise.race([posting, new Promise((resolve) => setTimeout(resolve, 50, "waiting"))]);
    assert.equal(first, "waiting");
    waiting.resolve(undefined);
    assert.equal(await posting, 204);
  });

  it("has the sender try again when it could not be stored", async () => {
    store = () => Promise.reject(new Error("the disk is full"));
    assert.equal(await post(body, signed(body)), 503);
    assert.equal(failures.length, 1);
  });

  it("takes a rolled secret with the next delivery", async () => {
    known["a"] = { secret: "rolled", dialect: "standard" };
    assert.equal(await post(body, signed(body)), 401);
    assert.equal(await post(body, signed(body, "rolled")), 204);
    assert.deepEqual(refusals, ["mismatch"]);
  });

  const rewritten = JSON.stringify(event, null, 2);
  const digest = sign(secret, body);
  const cases: readonly (readonly [string, Refusal, number, Buffer | string, Record<string, string>])[] = [
    ["without a signature", "missing", 401, body, {}],
    ["signed in another dialect's header", "missing", 401, body, { "x-langsmith-signature": digest }],
    ["signed with another secret", "mismatch", 401, body, signed(body, "another")],
    [
      "that is no event, nor signed by anybody who may",
      "mismatch",
      401,
      "[]",
      { "x-service-signature": digest },
    ],
    ["with a truncated signature", "digits", 401, body, { "x-service-signature": digest.slice(0, 50) }],
    [
      "with an upper-case signature",
      "upperCase",
      401,
      body,
      { "x-service-signature": `sha256=${digest.slice(7).toUpperCase()}` },
    ],
    ["with a re-serialized body", "mismatch", 401, rewritten, { "x-service-signature": digest }],
    ["of 10 MB", "tooLarge", 413, Buffer.alloc(10_000_000, " "), { "x-service-signature": digest }],
    ["that is signed and no event", "unreadable", 400, "[]", signed(Buffer.from("[]"))],
  ];
  for (const [what, refusal, status, bytes, headers] of cases) {
    it(`refuses and counts a delivery ${what}`, async () => {
      assert.equal(await post(typeof bytes === "string" ? bytes : Uint8Array.from(bytes), headers), status);
      assert.deepEqual(refusals, [refusal]);
      assert.deepEqual(accepted, []);
    });
  }

  it("refuses 10 MB as soon as they are announced, before any of them is sent", async () => {
    const socket = connect(receiver.port, "127.0.0.1");
    socket.write(
      `POST /webhooks/a HTTP/1.1\r\nhost: a\r\ncontent-length: 10000000\r\nx-service-signature: ${digest}\r\n\r\n`,
    );
    const [answer] = (await once(socket, "data")) as [Buffer];
    socket.destroy();
    assert.match(answer.toString(), /^HTTP\/1\.1 413 /);
    assert.deepEqual(refusals, ["tooLarge"]);
  });

  it("refuses 10 MB that come without their length", async () => {
    const status = await new Promise<number>((resolve, reject) => {
      const sent = request(url(), { method: "POST", headers: signed(body) });
      sent.on("response", (answer) => resolve(answer.resume().statusCode ?? 0)).on("error", reject);
      for (let part = 0; part < 10; part++) sent.write(Buffer.alloc(1_000_000, " "));
      sent.end();
    });
    assert.equal(status, 413);
    assert.deepEqual(refusals, ["tooLarge"]);
  });

  it("refuses two signatures, of which one is right", async () => {
    const status = await new Promise<number>((resolve, reject) => {
      const headers = { "X-Service-Signature": [sign(secret, body), sign("x", body)] };
      const sent = request(url(), { method: "POST", headers });
      sent.on("response", (answer) => resolve(answer.resume().statusCode ?? 0)).on("error", reject);
      sent.end(body);
    });
    assert.equal(status, 401);
    assert.deepEqual(refusals, ["repeated"]);
  });

  it("asks a sender to come again while a subscription has no secret yet", async () => {
    assert.equal(await post(body, signed(body), "/webhooks/c"), 503);
    assert.deepEqual(refusals, ["secretMissing"]);
  });

  for (const path of ["/", "/webhooks/nobody", "/webhooks/a/b", "/webhooks/", "/webhooks/..%2Fa"]) {
    it(`knows nobody at ${path}`, async () => assert.equal(await post(body, signed(body), path), 404));
  }

  it("takes nothing but POST", async () => assert.equal((await fetch(url())).status, 405));

  it("survives a sender that goes away in the middle", async () => {
    const socket = connect(receiver.port, "127.0.0.1");
    socket.write(
      `POST /webhooks/a HTTP/1.1\r\nhost: a\r\ncontent-length: 100\r\nx-service-signature: ${digest}\r\n\r\nabc`,
    );
    await asked.promise;
    socket.destroy();
    assert.equal(await post(body, signed(body)), 204);
    assert.equal(accepted.length, 1);
  });
});

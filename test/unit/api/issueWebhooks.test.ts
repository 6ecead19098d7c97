import { strict as assert } from "node:assert";
import {
  type Envelope,
  EnvelopeError,
  isEnvelope,
  readEnvelope,
  severityLabel,
  eventFactsOf,
} from "../../../src/api/issueWebhooks/event.ts";
import { diagnose, readSavedDelivery } from "../../../src/api/issueWebhooks/diagnosis.ts";
import { sampleEvent } from "../../../src/api/issueWebhooks/sampleEvent.ts";
import { problemWords, sign, signatureProblem } from "../../../src/api/issueWebhooks/signature.ts";
import { verdictOn } from "../../../src/api/issueWebhooks/subscription.ts";

const secret = "whsec_test";
// Written by hand, with the digest that `openssl dgst -sha256 -hmac whsec_test` prints for it.
const body = Buffer.from('{"id":"e-1","type":"issue.created","data":{"object":{"name":"Größe"}}}');
const signature = "sha256=49e4a9f56c1e5513146472d7f6305a7e2ec71d0e9f7c4476379713082f1f2893";

describe("Signatures of issue webhooks", () => {
  it("are what OpenSSL computes for the same bytes", () => assert.equal(sign(secret, body), signature));

  const cases: readonly (readonly [string, readonly string[] | undefined, string | undefined])[] = [
    ["the right one", [signature], undefined],
    ["none", undefined, "missing"],
    ["an empty one", [""], "missing"],
    ["two", [signature, signature], "repeated"],
    ["one without its prefix", [signature.slice(7)], "prefix"],
    ["one of another algorithm", [signature.replace("sha256", "sha1")], "prefix"],
    ["an upper-case prefix", [signature.replace("sha256", "SHA256")], "prefix"],
    ["upper-case digits", [`sha256=${signature.slice(7).toUpperCase()}`], "upperCase"],
    ["a truncated one", [signature.slice(0, 40)], "digits"],
    ["one that is too long", [`${signature}00`], "digits"],
    ["spaces around it", [`${signature} `], "digits"],
    ["another one", [sign("another", body)], "mismatch"],
  ];
  for (const [what, values, expected] of cases) {
    it(`${expected === undefined ? "accept" : `refuse as "${expected}"`} ${what}`, () => {
      const problem = signatureProblem(secret, body, values);
      assert.equal(problem, expected);
      if (problem !== undefined) assert.match(problemWords(problem, "X-Service-Signature"), /^The .*\.$/);
    });
  }

  it("are of bytes: the same JSON written in another way is another body", () => {
    const rewritten = Buffer.from(JSON.stringify(JSON.parse(body.toString()), null, 2));
    assert.equal(signatureProblem(secret, rewritten, [signature]), "mismatch");
  });
});

describe("Events of issue webhooks", () => {
  it("are whole: an object with an id of at most 500 characters, a type, and what it is about", () => {
    const whole = { id: "e".repeat(500), type: "t", data: { object: {} } };
    assert.equal(isEnvelope(whole), true);
    for (const part of [
      { id: `${whole.id}e` },
      { id: "" },
      { id: 7 },
      { type: "" },
      { type: 7 },
      { data: {} },
      { data: [] },
      { data: { object: [] } },
    ])
      assert.equal(isEnvelope({ ...whole, ...part }), false, JSON.stringify(part));
    for (const none of [undefined, null, "event", [whole]]) assert.equal(isEnvelope(none), false);
  });

  it("keep types and fields that nobody knows", () => {
    const text =
      '{"id":"e","type":"issue.merged","later":[1],"data":{"object":{"id":"i","more":{"a":null}}}}';
    const event = readEnvelope(Buffer.from(text));
    assert.equal(JSON.stringify(event), text);
    assert.deepEqual(eventFactsOf(event), { kind: "other" });
  });

  it("of a known type with an unknown shape are kept as others", () => {
    const event = readEnvelope(Buffer.from('{"id":"e","type":"issue.created","data":{"object":{"id":7}}}'));
    assert.deepEqual(eventFactsOf(event), { kind: "other" });
  });

  const broken = ["", "nonsense", "[]", "null", '{"type":"t","data":{"object":{}}}', '{"id":"e","type":"t"}'];
  for (const text of [...broken, "\u00ff"]) {
    it(`are not what ${JSON.stringify(text)} holds`, () =>
      assert.throws(() => readEnvelope(Buffer.from(text, "latin1")), EnvelopeError));
  }

  for (const [type, kind] of [
    ["issue.created", "issue"],
    ["issue.trace.added", "trace"],
    ["issue.agent_run.failed", "failure"],
  ] as const) {
    it(`of the type ${type} have a sample that is read as one`, () => {
      const sample = sampleEvent(type, 1);
      const event = readEnvelope(Buffer.from(JSON.stringify(sample)));
      assert.equal(eventFactsOf(event).kind, kind);
      assert.equal("trace" in event.data, type === "issue.trace.added");
    });
  }

  for (const [type, key] of [
    ["issue.created", "object"],
    ["issue.trace.added", "object"],
    ["issue.trace.added", "trace"],
    ["issue.agent_run.failed", "object"],
  ] as const) {
    it(`of the type ${type} are of no known shape when any field of their ${key} is`, () => {
      const sample = JSON.parse(JSON.stringify(sampleEvent(type, 1))) as {
        readonly data: Readonly<Record<string, object>>;
      };
      const kindWith = (part: unknown): string =>
        eventFactsOf({ ...sample, data: { ...sample.data, [key]: part } } as unknown as Envelope).kind;
      const part = sample.data[key] ?? {};
      assert.ok(Object.keys(part).some((field) => kindWith({ ...part, [field]: [] }) === "other"));
      for (const none of [undefined, null, 7, []]) assert.equal(kindWith(none), "other");
    });
  }

  it("have severities with names, and unknown ones with their number", () =>
    assert.deepEqual([0, 1, 2, 3, 9].map(severityLabel), ["Urgent", "High", "Medium", "Low", "Severity 9"]));
});

describe("A subscription to issue events", () => {
  const rule = { severity_threshold: 1, event_types: ["issue.created", "issue.agent_run.failed"] };
  for (const [type, severity, delivered] of [
    ["issue.created", 0, true],
    ["issue.created", 1, true],
    ["issue.created", 2, false],
    ["issue.trace.added", 0, false],
    ["issue.agent_run.failed", 3, true],
  ] as const) {
    it(`${delivered ? "gets" : "does not get"} ${type} of severity ${String(severity)}, and says why`, () => {
      const verdict = verdictOn(rule, type, severity);
      assert.equal(verdict.delivered, delivered);
      assert.match(verdict.reason, /\.$/);
    });
  }
});

describe("A saved delivery", () => {
  const http = Buffer.concat([
    Buffer.from(`POST /hook HTTP/1.1\r\nHost: a\r\nX-Service-Signature: ${signature}\r\n\r\n`),
    body,
  ]);

  it("is split into its headers and the bytes of its body", () => {
    const saved = readSavedDelivery(http);
    assert.deepEqual(Buffer.from(saved.body), body);
    assert.deepEqual(saved.headers?.get("x-service-signature"), [signature]);
  });

  it("may be a body alone", () => {
    const saved = readSavedDelivery(body);
    assert.equal(saved.headers, undefined);
    assert.deepEqual(saved.body, body);
  });

  it("is valid as it was sent", () =>
    assert.equal(diagnose({ body }, [signature], secret, "standard").valid, true));

  it("says what is wrong with a signature that is none", () => {
    const finding = (values: readonly string[], given = body) =>
      diagnose({ body: given }, values, secret, "standard");
    assert.match(finding([]).finding, /X-Service-Signature/);
    assert.equal(finding([]).valid, false);
    assert.equal(finding([signature.slice(0, 40)]).valid, false);
    const upper = signature.replace(/[0-9a-f]+$/, (digits) => digits.toUpperCase());
    assert.match(finding([upper]).finding, / In lower case it would be valid\.$/);
    assert.equal(finding([upper]).valid, false);
    assert.doesNotMatch(finding([upper], Buffer.from("another")).finding, /would be valid/);
  });

  const text = body.toString();
  const value = JSON.parse(text) as unknown;
  const pretty = JSON.stringify(value, null, 2);
  const python = text
    .replaceAll(":", ": ")
    .replaceAll(",", ", ")
    .replace("ö", "\\u00f6")
    .replace("ß", "\\u00df");
  for (const [found, sent, kept] of [
    [/line break was added/, text, `${text}\n`],
    [/line break was removed/, `${text}\n`, text],
    [/CR LF/, pretty, pretty.replaceAll("\n", "\r\n")],
    [/byte order mark/, text, `\ufeff${text}`],
    [/with other spaces/, text, pretty],
    [/without its spaces/, pretty, text],
    [/another program/, python, text],
    [/rolled/, text, text.replace("e-1", "e-2")],
  ] as const) {
    it(`is refused with the words ${String(found)}`, () => {
      const saved = { body: Buffer.from(kept) };
      const { valid, finding } = diagnose(saved, [sign(secret, Buffer.from(sent))], secret, "standard");
      assert.equal(valid, false);
      assert.match(finding, found);
    });
  }

  it("with upper-case digits is said to be right otherwise", () => {
    const { finding } = diagnose(
      { body },
      [`sha256=${signature.slice(7).toUpperCase()}`],
      secret,
      "standard",
    );
    assert.match(finding, /lower case it would be valid/);
  });
});

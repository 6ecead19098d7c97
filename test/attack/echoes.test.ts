import { doesNotMatch, equal, ok } from "node:assert/strict";
import { withoutSecrets } from "../../src/api/withoutSecrets.ts";
import { Random } from "../support/random.ts";

const key = "lsv2_pt_0123456789abcdefABCDEF?>_~";
const basic = Buffer.from("ops:correct horse battery").toString("base64");
const headers = {
  "x-api-key": key,
  authorization: `Bearer ${key}`,
  "proxy-authorization": `Basic ${basic}`,
  cookie: "sid=0123456789",
  accept: "application/json",
};
const base64 = (text: string) => Buffer.from(text).toString("base64");

/** What servers may say of a key that they refuse. */
const echoes: Readonly<Record<string, string>> = {
  "as it is": `invalid key ${key}`,
  "with its scheme": `Bearer ${key} is not known`,
  "for a URL": `see https://example.com/?key=${encodeURIComponent(key)}`,
  "in hex": Buffer.from(key).toString("hex"),
  "in upper hex": Buffer.from(key).toString("hex").toUpperCase(),
  "in base64": base64(key),
  "in base64 after one letter": base64(`x${key}`),
  "in base64 after two letters": base64(`xy${key}`),
  "in base64 among JSON": base64(JSON.stringify({ headers: { "x-api-key": key }, more: [1, 2] })),
  "in base64 for URLs": Buffer.from(`a ${key} b`).toString("base64url"),
  "as basic authorization": `Basic ${basic}`,
  "as the password within": "the password correct horse battery is wrong",
  "as a cookie": "session sid=0123456789 is over",
};

describe("A server that repeats what authorized a request", () => {
  for (const [name, text] of Object.entries(echoes)) {
    it(`does not get it into an error's text: ${name}`, () => {
      const clean = withoutSecrets(text, headers);
      ok(clean.includes("***"), clean);
      doesNotMatch(clean, /0123456789|correct horse|lsv2_pt/);
      for (const [part = ""] of clean.matchAll(/[\w+/=-]{6,}/g)) {
        const decoded = [0, 1, 2, 3].map((skip) =>
          Buffer.from(part.slice(skip), "base64").toString("latin1"),
        );
        ok(!decoded.some((said) => /lsv2|0123456|abcdef|horse/.test(said)), part);
      }
    });
  }

  it("leaves everything else as it is", () => {
    const text = "Not found: thread 5f0c…, accept application/json, Bearer";
    equal(withoutSecrets(text, headers), text);
  });

  it("takes no time for texts that only look like it", () => {
    const random = new Random(14);
    const started = performance.now();
    for (let round = 0; round < 50; round += 1) {
      const part = base64(key).slice(0, 4 + random.below(20));
      withoutSecrets(part.repeat(64_000 / part.length), headers);
    }
    ok(performance.now() - started < 3000, `${performance.now() - started} ms`);
  });
});

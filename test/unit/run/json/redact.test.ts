import { strict as assert } from "node:assert";
import { redact } from "../../../../src/run/json/redact.ts";

const key = "sk-1234567890abcdef12";

const masked: Readonly<Record<string, string>> = {
  [`{"authorization":"Bearer ${key}","x":1}`]: '{"authorization":"•••","x":1}',
  [`{"Authorization": "${key}"}`]: '{"Authorization": "•••"}',
  [`{"x-api-key":["${key}","${key}"],"n":{"api_key":"${key}"}}`]: '{"x-api-key":"•••","n":{"api_key":"•••"}}',
  [`{"apiKey":{"value":"${key}","a":["}"]},"b":2}`]: '{"apiKey":"•••","b":2}',
  [`{"cookie":"a=\\"${key}\\"; b","c":"d"}`]: '{"cookie":"•••","c":"d"}',
  [`{"body":"{\\"password\\":\\"${key}\\",\\"user\\":\\"me\\"}"}`]:
    '{"body":"{\\"password\\":\\"•••\\",\\"user\\":\\"me\\"}"}',
  [`{"access_token":"${key}","total_tokens":12,"max_tokens":5}`]:
    '{"access_token":"•••","total_tokens":12,"max_tokens":5}',
  [`["authorization","Bearer ${key}"]`]: '["authorization","Bearer •••"]',
  [`{"client_secret":"${key}`]: '{"client_secret":"•••"',
};

const kept: readonly string[] = [
  '{"token":"Hello"}',
  '{"token":" a sentence of some words"}',
  '{"password":null,"token":17}',
  '{"secretary":"Ann","tokens":["a"]}',
  "no secrets here",
];

describe("redact", () => {
  it("masks credentials under their names, at any depth and in JSON within JSON", () => {
    for (const [text, shown] of Object.entries(masked)) assert.equal(redact(text), shown);
  });

  it("reads a text once, whatever it is made of", () => {
    for (const part of ["\\", '\\"', '"token":', '"token":[', "bearer ", '"password":"\\\\"']) {
      assert.ok(redact(`password ${part.repeat(100_000)}`).length > 0);
    }
  }).timeout(5000);

  it("leaves everything else as it is", () => {
    for (const text of kept) assert.equal(redact(text), text);
  });
});

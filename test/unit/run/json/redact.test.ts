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
  '{"name":"DB_PASSWORD","value":"hunter2hunter2"}': '{"name":"DB_PASSWORD","value":"•••"}',
  '{"key": "x-api-key", "value": "hunter2hunter2"}': '{"key": "x-api-key", "value": "•••"}',
  [`{"key":"password",${" ".repeat(180)}"value":"hunter2hunter2"}`]: `{"key":"password",${" ".repeat(180)}"value":"•••"}`,
  '{"api_key":{},"b":2}': '{"api_key":"•••","b":2}',
  '{"api_key":[[],{}],"b":[2]}': '{"api_key":"•••","b":[2]}',
  '{"api_key":{"a":[{"b":"}]"}]},"c":2}': '{"api_key":"•••","c":2}',
  ['{"password":"a\\\\","x":1}']: '{"password":"•••","x":1}',
  ['{"body":"{\\"password\\":\\"a\\\\\\\\\\",\\"user\\":\\"me\\"}"}']:
    '{"body":"{\\"password\\":\\"•••\\",\\"user\\":\\"me\\"}"}',
  [`{"access_token":"${key}","total_tokens":12,"max_tokens":5}`]:
    '{"access_token":"•••","total_tokens":12,"max_tokens":5}',
  [`["authorization","Bearer ${key}"]`]: '["authorization","Bearer •••"]',
  [`{"client_secret":"${key}`]: '{"client_secret":"•••"',
};

/** Spellings of a field that holds a credential. */
const spellings = [
  ...[
    "accessToken",
    "access_token",
    "refreshToken",
    "idToken",
    "session_token",
    "sessionToken",
    "AWS_SESSION_TOKEN",
  ],
  ...["clientSecret", "client_secret", "secret_access_key", "secretAccessKey", "AWS_SECRET_ACCESS_KEY"],
  ...[
    "private_key",
    "privateKey",
    "PRIVATE_KEY",
    "OPENAI_API_KEY",
    "ANTHROPIC_API_KEY",
    "openaiApiKey",
    "APIKey",
  ],
  ...[
    "apikey",
    "api-key",
    "x-goog-api-key",
    "X-Api-Key",
    "x-amz-security-token",
    "x-auth-token",
    "GITHUB_TOKEN",
  ],
  ...[
    "password",
    "db_password",
    "DATABASE_PASSWORD",
    "passphrase",
    "signing_secret",
    "webhookSecret",
    "account_key",
  ],
  ...["Set-Cookie", "proxy-authorization", "subscription-key", "bot_token", "csrfToken"],
];

/** Credentials in other places than a field of their name. */
const elsewhere: readonly string[] = [
  `{"name":"OPENAI_API_KEY","value":"${key}"}`,
  `{"key": "Authorization", "value": "${key}"}`,
  `{"text":"{\\"name\\":\\"API_KEY\\",\\"value\\":\\"${key}\\"}"}`,
  `export OPENAI_API_KEY=${key} && run`,
  `SECRET_KEY: ${key}`,
  `the key is sk-proj-${key}, keep it`,
  `ghp_${key}${key}`.replaceAll("-", ""),
  "eyJhbGciOiJIUzI1NiJ9.eyJzdWIiOiIxMjM0NTY3ODkwIn0.dozjgNryP4J3jVmNHl0w5N_XgL0n3I9PlFUP0THsR8U",
  `-----BEGIN RSA PRIVATE KEY-----\n${key}\n-----END RSA PRIVATE KEY-----`,
  `"header":"Basic ${btoa(`ops:${key}`)}"`,
];

const kept: readonly string[] = [
  '{"title":"DB_PASSWORD","value":"hunter2hunter2"}',
  '{"name":"DB_PASSWORD","text":"hunter2hunter2"}',
  '{"max_tokens":4096,"maxTokens":4096,"token_count":12,"tokenUsage":{"prompt_tokens":3,"total_tokens":5}}',
  '{"token_type":"bearer_of_news_and_more","tokenizer":"cl100k_base_and_some_more","key":"a-key-of-a-map-entry"}',
  '{"eos_token":"</s>","bos_token":"<|begin_of_text|>","pad_token":null}',
  '{"next_page_token":"CAUQAA-aaaaaaaaaaaaaaaa","keyword":"password manager","passed":"12345678901234567890"}',
  '{"primary_key":"customer_identifier","access_key_id":"AKIA-not-the-secret-part","public_key":"ssh-ed25519 AAAAC3"}',
  '{"name":"Ann","value":"12345678901234567890","secrets":["LOG_LEVEL"]}',
  "basic information about tokens and keys, the bearer of this letter",
  "TOKEN_LIMIT=1234567890 KEYBOARD=qwertzuiopasdf",
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

  it("knows a credential's field in every spelling", () => {
    for (const name of spellings) {
      const text = JSON.stringify({ [name]: key, other: 1 });
      assert.equal(redact(text), JSON.stringify({ [name]: "•••", other: 1 }), name);
      assert.ok(!redact(JSON.stringify({ text })).includes(key), name);
    }
  });

  it("knows credentials in lists, in settings of shells and by their form", () => {
    for (const text of elsewhere) {
      const shown = redact(text);
      assert.ok(shown.includes("•••") && !/1234567890/.test(shown), shown);
    }
  });

  it("reads a text once, whatever it is made of", () => {
    for (const part of [
      "\\",
      '\\"',
      '"token":',
      '"token":[',
      "bearer ",
      "basic aaaaaaaa ",
      "A_KEY=",
      "AAAAAAAAA",
      "sk-",
      "eyJaaaaaaaaa.",
      "-----BEGIN PRIVATE KEY-----",
      '"name":"api_key"',
      '"password":"\\\\"',
    ]) {
      assert.ok(redact(`password ${part.repeat(100_000)}`).length > 0);
    }
  });

  it("leaves everything else as it is", () => {
    for (const text of kept) assert.equal(redact(text), text);
  });
});

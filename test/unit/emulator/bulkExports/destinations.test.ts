import assert from "node:assert/strict";
import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { inspect } from "node:util";
import { Bucket } from "../../../../src/emulator/bulkExports/bucket.ts";
import { Bin, credentials, ExportClient, secret } from "./exportClient.ts";
import { list, LocalPlatform, text } from "../../../support/localPlatform.ts";
import type { Answer } from "../../../support/localPlatform.ts";

type Fields = Record<string, unknown>;

describe("destinations of bulk exports", () => {
  let platform: LocalPlatform;
  let client: ExportClient;
  let bin: Bin;

  before(async () => {
    bin = await Bin.start();
    platform = await LocalPlatform.start();
    client = new ExportClient(platform);
  });
  after(async () => {
    await platform.remove();
    bin.stop();
  });

  // Whatever happens in here, no secret may get into the log.
  const logged: string[] = [];
  const { error } = console;
  before(() => {
    console.error = (...parts: unknown[]) => logged.push(inspect(parts, { depth: null }));
  });
  after(() => {
    console.error = error;
    assert.deepEqual(
      logged.filter((line) => line.includes(secret)),
      [],
    );
  });

  const create = async (changes: Fields = {}): Promise<Answer> =>
    await client.send("POST", "/destinations", bin.order(changes));
  const config = (changes: Fields): Fields => ({ config: { ...(bin.order().config as Fields), ...changes } });

  it("are answered with all they are but their credentials, of which they tell the names", async () => {
    const made = await create();
    assert.equal(made.status, 200);
    const { id, created_at, updated_at, ...rest } = made.body;
    assert.match(text(id), /^[0-9a-f-]{36}$/);
    assert.equal(created_at, updated_at);
    assert.deepEqual(rest, {
      tenant_id: platform.ready.workspaceId,
      credentials_keys: ["access_key_id", "secret_access_key"],
      destination_type: "s3",
      display_name: "Archive",
      config: { bucket_name: "traces", prefix: "p", endpoint_url: bin.url, include_bucket_in_prefix: true },
    });
    const one = await client.send("GET", `/destinations/${text(id)}`);
    assert.deepEqual(one.body, made.body);
    assert.deepEqual(list((await client.send("GET", "/destinations")).body).at(-1), made.body);
  });

  it("keep members of their configuration that nobody here knows", async () => {
    const made = await create(
      config({ config_kwargs_s3: { addressing_style: "path", use_dualstack: true }, later: 1 }),
    );
    assert.deepEqual(made.body.config!.config_kwargs_s3, { addressing_style: "path", use_dualstack: true });
    assert.equal(Number(made.body.config!.later), 1);
  });

  const wrong: readonly [what: string, changes: Fields, place: string][] = [
    ["another type", { destination_type: "gcs" }, "body.destination_type"],
    ["no name", { display_name: undefined }, "body.display_name"],
    ["a name with a slash", { display_name: "a/b" }, "body.display_name"],
    ["no configuration", { config: undefined }, "body.config"],
    ["no bucket", { config: { prefix: "", region: "us-east-1" } }, "body.config.bucket_name"],
    [
      "a bucket of two letters",
      { config: { bucket_name: "ab", prefix: "", region: "x" } },
      "body.config.bucket_name",
    ],
    [
      "a bucket that climbs",
      { config: { bucket_name: "../x", prefix: "", region: "x" } },
      "body.config.bucket_name",
    ],
    ["no prefix", { config: { bucket_name: "abc", region: "us-east-1" } }, "body.config.prefix"],
    [
      "a prefix that climbs",
      { config: { bucket_name: "abc", prefix: "a/../b", region: "x" } },
      "body.config.prefix",
    ],
    ["neither region nor endpoint", { config: { bucket_name: "abc", prefix: "" } }, "body.config.region"],
    [
      "an unknown addressing style",
      {
        config: {
          bucket_name: "abc",
          prefix: "",
          region: "x",
          config_kwargs_s3: { addressing_style: "dns" },
        },
      },
      "body.config.config_kwargs_s3.addressing_style",
    ],
    [
      "a role",
      { config: { bucket_name: "abc", prefix: "", region: "x", aws_role_arn: "arn" } },
      "body.config.aws_role_arn",
    ],
    ["credentials that are a text", { credentials: secret }, "body.credentials"],
    [
      "a secret that is missing",
      { credentials: { access_key_id: "a" } },
      "body.credentials.secret_access_key",
    ],
    [
      "a secret that is too long",
      { credentials: { access_key_id: "a", secret_access_key: secret.repeat(100) } },
      "body.credentials.secret_access_key",
    ],
  ];
  for (const [what, changes, place] of wrong) {
    it(`are refused with ${what}, and nothing is written`, async () => {
      bin.visits.length = 0;
      const answer = await create(changes);
      assert.equal(answer.status, 422, answer.text);
      const places = list(answer.body.detail).map(({ loc }) => list(loc).map(String).join("."));
      assert.ok(places.includes(place), answer.text);
      assert.equal(answer.text.includes(secret), false);
      assert.equal(bin.visits.length, 0);
    });
  }

  it("repeat nothing of a body that is no JSON, or no object", async () => {
    for (const body of [`{"credentials": {"secret_access_key": ${secret}`, `["${secret}"]`, `"${secret}"`]) {
      const answer = await client.send("POST", "/destinations", body);
      assert.equal(answer.status, 422);
      assert.equal(answer.text.includes(secret.slice(0, 6)), false, answer.text);
    }
  });

  it("take their credentials from the environment when none are given", async () => {
    const given = { AWS_ACCESS_KEY_ID: "ENVIRONMENT", AWS_SECRET_ACCESS_KEY: "x", AWS_SESSION_TOKEN: "t" };
    Object.assign(process.env, given);
    try {
      bin.visits.length = 0;
      const made = await create({ credentials: undefined });
      assert.equal(made.status, 200, made.text);
      assert.deepEqual(made.body.credentials_keys, []);
      assert.equal(bin.visits[0]?.token, "t");
    } finally {
      for (const name of Object.keys(given)) Reflect.deleteProperty(process.env, name);
    }
  });

  it("are refused when the environment holds no credentials either", async () => {
    const nowhere = join(platform.directory, "nowhere");
    const given = {
      AWS_EC2_METADATA_DISABLED: "true",
      AWS_CONFIG_FILE: nowhere,
      AWS_SHARED_CREDENTIALS_FILE: nowhere,
    };
    Object.assign(process.env, given);
    try {
      const answer = await create({ credentials: null });
      assert.equal(answer.status, 400);
      assert.match(text(answer.body.detail), /^Access denied: .*no credentials/);
    } finally {
      for (const name of Object.keys(given)) Reflect.deleteProperty(process.env, name);
    }
  });

  it("never tell what a store repeats of the credentials", async () => {
    bin.reply = (headers) => ({
      status: 400,
      body: `<Error><Code>Odd</Code><Message>${JSON.stringify(headers)} ${secret}</Message></Error>`,
    });
    const answer = await create({ credentials: { ...credentials, session_token: "session-0123456789" } });
    bin.reply = undefined;
    assert.equal(answer.status, 400);
    assert.match(text(answer.body.detail), /^Bucket is not valid: .*400 Odd/);
    for (const hidden of [secret, "session-0123456789", credentials.access_key_id]) {
      assert.equal(answer.text.includes(hidden), false, answer.text);
    }
  });

  it("are not kept waiting by a store that never answers", async () => {
    const release = bin.hold();
    const target = { bucket_name: "abc", prefix: "", endpoint_url: bin.url, include_bucket_in_prefix: true };
    const bucket = await Bucket.open(target, credentials);
    await assert.rejects(bucket.test(AbortSignal.timeout(100)), /^BucketError: Invalid endpoint: .*in time/);
    bucket.close();
    release();
  });

  it("are found neither under an unknown id nor under none", async () => {
    const unknown = "/destinations/00000000-0000-4000-8000-000000000000";
    assert.equal((await client.send("GET", unknown)).status, 404);
    assert.equal((await client.send("PATCH", unknown, { credentials })).status, 404);
    assert.equal((await client.send("GET", "/destinations/..%2f..%2fetc")).status, 422);
  });

  it("need the key and the workspace", async () => {
    assert.equal((await client.send("GET", "/destinations", undefined, { "x-api-key": "" })).status, 401);
    assert.equal((await client.send("GET", "/destinations", undefined, { "x-api-key": "no" })).status, 403);
    const other = { "x-tenant-id": "00000000-0000-4000-8000-000000000000" };
    assert.equal((await client.send("GET", "/destinations", undefined, other)).status, 403);
    const without = await platform.send("GET", `${platform.ready.baseUrl}/api/v1/bulk-exports/destinations`);
    assert.equal(without.status, 403);
  });

  it("leave no secret in the data directory, and can still write after a restart", async () => {
    const { body } = await create({ credentials: { ...credentials, session_token: "session-0123456789" } });
    const { directory } = platform;
    const known = [secret, "session-0123456789", credentials.access_key_id];
    const forms = known.flatMap((each) => [
      each,
      Buffer.from(each).toString("base64"),
      Buffer.from(each).toString("hex"),
    ]);
    const holds = (): string[] =>
      readdirSync(directory, { recursive: true, withFileTypes: true })
        .filter((entry) => entry.isFile())
        .flatMap(({ parentPath, name }) => {
          const bytes = readFileSync(join(parentPath, name));
          return forms.filter((form) => bytes.includes(form)).map((form) => `${name}: ${form}`);
        });
    assert.ok(
      readdirSync(directory).includes("platform.db-wal"),
      "the bytes of the newest writes are looked at too",
    );
    assert.deepEqual(holds(), []);
    await platform.stop();
    assert.deepEqual(holds(), []);
    platform = await LocalPlatform.start(directory);
    client = new ExportClient(platform);
    bin.visits.length = 0;
    const { id } = await client.create(text(body.id));
    assert.equal(await client.ended(id), "Completed");
    assert.ok(bin.uploads().length > 0);
    assert.ok(bin.visits.every(({ token }) => token === "session-0123456789"));
  });
});

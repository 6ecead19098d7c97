import assert from "node:assert/strict";
import { mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import type { BulkExport, BulkExportRun } from "../../../../src/api/bulkExports/bulkExport.ts";
import {
  bucketProblem,
  createBody,
  credentialsFile,
  emptyDraft,
  endpointProblem,
  environmentCredentials,
  exampleUrl,
  fixesFor,
  nameProblem,
  namesBucket,
  parseProfiles,
  prefixProblem,
  readProfiles,
  withoutKeys,
} from "../../../../src/editor/destinations/destinationDraft.ts";
import type { DestinationDraft } from "../../../../src/editor/destinations/destinationDraft.ts";
import { DRAFT_TEXT, draftFromJson } from "../../../../src/editor/destinations/destinationJson.ts";
import {
  errorsOf,
  exportName,
  progressText,
  windowText,
} from "../../../../src/editor/destinations/exportText.ts";
import { NotPossibleError } from "../../../../src/editor/kit/remedies.ts";

const keys = { access_key_id: "AKIA1", secret_access_key: "s3cret" };
const compatible: DestinationDraft = {
  ...emptyDraft("c"),
  store: "compatible",
  name: "Archive",
  bucket: "traces",
  prefix: "team/a",
  endpoint: "https://objects.example.com",
  credentials: { from: "typed", values: keys },
};

describe("Profiles of the credentials file", () => {
  const text = `
# shared
[default]
aws_access_key_id = AKIA1
aws_secret_access_key=s3cret
[sso]
sso_session = corp
[ profile temporary ]
AWS_ACCESS_KEY_ID = AKIA2
aws_secret_access_key = with=equals
aws_session_token = token
; [commented]
`;

  it("are read with their session tokens; those without keys are left out", () => {
    assert.deepEqual(parseProfiles(text), [
      { name: "default", credentials: keys },
      {
        name: "temporary",
        credentials: { access_key_id: "AKIA2", secret_access_key: "with=equals", session_token: "token" },
      },
    ]);
    assert.deepEqual(parseProfiles("stray = line\n[broken\n=x"), []);
  });

  it("come from the file that the environment names, and there may be none", async () => {
    const folder = await mkdtemp(join(tmpdir(), "aws-"));
    const file = join(folder, "credentials");
    await writeFile(file, text.replaceAll("\n", "\r\n"));
    assert.equal(credentialsFile({ AWS_SHARED_CREDENTIALS_FILE: file }), file);
    assert.equal(credentialsFile({ AWS_SHARED_CREDENTIALS_FILE: "~/x" }, "/home/me"), "/home/me/x");
    assert.equal(credentialsFile({}, "/home/me"), join("/home/me", ".aws", "credentials"));
    assert.equal((await readProfiles(file)).length, 2);
    await rm(folder, { recursive: true });
    assert.deepEqual(await readProfiles(file), []);
  });

  it("are like the usual variables, which count only when both keys are set", () => {
    assert.equal(environmentCredentials({ AWS_ACCESS_KEY_ID: "AKIA1" }), undefined);
    assert.deepEqual(
      environmentCredentials({
        AWS_ACCESS_KEY_ID: "AKIA1",
        AWS_SECRET_ACCESS_KEY: "s3cret",
        AWS_SESSION_TOKEN: "",
      }),
      keys,
    );
  });
});

describe("A destination's draft", () => {
  it("is sent with what its store has, and with what differs from the service's own choice", () => {
    assert.deepEqual(createBody(compatible), {
      destination_type: "s3",
      display_name: "Archive",
      config: { bucket_name: "traces", prefix: "team/a", endpoint_url: "https://objects.example.com" },
      credentials: keys,
    });
    const aws = { ...compatible, store: "aws", region: "eu-central-1", addressing: "virtual" } as const;
    assert.deepEqual(
      createBody({ ...aws, rest: { config_kwargs_s3: { pool: 4 }, storage_class: "cold" } }).config,
      {
        bucket_name: "traces",
        prefix: "team/a",
        region: "eu-central-1",
        config_kwargs_s3: { pool: 4, addressing_style: "virtual" },
        storage_class: "cold",
      },
    );
    assert.equal(createBody({ ...compatible, includeBucket: false }).config.include_bucket_in_prefix, false);
    const service = { from: "the service", values: undefined };
    assert.equal("credentials" in createBody({ ...compatible, credentials: service }), false);
  });

  it("says what is wrong with a field", () => {
    assert.deepEqual(["", "A/B"].map(nameProblem).includes(undefined), false);
    assert.equal(nameProblem("It's a name_1-2"), undefined);
    assert.deepEqual(["ab", "s3://b", "-abc", "a".repeat(64)].map(bucketProblem).includes(undefined), false);
    assert.equal(bucketProblem("my.traces-1"), undefined);
    assert.ok(prefixProblem("a/../b"));
    assert.equal(prefixProblem(""), undefined);
    assert.deepEqual(
      ["objects.example.com", "ftp://a", "https://u:p@a", "https://a/?x"]
        .map(endpointProblem)
        .includes(undefined),
      false,
    );
    assert.equal(endpointProblem("http://127.0.0.1:9000"), undefined);
  });

  it("knows when the endpoint names the bucket, and shows what each addressing style asks for", () => {
    assert.equal(namesBucket({ bucket: "Traces", endpoint: "https://traces.objects.example.com" }), true);
    assert.equal(namesBucket(compatible), false);
    assert.equal(exampleUrl(compatible, "virtual"), "https://traces.objects.example.com/team/a/…");
    assert.equal(exampleUrl(compatible, "path"), "https://objects.example.com/traces/team/a/…");
    assert.equal(
      exampleUrl({ ...compatible, store: "aws", region: "eu-central-1", prefix: "" }, "path"),
      "https://s3.eu-central-1.amazonaws.com/traces/…",
    );
  });

  it("keeps its keys out of what a service says", () => {
    const said = "The key AKIA1 with s3cret and s3cret is not known";
    assert.equal(withoutKeys(said, keys), "The key ••• with ••• and ••• is not known");
    assert.equal(withoutKeys(said, undefined), said);
  });

  it("has a fix for every cause, which is another one when it was tried already", () => {
    const titles = (cause: Parameters<typeof fixesFor>[0]["cause"], draft = compatible): string[] =>
      fixesFor({ cause }, draft).map(({ title }) => title);
    for (const cause of ["accessDenied", "keyIdUnknown", "sessionExpired"] as const)
      assert.deepEqual(titles(cause), ["Enter Other Credentials"], cause);
    assert.deepEqual(titles("bucketNotValid"), ["Change Bucket", "Change Region"]);
    assert.deepEqual(titles("invalidEndpoint"), ["Correct Endpoint", "Use AWS Without Endpoint"]);
    assert.deepEqual(titles("invalidEndpoint", { ...compatible, store: "aws" }), ["Change Region"]);
    assert.deepEqual(titles("invalidBucketName"), ["Retry with addressing_style virtual"]);
    assert.deepEqual(titles("invalidBucketName", { ...compatible, addressing: "virtual" }), [
      "Retry with addressing_style path",
      "Change Bucket",
    ]);
    assert.deepEqual(titles("permissionMissing"), ["Set API Key"]);
    assert.deepEqual(titles("workspaceMissing"), ["Edit Connection"]);
  });
});

describe("A destination's JSON draft", () => {
  const environment = { AWS_ACCESS_KEY_ID: "AKIA1", AWS_SECRET_ACCESS_KEY: "s3cret" };
  const read = (value: unknown) => draftFromJson(JSON.stringify(value), "c", environment);
  const config = { bucket_name: "traces", prefix: "p", region: "eu-central-1" };

  it("is what a new draft says", () => {
    const draft = draftFromJson(DRAFT_TEXT, "c", environment);
    assert.deepEqual([draft.store, draft.addressing, draft.includeBucket], ["compatible", "auto", true]);
    assert.deepEqual(draft.credentials?.values, keys);
  });

  it("leaves the credentials to be asked for, or to the service", () => {
    assert.equal(read({ display_name: "A", config }).credentials, undefined);
    assert.equal(read({ display_name: "A", config, credentials: null }).credentials?.values, undefined);
    assert.notEqual(read({ display_name: "A", config, credentials: null }).credentials, undefined);
  });

  it("keeps members that the form does not have", () => {
    const draft = read({
      display_name: "A",
      config: { ...config, s3_additional_kwargs: { ACL: "private" } },
    });
    assert.deepEqual(createBody(draft).config, { ...config, s3_additional_kwargs: { ACL: "private" } });
  });

  for (const [what, value, problem] of [
    ["keys in it", { display_name: "A", config, credentials: keys }, /holds a key/],
    [
      "a variable that is not set",
      { display_name: "A", config, credentials: { access_key_id: "${env:NONE}" } },
      /NONE is not set/,
    ],
    ["no region for AWS", { display_name: "A", config: { bucket_name: "traces", prefix: "" } }, /region/],
    [
      "an unknown style",
      { display_name: "A", config: { ...config, config_kwargs_s3: { addressing_style: "x" } } },
      /virtual, path or auto/,
    ],
    ["a list in place of an object", { display_name: "A", config: [] }, /config is no object/],
    ["a number as a name", { display_name: 7, config }, /display_name is no text/],
  ] as const) {
    it(`is refused with ${what}, and without telling keys`, () => {
      assert.throws(
        () => read(value),
        (error) =>
          error instanceof NotPossibleError &&
          problem.test(error.message) &&
          !/AKIA1|s3cret/.test(error.message),
      );
    });
  }

  it("is refused when it is no JSON", () => {
    assert.throws(() => draftFromJson("{", "c", {}), NotPossibleError);
  });
});

describe("Exports in words", () => {
  const job: BulkExport = {
    id: "e",
    bulk_export_destination_id: "d",
    status: "Running",
    start_time: "2026-06-01T00:00:00Z",
    end_time: "2026-06-02T00:00:00Z",
  };

  it("tell what is exported", () => {
    assert.equal(exportName(job), "2026-06-01 – 06-02");
    assert.equal(exportName({ ...job, end_time: "2027-01-02T00:00:00Z" }), "2026-06-01 – 2027-01-02");
    assert.equal(exportName({ ...job, end_time: "2026-06-02T12:30:09.5+02:00" }), "2026-06-01 – 06-02 10:30");
    assert.equal(windowText("2026-06-01T08:00:00Z", "2026-06-01T09:30:00Z"), "2026-06-01 08:00 – 09:30");
    assert.equal(
      exportName({ ...job, interval_hours: 24, end_time: null, all_experiments: true }),
      "All experiments, every 24 h from 2026-06-01",
    );
    assert.equal(windowText("2026-06-01T00:00:00Z", "2026-06-01T09:30:00Z"), "2026-06-01 00:00 – 09:30");
    assert.equal(windowText("soon", null), "from soon");
    assert.equal(windowText("soon", "later"), "soon – later");
  });

  it("tell how far it has come and what went wrong, the last attempt first", () => {
    const run = (status: string, rows: number): BulkExportRun => ({
      id: status,
      bulk_export_id: "e",
      status,
      metadata: { result: { rows_written: rows, exported_files: ["a.parquet"] } },
      errors: { retry_0: "slow", retry_10: "slower" },
    });
    assert.equal(progressText("Running", []), "Running");
    assert.equal(
      progressText("RUNNING", [run("Completed", 1200), run("Running", 4)]),
      "RUNNING · 1 of 2 parts · 1,204 rows",
    );
    assert.deepEqual(errorsOf(run("Failed", 0)), [
      { attempt: 11, text: "slower" },
      { attempt: 1, text: "slow" },
    ]);
  });
});

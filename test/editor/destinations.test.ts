import { deepEqual, doesNotMatch, equal, match, ok } from "node:assert/strict";
import * as vscode from "vscode";
import { bucketName, knownKey } from "../support/objectStore.ts";
import type { ObjectStore, Refusal } from "../support/objectStore.ts";
import { is, list } from "../support/localPlatform.ts";
import type { LocalPlatform } from "../support/localPlatform.ts";
import { drawRows } from "./extensionUnderTest.ts";
import type { Extension } from "./extensionUnderTest.ts";
import { describeStoreAt, typeKeys } from "./destinationAnswers.ts";
import { useExportSite } from "./exportSite.ts";
import { Person } from "./person.ts";
import { watchRequests } from "./requests.ts";

/** What is wrong with a destination, and how a person mends it. */
interface Mended {
  readonly what: string;
  readonly bucket?: string;
  readonly endpoint?: string;
  /** What the store says to the test write. */
  readonly refusal?: Refusal;
  readonly says: RegExp;
  readonly button: string;
  readonly answer: () => string;
}

describe("Destinations and exports", () => {
  let extension: Extension;
  let platform: LocalPlatform;
  let store: ObjectStore;

  useExportSite((site) => {
    ({ extension, platform, store } = site);
  });

  const rows = (): Promise<string[]> => drawRows(extension.views.destinations.platform.nodes);
  const describeStore = (person: Person, name: string): Person => describeStoreAt(store, person, name);

  it("are sent again with all that was typed when the fix for a refusal is chosen", async () => {
    using person = new Person();
    store.refusals = [{ method: "PUT", status: 400, code: "InvalidBucketName" }];
    person.press = (text) => {
      store.refusals = [];
      return text.includes("was not created") ? "Retry with addressing_style virtual" : undefined;
    };
    typeKeys(describeStore(person, "Second"), knownKey.secret_access_key).will({ choose: /Create/ });
    const created = watchRequests(
      extension,
      ({ method, url }) => method === "POST" && url.endsWith("/destinations"),
    );
    await run("destination.create");
    person.done();
    equal(created.stop().length, 2);
    match(person.told.at(-1) ?? "", /“Second” can be written to/);
    const url = `${platform.ready.baseUrl}/api/v1/bulk-exports/destinations`;
    const { body } = await platform.send("GET", url, undefined, {
      "x-tenant-id": platform.ready.workspaceId,
    });
    const made = list(body).find(({ display_name: name }) => is(name, "Second"));
    deepEqual(made?.["config"], {
      bucket_name: bucketName,
      prefix: "team",
      endpoint_url: store.url,
      config_kwargs_s3: { addressing_style: "virtual" },
      include_bucket_in_prefix: true,
    });
  });

  const mended: readonly Mended[] = [
    {
      what: "a bucket that does not exist",
      bucket: "nobody-made-this",
      says: /does not exist in this region/,
      button: "Change Bucket",
      answer: () => bucketName,
    },
    {
      what: "a bucket of another region",
      refusal: { method: "PUT", status: 301, code: "PermanentRedirect" },
      says: /does not exist in this region/,
      button: "Change Region",
      answer: () => "eu-central-1",
    },
    {
      what: "an endpoint that is no store",
      endpoint: "http://127.0.0.1:9",
      says: /not the address of an S3-compatible store/,
      button: "Correct Endpoint",
      answer: () => store.url,
    },
  ];
  for (const { what, bucket = bucketName, endpoint, refusal, says, button, answer } of mended) {
    it(`are created after all when ${what} was refused and the button "${button}" pressed`, async () => {
      using person = new Person();
      if (refusal !== undefined) store.refusals = [refusal];
      person.press = (text) => {
        store.refusals = [];
        return text.includes("was not created") ? button : undefined;
      };
      person.will({ choose: /S3-compatible/ }, { type: endpoint ?? store.url }, { type: bucket });
      person.will({ choose: "Yes" }, { choose: "auto" }, { type: "team" }, { type: button });
      typeKeys(person, knownKey.secret_access_key).will({ choose: /Create/ }, { type: answer() });
      await run("destination.create");
      person.done();
      match(person.told.join("\n"), says);
      match(person.told.at(-1) ?? "", new RegExp(`“${button}” can be written to`));
    });
  }

  it("ask for other keys when a session token has expired", async () => {
    using person = new Person();
    store.refusals = [{ method: "PUT", status: 400, code: "ExpiredToken" }];
    person.press = (text) => {
      store.refusals = [];
      return text.includes("temporary credentials have expired") ? "Enter Other Credentials" : undefined;
    };
    typeKeys(describeStore(person, "Temporary"), knownKey.secret_access_key).will({ choose: /Create/ });
    typeKeys(person, knownKey.secret_access_key);
    await run("destination.create");
    person.done();
    match(person.told.at(-1) ?? "", /“Temporary” can be written to/);
  });

  it("are content with keys that may not delete", async () => {
    using person = new Person();
    store.refusals = [{ method: "DELETE", status: 403, code: "AccessDenied" }];
    typeKeys(describeStore(person, "Write only"), knownKey.secret_access_key).will({ choose: /Create/ });
    await run("destination.create");
    person.done();
    match(person.told.join("\n"), /“Write only” can be written to/);
    ok((await store.keys()).some((key) => key.startsWith("team/tmp/")));
  });

  it("are created from a draft whose keys are named in the environment", async () => {
    using person = new Person();
    process.env["DRAFT_ID"] = knownKey.access_key_id;
    process.env["DRAFT_SECRET"] = knownKey.secret_access_key;
    const draft = {
      display_name: "Drafted",
      config: { bucket_name: bucketName, prefix: "drafts", endpoint_url: store.url },
      credentials: { access_key_id: "${env:DRAFT_ID}", secret_access_key: "${env:DRAFT_SECRET}" },
    };
    const document = await vscode.workspace.openTextDocument({
      language: "json",
      content: JSON.stringify(draft),
    });
    await vscode.window.showTextDocument(document);
    person.will({ choose: /Create/ });
    await run("destination.createFromDraft");
    person.done();
    ok((await rows()).includes(`  Drafted | ${bucketName}/drafts`));
  });

  it("are drafted again beside a draft that was saved under the first one's name", async () => {
    const [workspace] = vscode.workspace.workspaceFolders ?? [];
    ok(workspace);
    const saved = vscode.Uri.joinPath(workspace.uri, "new.destination.json");
    await vscode.workspace.fs.writeFile(saved, new TextEncoder().encode("{}"));
    using person = new Person();
    try {
      await run("destination.newDraft");
      deepEqual(person.told, []);
      const document = vscode.window.activeTextEditor?.document;
      match(document?.fileName ?? "", /new-2\.destination\.json$/);
      match(document?.getText() ?? "", /display_name/);
    } finally {
      await vscode.commands.executeCommand("workbench.action.revertAndCloseActiveEditor");
      await vscode.workspace.fs.delete(saved);
    }
  });

  it("are chosen among those of all platforms, though one of them is away", async () => {
    const away = "http://127.0.0.1:9";
    await extension.connections.add({ name: "Away", kind: "platform", url: away });
    using person = new Person();
    typeKeys(describeStore(person, "Near"), knownKey.secret_access_key).will({ choose: /Create/ });
    const [home] = extension.connections.list();
    await run("destination.create", { connectionId: home?.id });
    person.will({ choose: "Near" });
    await run("destination.copyId");
    person.done();
    match(await vscode.env.clipboard.readText(), /^[0-9a-f-]{36}$/);
  });

  it("are remembered by id and name where the server has no list", async () => {
    const path = "/api/v1/bulk-exports";
    const refuse = (match: object): Promise<unknown> =>
      platform.send("POST", `${platform.ready.localUrl}/faults`, {
        match,
        status: 405,
        body: {},
        times: 100,
      });
    await refuse({ method: "GET", path: `^${path}(/destinations)?$` });
    using person = new Person();
    typeKeys(describeStore(person, "Kept"), knownKey.secret_access_key).will({ choose: /Create/ });
    await run("destination.create");
    person.done();
    const drawn = await rows();
    ok(
      drawn.some((line) => line.startsWith("  Kept | ") && line.endsWith("created here")),
      drawn.join("\n"),
    );
    ok(drawn.includes("  This server lists no destinations | those created here are shown"));
    const memory = JSON.stringify(extension.context.globalState.get("destinations.created"));
    match(memory, /"name":"Kept"/);
    doesNotMatch(memory, new RegExp(`${knownKey.secret_access_key}|${bucketName}|${knownKey.access_key_id}`));
    person.press = (text) => (/^Remove .* from the list/.test(text) ? "Remove" : undefined);
    person.will({ choose: "Kept" });
    await run("destination.forget");
    ok(!(await rows()).some((line) => line.includes("Kept")));
  });
});

async function run(command: string, ...args: readonly unknown[]): Promise<void> {
  await vscode.commands.executeCommand(`agentOperations.${command}`, ...args);
}

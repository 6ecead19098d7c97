import { deepEqual, doesNotMatch, equal, match, ok } from "node:assert/strict";
import { writeFile } from "node:fs/promises";
import { join } from "node:path";
import * as vscode from "vscode";
import { PARQUET_EDITOR } from "../../src/editor/kit/ids.ts";
import { bucketName, knownKey } from "../support/objectStore.ts";
import { until } from "../support/until.ts";
import { describeStoreAt, typeKeys } from "./destinationAnswers.ts";
import { addDestination, type ExportSite, useExportSite } from "./exportSite.ts";
import { drawRows } from "./extensionUnderTest.ts";
import { Person } from "./person.ts";

const wrongKey = "not-the-secret-0123456789";

describe("A destination", () => {
  let site: ExportSite;

  useExportSite((given) => {
    site = given;
  });

  const rows = (): Promise<string[]> => drawRows(site.extension.views.destinations.platform.nodes);

  it("is created after its wrong key was replaced, and nothing else asked for again", async () => {
    using person = new Person();
    person.press = (text) => (text.includes("was not created") ? "Enter Other Credentials" : undefined);
    typeKeys(describeStoreAt(site.store, person, "Archive"), wrongKey).will({ choose: /Create/ });
    typeKeys(person, knownKey.secret_access_key);
    await run("destination.create");
    person.done();
    match(person.told.join("\n"), /“Archive” was not created. Access denied: .* Allow them to write/);
    match(person.told.join("\n"), /“Archive” can be written to/);
    equal(person.asked.filter(({ hidden }) => hidden).length, 6);
    const drawn = await rows();
    deepEqual(drawn, [
      `Home | ${new URL(site.platform.ready.baseUrl).host}`,
      `  Archive | ${bucketName}/team`,
      `    Endpoint | ${site.store.url}`,
      "    Credentials | access_key_id, secret_access_key",
    ]);
    hasNoSecret([...drawn, ...person.told]);
  });

  it("gets other credentials, and says when the old ones can be revoked", async () => {
    await addDestination(site, "Archive");
    using person = new Person();
    person.press = (text) => (text.includes("Replace the credentials") ? "Continue" : undefined);
    typeKeys(person.will({ choose: "Archive" }), knownKey.secret_access_key);
    await run("destination.rotateCredentials");
    person.done();
    match(person.told.join("\n"), /both sets have to work during the change-over/);
    match(person.told.at(-1) ?? "", /No export is going on: the old key can be revoked/);
    hasNoSecret([...(await rows()), ...person.told]);
  });

  it("is exported to, shows the export, its run and its file, and the file opens as a table", async () => {
    await addDestination(site, "Archive");
    const { store, folder } = site;
    using person = new Person();
    person.will({ choose: "Archive" }, { choose: "$(rocket) sample" });
    person.will({ choose: /Once/ }, { choose: "An hour ago" }, { type: "" }, { choose: /Export/ });
    await run("exportJob.create");
    person.done();
    match(person.told.at(-1) ?? "", /has ended: Completed, \d+ rows in 1 file/);
    // It is told when it has ended, and what the platform lists is fetched anew then.
    const drawn = await until("its rows say the same", async () => {
      const now = await rows();
      return ended.test(now.join("\n")) ? now : undefined;
    });
    hasNoSecret([...drawn, ...person.told]);
    const [key = ""] = (await store.keys()).filter((name) => name.endsWith(".parquet"));
    const file = join(folder, "export.parquet");
    await writeFile(file, await store.read(key));
    await vscode.commands.executeCommand("vscode.open", vscode.Uri.file(file));
    const tab = await until("the table is open", () => vscode.window.tabGroups.activeTabGroup.activeTab);
    ok(tab.input instanceof vscode.TabInputCustom);
    equal(tab.input.viewType, PARQUET_EDITOR);
  });
});

/** An export of one run, whose one file is listed. */
const ended =
  /\n {4}\d{4}-.* – .* \| Completed · gzip\n {6}.*Completed · \d+ rows · 1 file\n {8}.*\.parquet \|/;

function hasNoSecret(texts: readonly string[]): void {
  ok(texts.length > 2);
  doesNotMatch(texts.join("\n"), new RegExp(`${wrongKey}|${knownKey.secret_access_key}`));
}

async function run(command: string): Promise<void> {
  await vscode.commands.executeCommand(`agentOperations.${command}`);
}

import { deepEqual, equal, match, ok } from "node:assert/strict";
import { rm, writeFile } from "node:fs/promises";
import { join } from "node:path";
import * as vscode from "vscode";
import { ParquetDocument } from "../../src/editor/parquet/parquetEditor.ts";
import {
  type BucketKeys,
  exportedFile,
  type ExportedFileRef,
  exportedFileUri,
} from "../../src/editor/parquet/bucketFiles.ts";
import type { ToTable } from "../../src/table/messages.ts";
import { bucketName, knownKey } from "../support/objectStore.ts";
import type { ObjectStore } from "../support/objectStore.ts";
import { parquetFile } from "../support/parquetFile.ts";
import { extensionUnderTest } from "./extensionUnderTest.ts";
import { until } from "../support/until.ts";
import type { Extension } from "./extensionUnderTest.ts";
import { addDestination, projectOf, useExportSite, withProfilesIn } from "./exportSite.ts";
import type { ExportSite } from "./exportSite.ts";
import { Person } from "./person.ts";

describe("Files that exports write", () => {
  let extension: Extension;
  let store: ObjectStore;
  let folder: string;

  let site: ExportSite;

  useExportSite((given) => {
    site = given;
    ({ extension, store, folder } = site);
  });
  beforeEach(() => addDestination(site, "Archive"));

  const run = async (command: string): Promise<void> => {
    await vscode.commands.executeCommand(`agentOperations.${command}`);
  };

  it("are read anew when their file is written anew, and say when it is gone", async () => {
    const file = join(folder, "changing.parquet");
    const numbers = (count: number): Uint8Array =>
      parquetFile([{ name: "n", data: Array.from({ length: count }, (_, index) => index), type: "INT32" }]);
    await writeFile(file, numbers(3));
    const document = new ParquetDocument(vscode.Uri.file(file), extensionUnderTest().extensionUri, () =>
      Promise.reject(new Error("it lies in no bucket")),
    );
    const said: string[] = [];
    const ask = (): Promise<void> =>
      document.answer(
        { type: "ready" },
        tabThat((message) => said.push(words(message))),
      );
    document.onDidChange(() => void ask());
    /** Hearing of changes begins a moment after it was asked for. */
    const becomes = async (bytes: Uint8Array | string, expected: RegExp): Promise<void> => {
      await until("the change is told", async () => {
        await writeFile(file, bytes);
        return until("it is told soon", () => expected.test(said.at(-1) ?? ""), 2_000).catch(() => false);
      });
    };
    try {
      await ask();
      match(said.join(), /^3 rows$/);
      await becomes(numbers(5), /^5 rows$/);
      await rm(file);
      await becomes("no Parquet file", /can't be read as Parquet/);
      await becomes(numbers(7), /^7 rows$/);
    } finally {
      document.dispose();
    }
  });

  it("open straight from the bucket with the person's own profile, once that was agreed to", async () => {
    const [file, config] = [join(folder, "credentials"), join(folder, "config")];
    const { access_key_id: id, secret_access_key: secret } = knownKey;
    await writeFile(file, `[default]\naws_access_key_id = ${id}\naws_secret_access_key = ${secret}\n`);
    await writeFile(config, "");
    using person = new Person();
    const ref = await exportOne(person);
    const uri = exportedFileUri(ref);
    const show = async (): Promise<string> => {
      const said: string[] = [];
      const find = () => exportedFile(extension, new Map(), uri, false);
      const document = new ParquetDocument(uri, extensionUnderTest().extensionUri, find);
      try {
        await document.answer(
          { type: "ready" },
          tabThat((message) => said.push(words(message))),
        );
      } finally {
        document.dispose();
      }
      return said.join();
    };
    await nothingAgreed();
    person.told.length = 0;
    equal(await show(), "You did not want this file to be read.");
    match(person.told.join(), /from the bucket “trace-exports” at http:\/\/127\.0\.0\.1:\d+\?/);
    deepEqual(store.seen, []);
    person.press = (_, { buttons }) => buttons[0];
    await withProfilesIn(file, async () => {
      match(await show(), /^[1-9]\d* rows$/);
      person.told.length = 0;
      match(await show(), /^[1-9]\d* rows$/);
      deepEqual(person.told, [], "it is asked once for each bucket");
      await run("destinations.refresh");
      await vscode.commands.executeCommand("agentOperations.exportRun.openFile", ref);
    });
    const tab = vscode.window.tabGroups.activeTabGroup.activeTab?.input;
    ok(tab instanceof vscode.TabInputCustom);
    deepEqual([tab.viewType, tab.uri.toString()], ["agentOperations.parquet", uri.toString()]);
    const kept = JSON.stringify(extension.context.globalState.get("buckets.agreed"));
    deepEqual(JSON.parse(kept), [{ store: store.url, bucket: bucketName }]);
  });

  it("open with keys that a person gives for this window, where the usual ones are refused", async () => {
    const file = join(folder, "credentials");
    await writeFile(
      file,
      "[default]\naws_access_key_id = AKIAOTHER\naws_secret_access_key = another-secret\n",
    );
    using person = new Person();
    const uri = exportedFileUri(await exportOne(person));
    await nothingAgreed();
    person.press = (_, { buttons }) => buttons[0];
    const keys: BucketKeys = new Map();
    const said: ToTable[] = [];
    const tab = tabThat((message) => said.push(message));
    const open = () =>
      new ParquetDocument(uri, extensionUnderTest().extensionUri, (wanted, otherKeys) =>
        exportedFile(extension, keys, wanted, otherKeys),
      );
    const document = open();
    document.onDidChange(() => void document.answer({ type: "ready" }, tab));
    await withProfilesIn(file, async () => {
      await document.answer({ type: "ready" }, tab);
      const [refused] = said;
      ok(refused?.type === "failed" && refused.refused, JSON.stringify(refused));
      match(refused.message, /does not let your AWS profile or environment read the file/);
      person.will("cancel");
      await document.answer({ type: "otherKeys" }, tab);
      equal(said.length, 1, "without keys the page stays as it is");
      const { access_key_id: id, secret_access_key: secret } = knownKey;
      person.will({ choose: /Type them/ }, { type: id }, { type: secret }, { type: "" });
      await document.answer({ type: "otherKeys" }, tab);
      await until("it is read", () => said.length > 1);
      match(said.slice(1).map(words).join(), /^[1-9]\d* rows$/);
      const another = open();
      await another.answer({ type: "ready" }, tab);
      match(said.slice(2).map(words).join(), /^[1-9]\d* rows$/);
      another.dispose();
      document.dispose();
    });
    const { globalState, workspaceState } = extension.context;
    const kept = [globalState, workspaceState].flatMap((memento) =>
      memento.keys().map((key) => JSON.stringify(memento.get(key))),
    );
    ok(kept.every((text) => !text.includes(knownKey.secret_access_key)));
  });

  /** Exports what the sample deployment has, once, and answers where its file is. */
  async function exportOne(person: Person): Promise<ExportedFileRef> {
    person.will({ choose: "Archive" }, ...projectOf(site), { choose: /Once/ }, { choose: "An hour ago" });
    person.will({ type: "" }, { choose: /Export/ });
    await run("exportJob.create");
    const written = await until("a file is written", async () =>
      (await store.keys()).find((key) => key.endsWith(".parquet")),
    );
    const [connection] = extension.connections.list();
    const { id: connectionId = "" } = connection ?? {};
    const [destination] = (await extension.destinations.list(connectionId)).destinations;
    return { connectionId, destinationId: destination?.id ?? "", file: `${bucketName}/${written}` };
  }

  /** No bucket was agreed to, and the store has seen nothing. */
  async function nothingAgreed(): Promise<void> {
    await extension.context.globalState.update("buckets.agreed", undefined);
    store.calm();
  }
});

function tabThat(send: (message: ToTable) => void) {
  return { send, copy: () => Promise.resolve() };
}

function words(message: ToTable): string {
  switch (message.type) {
    case "table":
      return `${String(message.facts.rows)} rows`;
    case "failed":
      return message.message;
    default:
      return message.type;
  }
}

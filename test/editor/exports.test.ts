import { deepEqual, doesNotMatch, equal, match, ok } from "node:assert/strict";
import { readdir, readFile, writeFile } from "node:fs/promises";
import { join } from "node:path";
import * as vscode from "vscode";
import type { ExportRef } from "../../src/editor/destinations/destinations.ts";
import { ExportWatches } from "../../src/editor/destinations/exportWatches.ts";
import { ActivityLog } from "../../src/editor/kit/activityLog.ts";
import { bucketName, knownKey } from "../support/objectStore.ts";
import type { ObjectStore } from "../support/objectStore.ts";
import type { LocalPlatform } from "../support/localPlatform.ts";
import { drawRows } from "./extensionUnderTest.ts";
import { until } from "../support/until.ts";
import type { Extension } from "./extensionUnderTest.ts";
import { addDestination, projectOf, useExportSite, withProfilesIn } from "./exportSite.ts";
import type { ExportSite } from "./exportSite.ts";
import { TestMemento } from "../support/testMemento.ts";
import { Person } from "./person.ts";

describe("Exports of traces", () => {
  let extension: Extension;
  let platform: LocalPlatform;
  let store: ObjectStore;
  let folder: string;

  let site: ExportSite;

  useExportSite((given) => {
    site = given;
    ({ extension, platform, store, folder } = site);
  });
  beforeEach(() => addDestination(site, "Archive"));

  const rows = (): Promise<string[]> => drawRows(extension.views.destinations.platform.nodes);
  const run = async (command: string): Promise<void> => {
    await vscode.commands.executeCommand(`agentOperations.${command}`);
  };

  it("go to a bucket whose keys are of a profile in the user's own file, and are kept nowhere", async () => {
    const file = join(folder, "credentials");
    const { access_key_id: id, secret_access_key: secret } = knownKey;
    const profile = `[traces]\naws_access_key_id = ${id}\naws_secret_access_key = ${secret}\n`;
    await writeFile(file, `[sso]\nsso_session = corp\n${profile}`);
    using person = new Person();
    person.will({ choose: /S3-compatible/ }, { type: store.url }, { type: bucketName }, { choose: "Yes" });
    person.will({ choose: "auto" }, { type: "team" }, { type: "Profiled" });
    person.will({ choose: "$(account) Profile traces" }, { choose: /Create/ });
    await withProfilesIn(file, () => run("destination.create"));
    person.done();
    ok(!person.asked.some(({ labels }) => labels.some((label) => label.includes("Profile sso"))));
    match(person.told.join("\n"), /“Profiled” can be written to/);
    const { context } = extension;
    const kept = [
      ...[context.globalState, context.workspaceState].flatMap((memento) =>
        memento.keys().map((key) => JSON.stringify(memento.get(key))),
      ),
      ...(await textsBelow(context.globalStorageUri.fsPath)),
      ...(await textsBelow(context.logUri.fsPath)),
      ...(await rows()),
      ...person.told,
    ];
    ok(kept.some((text) => text.includes("Profiled")));
    doesNotMatch(kept.join("\n"), new RegExp(`${secret}|${id}`));
  });

  it("go to a destination whose keys can be typed where the file of profiles can't be read", async () => {
    using person = new Person();
    person.will({ choose: /S3-compatible/ }, { type: store.url }, { type: bucketName }, { choose: "Yes" });
    person.will(
      { choose: "auto" },
      { type: "" },
      { type: "Other" },
      { choose: "$(key) Type them" },
      "cancel",
    );
    await withProfilesIn(folder, () => run("destination.create"));
    person.done();
    match(person.told.join("\n"), /^The profiles in .* can't be offered: /);
  });

  it("are not said to have failed to start where a gateway gave no answer, for they may go on", async () => {
    using person = new Person();
    const fault = { match: { method: "POST", path: "/bulk-exports$" }, status: 504, body: "gone quiet" };
    await platform.send("POST", `${platform.ready.localUrl}/faults`, { ...fault, times: 1 });
    person.will({ choose: "Archive" }, ...projectOf(site), { choose: /Once/ }, { choose: "An hour ago" });
    person.will({ type: "" }, { choose: /Export/ });
    await run("exportJob.create");
    person.done();
    match(
      person.told.join("\n"),
      /^Whether the export was started is not known: look in Destinations before you start it again\. No answer/m,
    );
    doesNotMatch(person.told.join(), /was not started/);
  });

  it("whose watching fails are not said to have failed to start", async () => {
    using person = new Person();
    const fault = { match: { method: "GET", path: "/bulk-exports/[^/]+/runs$" }, status: 418, body: {} };
    await platform.send("POST", `${platform.ready.localUrl}/faults`, { ...fault, times: 100 });
    person.will({ choose: "Archive" }, ...projectOf(site), { choose: /Once/ }, { choose: "An hour ago" });
    person.will({ type: "" }, { choose: /Export/ });
    await run("exportJob.create");
    person.done();
    match(person.told.at(-1) ?? "", /^Watch export .*: .* did not accept the request/);
    doesNotMatch(person.told.join(), /was not started/);
  });

  it("are watched to their end though the platform is away for a while", async () => {
    using person = new Person();
    const fault = { match: { method: "GET", path: "/bulk-exports/[^/]+/runs$" }, status: 502, body: {} };
    await platform.send("POST", `${platform.ready.localUrl}/faults`, { ...fault, times: 100 });
    person.will({ choose: "Archive" }, ...projectOf(site), { choose: /Once/ }, { choose: "An hour ago" });
    person.will({ type: "" }, { choose: /Export/ });
    const watched = run("exportJob.create");
    try {
      await until("it waits", () =>
        extension.activity.entries.some(({ waiting }) => waiting?.startsWith("Waiting: ") ?? false),
      );
    } finally {
      await platform.send("DELETE", `${platform.ready.localUrl}/faults`);
    }
    await watched;
    person.done();
    match(person.told.at(-1) ?? "", /has ended: Completed/);
  });

  it("are watched while they go on, and cancelled for good after a question", async () => {
    const release = Promise.withResolvers<undefined>();
    store.held = release.promise;
    using person = new Person();
    person.will({ choose: "Archive" }, ...projectOf(site), { choose: /Once/ }, { choose: "An hour ago" });
    person.will({ type: "" }, { choose: /Export/ });
    const watched = run("exportJob.create");
    await until("it runs", async () => (await rows()).some((line) => / \| Running · gzip$/.test(line)));
    person.will({ choose: / – / });
    await run("exportJob.cancel");
    match(person.told.join("\n"), /Cancel the export “.*”\?\nFiles that are written already stay/);
    ok(
      (await rows()).some((line) => / \| Running · gzip$/.test(line)),
      "nobody was sure",
    );
    person.will({ choose: / – / }).presses("Cancel Export");
    await run("exportJob.cancel");
    store.held = Promise.resolve();
    release.resolve(undefined);
    await watched;
    person.done();
    match(person.told.at(-1) ?? "", /has ended: Cancelled, 0 rows in 0 files/);
    ok((await rows()).some((line) => / \| Cancelled · gzip$/.test(line)));
    await run("exportJob.cancel");
    match(person.told.at(-1) ?? "", /No export is going on/);
  });

  it("go on when they are not watched any more", async () => {
    const release = Promise.withResolvers<undefined>();
    store.held = release.promise;
    using person = new Person();
    person.will({ choose: "Archive" }, ...projectOf(site), { choose: /Once/ }, { choose: "A day ago" });
    person.will({ type: "" }, { choose: /Export/ });
    const watched = run("exportJob.create");
    const watching = await until("it is among what takes a while", () =>
      extension.activity.entries.find(
        ({ options, end }) => options.title.startsWith("Export ") && end === undefined,
      ),
    );
    watching.options.cancel?.();
    await watched;
    person.done();
    match(person.told.at(-1) ?? "", /is not watched any more; the export goes on/);
    store.held = Promise.resolve();
    release.resolve(undefined);
    await until("it has ended", async () => {
      await run("destinations.refresh");
      return (await rows()).some((line) => / \| Completed · gzip$/.test(line));
    });
  });

  it("are watched on after the window was reloaded, and the end is reported then", async () => {
    const release = Promise.withResolvers<undefined>();
    store.held = release.promise;
    using person = new Person();
    person.will({ choose: "Archive" }, ...projectOf(site), { choose: /Once/ }, { choose: "A week ago" });
    person.will({ type: "" }, { choose: /Export/ });
    const watched = run("exportJob.create");
    const [ref] = await until("it is remembered", () => {
      const kept = extension.context.workspaceState.get<readonly ExportRef[]>("exports.watched", []);
      return kept.length === 1 ? kept : undefined;
    });
    ok(ref);
    const activity = new ActivityLog(new TestMemento());
    const next = new ExportWatches({ ...extension, activity });
    try {
      await until("the next window asks", () => next.state(ref)?.answer !== undefined);
      extension.exportWatches.cancel(ref);
      await watched;
      store.held = Promise.resolve();
      release.resolve(undefined);
      await next.ended(ref);
    } finally {
      next.dispose();
    }
    person.done();
    match(person.told.at(-1) ?? "", /has ended: Completed, \d+ rows? in \d+ file/);
    const [entry] = activity.entries;
    deepEqual([entry?.options.title, entry?.end?.how], [`Export ${ref.name}`, "done"]);
    deepEqual(extension.context.workspaceState.get("exports.watched"), undefined);
  });

  it("are made by a schedule, which shows them below itself until it is cancelled", async () => {
    const start = new Date(Date.now() - 2.1 * 3_600_000).toISOString().slice(0, 16);
    using person = new Person();
    person.will({ choose: "Archive" }, ...projectOf(site), { choose: "$(calendar) Every hour" });
    person.will({ choose: /Type a time/ }, { type: start }, { choose: /Schedule$/ });
    await run("exportJob.create");
    person.done();
    const name = `every 1 h from ${start.replace("T", " ")}`;
    equal(person.told.at(-1), `Scheduled: ${name}. It goes on until it is cancelled.`);
    const drawn = await until("the first export has ended", async () => {
      await run("destinations.refresh");
      const lines = await rows();
      const at = lines.indexOf(`    ${name} | Scheduled · 1 export · gzip`);
      return /Completed · gzip$/.test(lines[at + 1] ?? "") ? lines.slice(at + 1, at + 3) : undefined;
    });
    match(drawn[0] ?? "", /^ {6}\d{4}-\d\d-\d\d \d\d:\d\d – .* \| Completed · gzip$/);
    match(drawn[1] ?? "", /^ {8}.* \| Completed · \d+ rows?/);
    person.will({ choose: name }).presses("Cancel Export");
    await run("exportJob.cancel");
    match(person.told.at(-1) ?? "", /Cancel the schedule “every 1 h .*”\?\nIt makes no more exports/);
    ok(
      (await rows()).some((line) => line.startsWith(`    ${name} | Cancelled`)),
      (await rows()).join("\n"),
    );
  });
});

async function textsBelow(directory: string): Promise<string[]> {
  const entries = await readdir(directory, { recursive: true, withFileTypes: true }).catch(() => []);
  const files = entries.filter((entry) => entry.isFile()).map((entry) => join(entry.parentPath, entry.name));
  return Promise.all(files.map((file) => readFile(file, "latin1")));
}

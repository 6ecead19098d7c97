import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import * as vscode from "vscode";
import { ObjectStore } from "../support/objectStore.ts";
import { LocalPlatform, say } from "../support/localPlatform.ts";
import { connectPlatform, theExtension, tidyUp } from "./extensionUnderTest.ts";
import type { Extension } from "./extensionUnderTest.ts";

/** What exports go from and to: a platform with a trace, a store, and a folder for files that are taken from it. */
export interface ExportSite {
  readonly extension: Extension;
  readonly platform: LocalPlatform;
  readonly store: ObjectStore;
  readonly folder: string;
}

/** Has one site for a suite's tests, which is given once it is there. */
export function useExportSite(given: (site: ExportSite) => void): void {
  let site: ExportSite;
  before(async () => {
    const platform = await LocalPlatform.start();
    const folder = await mkdtemp(join(tmpdir(), "exports-"));
    site = { extension: await theExtension(), platform, store: await ObjectStore.start(), folder };
    await platform.stream(await platform.thread(), { assistant_id: "echo", input: say("Hello") });
    given(site);
  });
  after(async () => {
    await tidyUp(site.extension);
    await site.platform.remove();
    await site.store.stop();
    await rm(site.folder, { recursive: true, force: true });
  });
}

/** Shows the Destinations view with the platform as its one connection, called Home. */
export async function showHome(extension: Extension, platform: LocalPlatform): Promise<void> {
  await tidyUp(extension);
  await vscode.commands.executeCommand("agentOperations.destinations.focus");
  await connectPlatform(extension, "Home", platform);
}

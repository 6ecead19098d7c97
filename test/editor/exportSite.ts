import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { equal } from "node:assert/strict";
import * as vscode from "vscode";
import { bucketName, knownKey, ObjectStore } from "../support/objectStore.ts";
import { say } from "../support/localPlatform.ts";
import type { LocalPlatform } from "../support/localPlatform.ts";
import { connectPlatform } from "./extensionUnderTest.ts";
import type { Extension } from "./extensionUnderTest.ts";
import { useOwnPlatform } from "./ownPlatform.ts";

/** What exports go from and to: a platform with a trace, a store, and a folder for files that are taken from it. */
export interface ExportSite {
  readonly extension: Extension;
  readonly platform: LocalPlatform;
  readonly store: ObjectStore;
  readonly folder: string;
}

/** Has a site for each test, in the Destinations view, with the platform as its one connection, called Home. */
export function useExportSite(given: (site: ExportSite) => void): void {
  let site: ExportSite | undefined;
  useOwnPlatform(async ({ extension, platform }) => {
    const folder = await mkdtemp(join(tmpdir(), "exports-"));
    site = { extension, platform, store: await ObjectStore.start(), folder };
    await platform.stream(await platform.thread(), { assistant_id: "echo", input: say("Hello") });
    await vscode.commands.executeCommand("agentOperations.destinations.focus");
    await connectPlatform(extension, "Home", platform);
    given(site);
  });
  afterEach(async () => {
    if (site === undefined) return;
    await site.store.stop();
    await rm(site.folder, { recursive: true, force: true });
    site = undefined;
  });
}

/** Makes the store's bucket a destination of the platform. */
export async function addDestination({ platform, store }: ExportSite, name: string): Promise<void> {
  const { baseUrl, workspaceId } = platform.ready;
  const { status, text } = await platform.send(
    "POST",
    `${baseUrl}/api/v1/bulk-exports/destinations`,
    {
      destination_type: "s3",
      display_name: name,
      config: { bucket_name: bucketName, prefix: "team", endpoint_url: store.url },
      credentials: knownKey,
    },
    { "x-tenant-id": workspaceId },
  );
  equal(status, 200, text);
}

/** The tracing project that exports are taken from, as a person names it. */
export function projectOf({ platform }: ExportSite): [{ choose: RegExp }, { type: string }] {
  return [{ choose: /Enter an ID/ }, { type: platform.ready.deploymentId }];
}

const credentialsVariable = "AWS_SHARED_CREDENTIALS_FILE";

/** Does something while this is the user's own file of profiles. */
export async function withProfilesIn(file: string, act: () => Promise<void>): Promise<void> {
  const before = process.env[credentialsVariable];
  process.env[credentialsVariable] = file;
  try {
    await act();
  } finally {
    if (before === undefined) Reflect.deleteProperty(process.env, credentialsVariable);
    else process.env[credentialsVariable] = before;
  }
}

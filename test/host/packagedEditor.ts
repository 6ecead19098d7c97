import { rm } from "node:fs/promises";
import { join } from "node:path";

import type { Browser } from "playwright-core";

import { launchBrowser } from "./browser.ts";
import { ensurePackaged } from "./builtExtension.ts";
import { linkBuiltInExtensions } from "./builtInExtensions.ts";
import { installExtension } from "./editorServer.ts";
import { type EditorHost, installHost } from "./install.ts";
import { failureFolder } from "./places.ts";
import { type Profile, removeProfile, throwawayProfile } from "./profile.ts";

/** What the workbenches of one run share: the editor, a browser, and folders of extensions, one with the packaged one. */
export interface PackagedEditor {
  readonly host: EditorHost;
  readonly browser: Browser;
  readonly extensions: string;
  readonly builtIn: string;
}

interface Prepared extends PackagedEditor {
  readonly profile: Profile;
}

let prepared: Promise<Prepared> | undefined;

/** Prepares the shared parts when they are first asked for. */
export function packagedEditor(): Promise<PackagedEditor> {
  prepared ??= prepare();
  return prepared;
}

/** Ends the browser and removes what was prepared. */
export async function closePackagedEditor(): Promise<void> {
  const closing = prepared;
  prepared = undefined;
  if (closing === undefined) return;
  const { browser, profile } = await closing;
  await browser.close();
  await removeProfile(profile);
}

async function prepare(): Promise<Prepared> {
  const host = await installHost();
  const vsix = await ensurePackaged();
  await rm(join(failureFolder, "ui"), { recursive: true, force: true });
  const profile = await throwawayProfile();
  await installExtension(host, profile, vsix);
  const builtIn = await linkBuiltInExtensions(host, join(profile.root, "built-in"));
  return { host, browser: await launchBrowser(), extensions: profile.extensions, builtIn, profile };
}

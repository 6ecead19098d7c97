import { cp, mkdir, mkdtemp, rm, writeFile } from "node:fs/promises";
import { join } from "node:path";

import { throwawayParent } from "./places.ts";
import { quietSettings } from "./quietSettings.ts";
import { shortcuts } from "./shortcuts.ts";

/** The folders of one editor: its settings and state, its logs, its extensions, and the folder it opens. */
export interface Profile {
  readonly root: string;
  readonly userData: string;
  readonly extensions: string;
  /** The editor's own extensions; those of its installation unless this is given. */
  readonly builtIn?: string;
  readonly workspace: string;
  readonly logs: string;
}

const sampleWorkspace = join(import.meta.dirname, "workspace");

/** Makes a profile that nothing else uses. */
export async function throwawayProfile(settings: Readonly<Record<string, unknown>> = {}): Promise<Profile> {
  const profile = profileIn(await mkdtemp(join(throwawayParent, "ao-")));
  await fillProfile(profile, settings);
  return profile;
}

/** Gives a profile that is empty its settings and keys, and a folder to open. */
export async function fillProfile(
  profile: Profile,
  settings: Readonly<Record<string, unknown>> = {},
): Promise<void> {
  await cp(sampleWorkspace, profile.workspace, { recursive: true });
  await writeSettings(profile, settings);
  await writeFile(join(profile.userData, "User/keybindings.json"), JSON.stringify(shortcuts, null, 2));
}

/** Takes everything out of a profile that was made or kept in it, but for what an editor's server that runs has open. */
export async function emptyProfile(profile: Profile): Promise<void> {
  for (const folder of [join(profile.userData, "User"), profile.workspace])
    await rm(folder, { recursive: true, force: true, maxRetries: 5, retryDelay: 200 });
}

/** Names the folders of the profile kept in `root`. */
export function profileIn(root: string): Profile {
  return {
    root,
    userData: join(root, "user"),
    extensions: join(root, "extensions"),
    workspace: join(root, "workspace"),
    logs: join(root, "logs"),
  };
}

/** Writes the quiet user settings, with `settings` over them. */
export async function writeSettings(
  profile: Profile,
  settings: Readonly<Record<string, unknown>>,
): Promise<void> {
  const folder = join(profile.userData, "User");
  await mkdir(folder, { recursive: true });
  await writeFile(join(folder, "settings.json"), JSON.stringify({ ...quietSettings, ...settings }, null, 2));
}

/** Removes a throwaway profile; files that a dying editor still writes are left to the system's own cleaning. */
export async function removeProfile(profile: Profile): Promise<void> {
  await rm(profile.root, { recursive: true, force: true, maxRetries: 5, retryDelay: 200 }).catch(
    () => undefined,
  );
}

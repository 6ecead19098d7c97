/** Folders of ours that no other user of this machine may look into. */

import { chmod, mkdir, readdir, stat } from "node:fs/promises";
import { join } from "node:path";

/** Makes the folder for this user alone; one that others could read is closed to them, with all that is in it. */
export async function privateFolder(path: string): Promise<void> {
  await mkdir(path, { recursive: true, mode: 0o700 });
  if (!isOpenToOthers((await stat(path)).mode)) return;
  await closed(path, 0o700);
  for (const entry of await readdir(path, { withFileTypes: true, recursive: true })) {
    const inside = join(entry.parentPath, entry.name);
    if (entry.isDirectory()) await closed(inside, 0o700);
    else if (entry.isFile()) await closed(inside, 0o600);
  }
}

function isOpenToOthers(mode: number): boolean {
  return process.platform !== "win32" && (mode & 0o077) !== 0;
}

/** A file may be gone by now, and not every file system has modes. */
async function closed(path: string, mode: number): Promise<void> {
  await chmod(path, mode).catch(() => undefined);
}

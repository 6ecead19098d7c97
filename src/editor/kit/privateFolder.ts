/** Folders of ours that no other user of this machine may look into. */

import { randomUUID } from "node:crypto";
import { chmod, link, mkdir, readdir, rm, stat, writeFile } from "node:fs/promises";
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

/** Makes a file that appears with its content, so that nobody reads a part of it; false where there is one already. */
export async function madeWhole(path: string, content: string | Uint8Array): Promise<boolean> {
  const mine = `${path}.${randomUUID()}`;
  await writeFile(mine, content, { mode: 0o600 });
  try {
    await link(mine, path);
    return true;
  } catch (error) {
    if (!(error instanceof Error && "code" in error && error.code === "EEXIST")) throw error;
    return false;
  } finally {
    await rm(mine, { force: true });
  }
}

function isOpenToOthers(mode: number): boolean {
  return process.platform !== "win32" && (mode & 0o077) !== 0;
}

/** A file may be gone by now, and not every file system has modes. */
async function closed(path: string, mode: number): Promise<void> {
  await chmod(path, mode).catch(() => undefined);
}

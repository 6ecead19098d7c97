import { readdir, readFile, stat } from "node:fs/promises";
import { join } from "node:path";

/** What in a folder, itself included, other users of the machine may read, write or enter. */
export async function openToOthers(folder: string): Promise<string[]> {
  if (process.platform === "win32") return [];
  const all = ["", ...(await readdir(folder, { recursive: true }))];
  const modes = await Promise.all(all.map(async (name) => (await stat(join(folder, name))).mode));
  return all.filter((_, index) => ((modes[index] ?? 0) & 0o077) !== 0);
}

/** The files in a folder in whose bytes the text stands. */
export async function filesWith(folder: string, text: string): Promise<string[]> {
  const entries = await readdir(folder, { recursive: true, withFileTypes: true });
  const files = entries.filter((entry) => entry.isFile()).map((entry) => join(entry.parentPath, entry.name));
  const contents = await Promise.all(files.map((file) => readFile(file)));
  return files.filter((_, index) => contents[index]?.includes(text) === true);
}

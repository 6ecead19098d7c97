/** Which files a path in a text may mean. */

import { realpath, stat } from "node:fs/promises";
import { isAbsolute, relative, resolve, sep } from "node:path";
import { fileURLToPath } from "node:url";

/** Longer paths are not searched. */
const longest = 1_000;
/** The most paths of a page's texts that are checked at once. */
const mostPaths = 100;

/**
 * The files within the folders that a path means, each by its real path: whole, as `file:` address, or beginning at
 * any of the folders. Nothing outside of the folders is accessed, and links that lead out of them are ignored.
 */
export async function filesNamed(text: string, folders: readonly string[]): Promise<readonly string[]> {
  const path = pathOf(text);
  if (path === undefined) return [];
  const real = await Promise.all(folders.map((folder) => realpath(folder).catch(() => folder)));
  const within = (roots: readonly string[], file: string): boolean => roots.some((root) => isIn(root, file));
  const meant = isAbsolute(path) ? [resolve(path)] : folders.map((folder) => resolve(folder, path));
  const inside = meant.filter((file) => within([...folders, ...real], file));
  const found = await Promise.all(inside.map(fileAt));
  return [...new Set(found.filter((file) => file !== undefined && within(real, file)))] as string[];
}

/** Those of the paths, up to a bound, that mean a file within the folders. */
export async function filesThere(
  paths: readonly string[],
  folders: readonly string[],
): Promise<readonly string[]> {
  const found = await Promise.all(
    paths
      .slice(0, mostPaths)
      .map(async (path) => ((await filesNamed(path, folders)).length > 0 ? [path] : [])),
  );
  return found.flat();
}

function pathOf(text: string): string | undefined {
  if (text.length > longest || text.includes("\0")) return undefined;
  if (!/^file:/i.test(text)) return text;
  try {
    return fileURLToPath(text);
  } catch {
    return undefined;
  }
}

function isIn(folder: string, file: string): boolean {
  const way = relative(folder, file);
  return way !== "" && way !== ".." && !way.startsWith(`..${sep}`) && !isAbsolute(way);
}

async function fileAt(path: string): Promise<string | undefined> {
  try {
    const file = await realpath(path);
    return (await stat(file)).isFile() ? file : undefined;
  } catch {
    return undefined;
  }
}

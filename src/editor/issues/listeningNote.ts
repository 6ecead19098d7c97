/** When a window of this editor listened last, in a file next to the journal: a window that was killed can't tell. */

import { mkdir, readFile, rename, writeFile } from "node:fs/promises";
import { join } from "node:path";

const noteName = "listening.txt";

/** Notes that a window listens now, or until now. */
export async function noteListening(directory: string, at = new Date()): Promise<void> {
  const path = join(directory, noteName);
  await mkdir(directory, { recursive: true });
  await writeFile(`${path}.${String(process.pid)}`, at.toISOString());
  await rename(`${path}.${String(process.pid)}`, path);
}

/** Undefined when nobody ever listened. */
export async function listenedUntil(directory: string): Promise<Date | undefined> {
  const text = await readFile(join(directory, noteName), "utf8").catch(() => "");
  const at = new Date(text);
  return Number.isNaN(at.getTime()) ? undefined : at;
}

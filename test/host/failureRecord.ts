import { cp, mkdir, rm, writeFile } from "node:fs/promises";
import { join, relative } from "node:path";

import { failureFolder, repository } from "./places.ts";
import type { Profile } from "./profile.ts";

/** What a picture can be taken of. */
export interface Pictured {
  screenshot(options: { readonly path: string; readonly timeout: number }): Promise<unknown>;
}

/** Saves what helps to understand a failure: the picture, the page's console, the editor's and its server's logs. */
export async function recordFailure(
  suite: "editor" | "desktop" | "ui",
  title: string,
  profile: Profile,
  page: Pictured | undefined,
  consoleLines: readonly string[],
): Promise<void> {
  const folder = join(failureFolder, suite, title.replaceAll(/[^a-zA-Z0-9]+/g, "-").slice(0, 100));
  await rm(folder, { recursive: true, force: true });
  await mkdir(folder, { recursive: true });
  await page?.screenshot({ path: join(folder, "screenshot.png"), timeout: 10_000 }).catch(() => undefined);
  await writeFile(join(folder, "console.log"), consoleLines.join("\n"));
  await copyIfThere(profile.logs, join(folder, "server"));
  await copyIfThere(join(profile.userData, "logs"), join(folder, "editor"));
  await copyIfThere(join(profile.userData, "coder-logs"), join(folder, "code-server"));
  console.log(`Screenshot and logs: ${relative(repository, folder)}`);
}

async function copyIfThere(from: string, to: string): Promise<void> {
  await cp(from, to, { recursive: true }).catch(() => undefined);
}

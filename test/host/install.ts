import { createHash } from "node:crypto";
import { cp, mkdir, readFile, rename, rm, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { setTimeout as delay } from "node:timers/promises";

import { exclusively } from "./exclusive.ts";
import { runNpm } from "./npm.ts";
import { hostCache } from "./places.ts";

/** The installed editor's programs. */
export interface EditorHost {
  /** The bare editor server, whose driver runs tests inside the extension host. */
  readonly serverMain: string;
  /** The complete server that people use: it keeps secrets over a reload and installs packaged extensions. */
  readonly codeServer: string;
  /** The folder of the extensions that it comes with. */
  readonly extensions: string;
}

/** Raised when npm can't install the editor even after several attempts. */
export class HostInstallError extends Error {
  override readonly name = "HostInstallError";
}

const pins = ["package.json", "package-lock.json", "fileLog.mjs"];
const attempts = 4;

/** Installs the pinned editor unless this exact one is already in the cache. */
export async function installHost(): Promise<EditorHost> {
  const digest = await pinsDigest();
  const folder = join(hostCache, `editor-${digest}`);
  const stamp = join(folder, "installed");
  if (!(await exists(stamp))) {
    await exclusively(`${folder}.lock`, async () => {
      if (!(await exists(stamp))) await installInto(folder, stamp);
    });
  }
  const codeServer = join(folder, "node_modules/code-server");
  return {
    serverMain: join(codeServer, "lib/vscode/out/server-main.js"),
    codeServer: join(codeServer, "out/node/entry.js"),
    extensions: join(codeServer, "lib/vscode/extensions"),
  };
}

async function installInto(folder: string, stamp: string): Promise<void> {
  const started = Date.now();
  const staging = `${folder}.partial`;
  await rm(staging, { recursive: true, force: true });
  await rm(folder, { recursive: true, force: true });
  await mkdir(staging, { recursive: true });
  for (const pin of pins) await cp(join(import.meta.dirname, pin), join(staging, pin));
  const codeServer = join(staging, "node_modules/code-server");
  const inside = join(codeServer, "lib/vscode");
  await npm("ci", "the editor (1 of 3)", staging);
  await npm("install", "the editor's modules (2 of 3)", inside);
  await npm("install", "the built-in extensions' modules (3 of 3)", join(inside, "extensions"));
  await replaceLogWriter(join(inside, "node_modules/@vscode/spdlog"));
  await rename(staging, folder);
  await writeFile(stamp, `${new Date().toISOString()}\n`);
  console.log(`The editor is installed (${Math.round((Date.now() - started) / 1000)} s).`);
}

/** Build scripts stay off: they need a compiler, and the editor runs without what they would build. */
async function npm(command: "ci" | "install", what: string, folder: string): Promise<void> {
  const flags = ["--ignore-scripts", "--omit=dev", "--no-audit", "--no-fund", "--loglevel=error"];
  for (let attempt = 1; ; attempt++) {
    console.log(`Installing ${what}${attempt > 1 ? `, attempt ${attempt}` : ""} …`);
    const { succeeded, lastLines } = await runNpm([command, ...flags], folder);
    if (succeeded) return;
    if (attempt === attempts) throw new HostInstallError(`npm could not install ${what}:\n${lastLines}`);
    await delay(2_000 * 2 ** attempt);
  }
}

/** Without a log writer the editor's log files and the extensions' log channels would stay empty. */
async function replaceLogWriter(folder: string): Promise<void> {
  const manifest = join(folder, "package.json");
  const original = JSON.parse(await readFile(manifest, "utf8")) as Record<string, unknown>;
  await cp(join(import.meta.dirname, "fileLog.mjs"), join(folder, "fileLog.mjs"));
  await writeFile(manifest, JSON.stringify({ ...original, main: "fileLog.mjs" }, null, 2));
}

async function pinsDigest(): Promise<string> {
  const hash = createHash("sha256");
  for (const pin of pins) hash.update(await readFile(join(import.meta.dirname, pin)));
  return hash.digest("hex").slice(0, 12);
}

async function exists(file: string): Promise<boolean> {
  return readFile(file).then(
    () => true,
    () => false,
  );
}

if (import.meta.main) {
  await installHost();
}

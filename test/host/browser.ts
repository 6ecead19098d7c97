import { spawnSync } from "node:child_process";
import { existsSync, statfsSync } from "node:fs";
import { delimiter, join } from "node:path";

import { type Browser, chromium } from "playwright-core";

import { unpackChromium } from "./chromiumArchive.ts";

/** A browser that was seen to start. */
export interface BrowserProgram {
  readonly path: string;
  /** What it needs beside this process's own environment. */
  readonly env: Readonly<Record<string, string>>;
}

/** Raised when neither the machine nor the npm package has a browser that starts here. */
export class NoBrowserError extends Error {
  override readonly name = "NoBrowserError";
}

const names = ["google-chrome", "google-chrome-stable", "chromium", "chromium-browser", "chrome"];
const applications = [
  "/Applications/Google Chrome.app/Contents/MacOS/Google Chrome",
  "/Applications/Chromium.app/Contents/MacOS/Chromium",
  "C:\\Program Files\\Google\\Chrome\\Application\\chrome.exe",
  "C:\\Program Files (x86)\\Microsoft\\Edge\\Application\\msedge.exe",
];
const quietFlags = [
  "--no-sandbox",
  "--disable-gpu",
  "--disable-quic",
  "--no-first-run",
  "--disable-background-networking",
  "--disable-component-update",
  "--disable-sync",
];
/** Makes the browser share memory in files of the temporary folder; the driver asks for it. */
const sharesInFiles = "--disable-dev-shm-usage";

/** Starts a headless browser: the machine's own Chrome or Chromium if there is one, else the npm package's. */
export async function launchBrowser(flags: readonly string[] = []): Promise<Browser> {
  const program = await findBrowser();
  return chromium.launch({
    executablePath: program.path,
    env: { ...process.env, ...program.env },
    args: [...quietFlags, ...flags],
    ignoreDefaultArgs: hasRoomToShare() ? [sharesInFiles] : [],
    headless: true,
    handleSIGINT: false,
    handleSIGTERM: false,
    handleSIGHUP: false,
    timeout: 60_000,
  });
}

/** Finds a browser that starts: `CHROME_PATH`, the usual names on the PATH, the usual folders, the npm package. */
export async function findBrowser(): Promise<BrowserProgram> {
  for (const path of candidates()) {
    if (starts({ path, env: {} })) return { path, env: {} };
  }
  for (const program of await unpackChromium()) {
    if (starts(program)) return program;
  }
  throw new NoBrowserError(
    "No Chrome or Chromium starts here. Install one, or set CHROME_PATH to its program.",
  );
}

function candidates(): string[] {
  const chosen = process.env["CHROME_PATH"];
  const folders = (process.env["PATH"] ?? "").split(delimiter);
  const onPath = names.flatMap((name) => folders.map((folder) => join(folder, name)));
  return [...(chosen === undefined ? [] : [chosen]), ...onPath, ...applications].filter((path) =>
    existsSync(path),
  );
}

/** Some containers have next to no shared memory; where there is enough, drawing into it makes no file for each tile. */
function hasRoomToShare(): boolean {
  try {
    const { bavail, bsize } = statfsSync("/dev/shm");
    return bavail * bsize > 1e9;
  } catch {
    return false;
  }
}

/** Some systems put a script under a browser's name that only tells how to install it. */
function starts(program: BrowserProgram): boolean {
  if (process.platform === "win32") return true;
  const run = spawnSync(program.path, ["--version", "--no-sandbox"], {
    env: { ...process.env, ...program.env },
    timeout: 30_000,
    stdio: "ignore",
  });
  return run.status === 0;
}

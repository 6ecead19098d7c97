import { spawnSync } from "node:child_process";
import { existsSync, readFileSync } from "node:fs";
import { mkdir, rename, rm, writeFile } from "node:fs/promises";
import { join } from "node:path";

import type { BrowserProgram } from "./browser.ts";
import { exclusively } from "./exclusive.ts";
import { hostCache, repository } from "./places.ts";

const archive = join(repository, "node_modules/@sparticuz/chromium");

/** This value makes the package unpack, beside the browser, the libraries that a bare Linux lacks. */
const unpackLibrariesToo = { AWS_LAMBDA_JS_RUNTIME: "nodejs24.x" };
const fontConfiguration = `<?xml version="1.0"?>
<!DOCTYPE fontconfig SYSTEM "fonts.dtd">
<fontconfig>
  <include ignore_missing="yes">/etc/fonts/fonts.conf</include>
  <dir prefix="relative">fonts</dir>
  <cachedir prefix="xdg">fontconfig</cachedir>
</fontconfig>
`;
const unpack = `await (await import("@sparticuz/chromium")).default.executablePath();`;

/** Unpacks the npm package's Chromium into the cache; gives it first with the machine's libraries, then with its own. */
export async function unpackChromium(): Promise<BrowserProgram[]> {
  if (process.platform !== "linux" || !existsSync(archive)) return [];
  const { version } = JSON.parse(readFileSync(join(archive, "package.json"), "utf8")) as { version: string };
  const folder = join(hostCache, `chromium-${version}`);
  if (!existsSync(folder)) {
    await exclusively(`${folder}.lock`, async () => {
      if (!existsSync(folder)) await unpackInto(folder);
    });
  }
  const path = join(folder, "chromium");
  const fonts = { FONTCONFIG_FILE: join(folder, "fonts/fonts.conf") };
  const libraries = [join(folder, "al2023/lib"), process.env["LD_LIBRARY_PATH"] ?? ""]
    .filter(Boolean)
    .join(":");
  return [
    { path, env: fonts },
    { path, env: { ...fonts, LD_LIBRARY_PATH: libraries } },
  ];
}

/** The package unpacks into the temporary folder of its process and trusts what it finds there, so it gets its own. */
async function unpackInto(folder: string): Promise<void> {
  console.log("Unpacking the browser …");
  const staging = `${folder}.partial`;
  await rm(staging, { recursive: true, force: true });
  await mkdir(staging, { recursive: true });
  const run = spawnSync(process.execPath, ["--input-type=module", "--eval", unpack], {
    cwd: repository,
    env: { ...process.env, ...unpackLibrariesToo, TMPDIR: staging },
    stdio: ["ignore", "inherit", "inherit"],
    timeout: 5 * 60_000,
  });
  if (run.status !== 0) throw new Error("The browser could not be unpacked.");
  await writeFile(join(staging, "fonts/fonts.conf"), fontConfiguration);
  await rename(staging, folder);
}

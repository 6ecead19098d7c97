import { spawn } from "node:child_process";
import { existsSync } from "node:fs";
import { cp, readFile, writeFile } from "node:fs/promises";
import { createServer } from "node:net";
import { join } from "node:path";
import { parseArgs } from "node:util";

import { ensurePackaged } from "./builtExtension.ts";
import { openDesktopEditor } from "./desktopEditor.ts";
import { installExtension, startCodeServer } from "./editorServer.ts";
import { packageFirstScreen } from "./firstScreen.ts";
import { installHost } from "./install.ts";
import { type Profile, profileIn, writeSettings } from "./profile.ts";

const { values: options } = parseArgs({
  options: {
    desktop: { type: "boolean", default: false },
    port: { type: "string" },
    "no-open": { type: "boolean", default: process.env["CI"] !== undefined },
  },
});

const firstSettings = {
  "agentOperations.localPlatform.autoStart": true,
  "workbench.startupEditor": "readme",
};

await (options.desktop ? startOnDesktop() : startInBrowser()).catch((error: unknown) => {
  console.error(error instanceof Error ? error.message : error);
  process.exit(1);
});

async function startInBrowser(): Promise<void> {
  const host = await installHost();
  const vsix = await ensurePackaged();
  const profile = await lastingProfile("start");
  await installExtension(host, profile, vsix);
  await installExtension(host, profile, await packageFirstScreen());
  console.log("Starting the editor …");
  const server = await startCodeServer(host, profile, await choosePort(profile));
  await writeFile(portFile(profile), new URL(server.baseUrl).port);
  console.log(`\nThe editor is ready: ${server.baseUrl}/\nPress Ctrl-C to end it.`);
  if (!options["no-open"]) openInBrowser(`${server.baseUrl}/`);
  const ended = await Promise.race([server.exited, interruption()]);
  if (ended !== "interrupted") console.error(`The editor ended by itself with code ${String(ended)}.`);
  await server.stop();
  process.exit(ended === "interrupted" ? 0 : 1);
}

async function startOnDesktop(): Promise<void> {
  const vsix = await ensurePackaged();
  const profile = await lastingProfile("start-desktop");
  openDesktopEditor(profile, [vsix, await packageFirstScreen()]);
}

/** A profile that keeps what its user does in it from one start to the next. */
async function lastingProfile(name: string): Promise<Profile> {
  const profile = profileIn(join(import.meta.dirname, ".cache", name));
  if (!existsSync(join(profile.userData, "User/settings.json"))) await writeSettings(profile, firstSettings);
  await cp(join(import.meta.dirname, "workspace"), profile.workspace, { recursive: true, force: false });
  return profile;
}

/** Browsers keep an editor's layout and secrets by address: the same port as last time, if it is free, keeps them. */
async function choosePort(profile: Profile): Promise<number> {
  if (options.port !== undefined) return Number(options.port);
  const last = Number(await readFile(portFile(profile), "utf8").catch(() => "0"));
  return (await isFree(last)) ? last : 0;
}

function portFile(profile: Profile): string {
  return join(profile.root, "port");
}

async function isFree(port: number): Promise<boolean> {
  const probe = createServer();
  return new Promise((settle) => {
    probe.once("error", () => settle(false));
    probe.listen(port, "127.0.0.1", () => probe.close(() => settle(true)));
  });
}

/** People without a browser on this machine use the printed address; a failure to open one is no failure. */
function openInBrowser(url: string): void {
  const hasDisplay = Boolean(process.env["DISPLAY"] ?? process.env["WAYLAND_DISPLAY"]);
  const openers: Partial<Record<NodeJS.Platform, readonly [string, ...string[]]>> = {
    darwin: ["open", url],
    win32: ["cmd", "/c", "start", "", url],
    ...(hasDisplay ? { linux: ["xdg-open", url] } : {}),
  };
  const [command, ...args] = openers[process.platform] ?? [];
  if (command === undefined) return;
  const child = spawn(command, args, { stdio: "ignore", detached: true });
  child.on("error", () => undefined);
  child.unref();
}

function interruption(): Promise<"interrupted"> {
  return new Promise((settle) => {
    for (const signal of ["SIGINT", "SIGTERM", "SIGHUP"] as const)
      process.once(signal, () => settle("interrupted"));
  });
}

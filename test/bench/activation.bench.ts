/**
 * How long the extension takes to load and activate in the real extension host, each time in a new editor.
 * `AGENT_OPERATIONS_PEER_EXTENSION` may name the folder of another built extension to measure in the same hosts.
 */

import { readFileSync } from "node:fs";
import { readFile } from "node:fs/promises";
import { join } from "node:path";
import { build } from "esbuild";
import { launchBrowser } from "../host/browser.ts";
import { ensureBuilt } from "../host/builtExtension.ts";
import { startTestServer } from "../host/editorServer.ts";
import { runInExtensionHost } from "../host/extensionHost.ts";
import { installHost } from "../host/install.ts";
import { removeProfile, throwawayProfile } from "../host/profile.ts";
import type { Activation } from "./activationProbe.ts";
import { median, projectFolder, report } from "./report.ts";

const rounds = 5;

const peer = process.env["AGENT_OPERATIONS_PEER_EXTENSION"];
const folders = [projectFolder, ...(peer === undefined ? [] : [peer])];
const module = join(projectFolder, "out", "bench", "activationProbe.cjs");

const host = await installHost();
await ensureBuilt();
await build({
  entryPoints: [join(import.meta.dirname, "activationProbe.ts")],
  outfile: module,
  bundle: true,
  platform: "node",
  format: "cjs",
  external: ["vscode"],
  logLevel: "warning",
});
const times = new Map<string, Activation[]>(folders.map((folder) => [folder, []]));
const browser = await launchBrowser();
try {
  for (let round = 0; round < rounds; round += 1) {
    for (const [folder, taken] of times) taken.push(await measure(folder));
  }
} finally {
  await browser.close();
}
report(
  "Loading and activating, medians over new editors (code-server, VS Code's web server build)",
  [...times].map(([folder, taken]) => ({
    extension: nameOf(folder),
    "load ms": median(taken.map(({ loadMs }) => loadMs)),
    "activate() ms": median(taken.map(({ callMs }) => callMs)),
    "until active ms": median(taken.map(({ activateMs }) => activateMs)),
    failed: taken.filter(({ failed }) => failed).length,
  })),
);
process.exit();

async function measure(folder: string): Promise<Activation> {
  const profile = await throwawayProfile();
  const output = join(profile.root, "activation.json");
  const server = await startTestServer(host, profile, {
    AGENT_OPERATIONS_ACTIVATE: nameOf(folder),
    AGENT_OPERATIONS_ACTIVATION_OUTPUT: output,
  });
  const page = await browser.newPage();
  try {
    const lines: string[] = [];
    const onConsole = (line: string): void => void lines.push(line);
    const options = { module, extensions: [folder], deadlineMs: 120_000, onConsole };
    const reason = await runInExtensionHost(page, server, profile, options);
    if (reason !== undefined) throw new Error(`The editor did not measure: ${reason}\n${lines.join("\n")}`);
    return JSON.parse(await readFile(output, "utf8")) as Activation;
  } finally {
    await page.close();
    await server.stop();
    await removeProfile(profile);
  }
}

function nameOf(folder: string): string {
  const { publisher, name } = JSON.parse(readFileSync(join(folder, "package.json"), "utf8")) as {
    publisher: string;
    name: string;
  };
  return `${publisher}.${name}`;
}

/**
 * How long the extension takes to load and activate in the real extension host: in a new editor that never had it, and
 * in the next one on the same profile, where its code is compiled already.
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
import type { Profile } from "../host/profile.ts";
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
/** What is measured, in turn. */
const starts = folders.flatMap((folder) =>
  ["first", "later"].map((start) => ({ folder, start, taken: [] as Activation[] })),
);
const browser = await launchBrowser();
try {
  for (let round = 0; round < rounds; round += 1) {
    for (const folder of folders) {
      const profile = await throwawayProfile();
      for (const { taken } of starts.filter((measured) => measured.folder === folder))
        taken.push(await measure(folder, profile));
      await removeProfile(profile);
    }
  }
} finally {
  await browser.close();
}
report(
  "Loading and activating, medians (code-server, VS Code's web server build)",
  starts.map(({ folder, start, taken }) => ({
    extension: nameOf(folder),
    start,
    "load ms": median(taken.map(({ loadMs }) => loadMs)),
    "activate() ms": median(taken.map(({ activateMs }) => activateMs)),
    "together ms": median(taken.map(({ loadMs, activateMs }) => loadMs + activateMs)),
    "processor ms": median(taken.map(({ cpuMs }) => cpuMs)),
    "least ms": Math.min(...taken.map(({ loadMs, activateMs }) => loadMs + activateMs)),
    failed: taken.filter(({ failed }) => failed).length,
  })),
);
process.exit();

async function measure(folder: string, profile: Profile): Promise<Activation> {
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
  }
}

function nameOf(folder: string): string {
  const { publisher, name } = JSON.parse(readFileSync(join(folder, "package.json"), "utf8")) as {
    publisher: string;
    name: string;
  };
  return `${publisher}.${name}`;
}

import { rm } from "node:fs/promises";
import { join } from "node:path";
import { parseArgs } from "node:util";

import { launchBrowser } from "./browser.ts";
import { ensureBuilt } from "./builtExtension.ts";
import { startTestServer } from "./editorServer.ts";
import { bundleEditorTests, editorTestBundle } from "./editorTestBundle.ts";
import { runInExtensionHost } from "./extensionHost.ts";
import { linkBuiltInExtensions } from "./builtInExtensions.ts";
import { recordFailure } from "./failureRecord.ts";
import { followFile } from "./followedFile.ts";
import { installHost } from "./install.ts";
import { failureFolder, repository } from "./places.ts";
import { installPeer } from "../peers/install.ts";
import { removeProfile, throwawayProfile } from "./profile.ts";
import { closingLine, readTally } from "./tally.ts";
import { drawsWhenTold, UndrawnPage } from "./undrawn.ts";

const suiteDeadlineMs = 100 * 60_000;
/** Nobody looks at this window: what only helps the eye costs it processor time. */
const unseenSettings = {
  "breadcrumbs.enabled": false,
  "editor.cursorBlinking": "solid",
  "editor.minimap.enabled": false,
  "editor.occurrencesHighlight": "off",
  "editor.semanticHighlighting.enabled": false,
  "editor.stickyScroll.enabled": false,
  // Else it makes all of its decorations anew with each change of a setting.
  "merge-conflict.decorators.enabled": false,
};

const { values: options } = parseArgs({ options: { grep: { type: "string", default: "" } } });

const host = await installHost();
await installPeer();
await ensureBuilt();
console.log(`Editor suite: ${await bundleEditorTests()} files`);
await rm(join(failureFolder, "editor"), { recursive: true, force: true });

const own = await throwawayProfile(unseenSettings);
const profile = { ...own, builtIn: await linkBuiltInExtensions(host, join(own.root, "built-in")) };
const outputFile = join(profile.root, "tests.log");
const output = await followFile(outputFile, (text) => void process.stdout.write(text));
const server = await startTestServer(host, profile, {
  AGENT_OPERATIONS_REPO: repository,
  AGENT_OPERATIONS_TEST_OUTPUT: outputFile,
  AGENT_OPERATIONS_TEST_GREP: options.grep,
});
const browser = await launchBrowser(drawsWhenTold);
const consoleLines: string[] = [];
try {
  const page = await UndrawnPage.open(browser);
  const reason = await runInExtensionHost(page, server, profile, {
    module: editorTestBundle,
    extensions: [repository],
    deadlineMs: suiteDeadlineMs,
    onConsole: (line) => consoleLines.push(line),
  });
  await output.end();
  const tally = readTally(output.text());
  const passed = reason === undefined && tally !== undefined && tally.failed === 0;
  if (!passed) await recordFailure("editor", "suite", profile, page, consoleLines);
  if (tally === undefined)
    console.error(`The tests did not run to their end: ${reason ?? "nothing was reported"}`);
  console.log(closingLine(tally ?? { passed: 0, failed: 1 }));
  process.exitCode = passed ? 0 : 1;
} finally {
  await browser.close();
  await server.stop();
  await removeProfile(profile);
}
process.exit();

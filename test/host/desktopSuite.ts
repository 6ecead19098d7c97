import { existsSync } from "node:fs";
import { join } from "node:path";
import { parseArgs } from "node:util";

import { downloadAndUnzipVSCode, runTests } from "@vscode/test-electron";

import { ensureBuilt } from "./builtExtension.ts";
import { bundleEditorTests, editorTestBundle } from "./editorTestBundle.ts";
import { recordFailure } from "./failureRecord.ts";
import { followFile } from "./followedFile.ts";
import { hostCache, repository } from "./places.ts";
import { removeProfile, throwawayProfile } from "./profile.ts";
import { closingLine, readTally } from "./tally.ts";

const { values: options } = parseArgs({ options: { grep: { type: "string", default: "" } } });

const vscodeExecutablePath = await findEditor();
if (vscodeExecutablePath === undefined) {
  const chosen = process.env["VSCODE_EXECUTABLE"];
  const reason = chosen === undefined ? "it could not be downloaded" : `there is no program ${chosen}`;
  console.error(`No desktop VS Code: ${reason}. Set VSCODE_EXECUTABLE to the path of its program.`);
  process.exit(1);
}
await ensureBuilt();
console.log(`Desktop suite: ${await bundleEditorTests()} files in ${vscodeExecutablePath}`);

const profile = await throwawayProfile();
const outputFile = join(profile.root, "tests.log");
const output = await followFile(outputFile, (text) => void process.stdout.write(text));
const reason = await runTests({
  vscodeExecutablePath,
  extensionDevelopmentPath: repository,
  extensionTestsPath: editorTestBundle,
  extensionTestsEnv: {
    AGENT_OPERATIONS_REPO: repository,
    AGENT_OPERATIONS_TEST_OUTPUT: outputFile,
    AGENT_OPERATIONS_TEST_GREP: options.grep,
  },
  launchArgs: [
    profile.workspace,
    ...["--user-data-dir", profile.userData, "--extensions-dir", profile.extensions],
    "--disable-telemetry",
  ],
}).then(
  () => undefined,
  (error: unknown) => String(error),
);
await output.end();
const tally = readTally(output.text());
if (tally === undefined)
  console.error(`The tests did not run to their end: ${reason ?? "nothing was reported"}`);
const passed = reason === undefined && tally !== undefined && tally.failed === 0;
if (!passed) await recordFailure("desktop", "suite", profile, undefined, []);
await removeProfile(profile);
console.log(closingLine(tally ?? { passed: 0, failed: 1 }));
process.exit(passed ? 0 : 1);

/** The editor that `VSCODE_EXECUTABLE` names, else a downloaded one; undefined where it can't be had. */
async function findEditor(): Promise<string | undefined> {
  const chosen = process.env["VSCODE_EXECUTABLE"];
  if (chosen !== undefined) return existsSync(chosen) ? chosen : undefined;
  return downloadAndUnzipVSCode({ cachePath: join(hostCache, "desktop"), timeout: 30_000 }).catch(
    () => undefined,
  );
}

import { globSync } from "node:fs";
import { join } from "node:path";
import { parseArgs } from "node:util";

import Mocha from "mocha";

import { installPeer } from "../peers/install.ts";
import { closeEditors } from "./openEditor.ts";
import { packagedEditor } from "./packagedEditor.ts";
import { repository } from "./places.ts";
import { retries, sayRetries } from "./retries.ts";
import { closingLine } from "./tally.ts";

const suiteDeadlineMs = 100 * 60_000;

const { values: options } = parseArgs({
  options: { grep: { type: "string" }, pictures: { type: "boolean", default: false } },
});

const kind = options.pictures ? "pictures" : "test";
const files = globSync(`test/ui/**/*.${kind}.ts`, { cwd: repository }).sort();
const mocha = new Mocha({
  ui: "bdd",
  timeout: 300_000,
  slow: 10_000,
  retries,
  forbidOnly: process.env["CI"] !== undefined,
  ...(options.grep === undefined ? {} : { grep: options.grep }),
});
for (const file of files) mocha.addFile(join(repository, file));

const deadline = setTimeout(() => {
  console.error("The suite took too long.");
  console.log(closingLine({ passed: 0, failed: 1 }));
  process.exit(1);
}, suiteDeadlineMs);
try {
  await installPeer();
  await packagedEditor();
  await mocha.loadFilesAsync();
  const { passes, failures } = await run();
  console.log(closingLine({ passed: passes, failed: failures }));
  process.exitCode = failures === 0 && passes > 0 ? 0 : 1;
} finally {
  clearTimeout(deadline);
  await closeEditors();
}
process.exit();

async function run(): Promise<Mocha.Stats> {
  return new Promise((settle, fail) => {
    const runner = mocha.run(() =>
      runner.stats ? settle(runner.stats) : fail(new Error("mocha kept no count")),
    );
    sayRetries(runner);
  });
}

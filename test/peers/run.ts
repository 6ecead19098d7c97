/** Runs the tests against software that nobody here wrote (`npm run test:peers`), installing it when needed. */

import { deepEqual } from "node:assert/strict";
import { globSync } from "node:fs";
import { basename, join } from "node:path";
import Mocha from "mocha";
import { retries, sayRetries } from "../host/retries.ts";
import { onForeignRequest } from "../support/foreign.ts";
import { readEndpoints } from "../support/interface.ts";
import { installPeer } from "./install.ts";

await installPeer();
const mocha = new Mocha({ timeout: 180_000, reporter: "spec", retries });
for (const file of globSync(join(import.meta.dirname, "*.test.ts")).sort()) mocha.addFile(file);
await mocha.loadFilesAsync();
checkInterface();
const { passes, failures } = await new Promise<Mocha.Stats>((ended) => {
  const runner = mocha.run(() =>
    ended(runner.stats ?? { suites: 0, tests: 0, passes: 0, pending: 0, failures: 1 }),
  );
  sayRetries(runner);
});
console.log(`${passes} passed, ${failures} failed`);
process.exit(failures === 0 && passes > 0 ? 0 : 1);

/** Fails when a file did not send what docs/interface.md says was checked there, to or by software not written here. */
function checkInterface(): void {
  const endpoints = readEndpoints(join(import.meta.dirname, "../.."));
  const sent = new Set<string>();
  let file = "";
  onForeignRequest(endpoints, (name) => sent.add(`${file}: ${name}`));
  for (const suite of mocha.suite.suites)
    suite.beforeAll(() => void (file = `peers/${basename(suite.file ?? "")}`));
  mocha.suite.afterAll("each file sends what docs/interface.md says", () => {
    const missing = endpoints.all.flatMap(({ name, checkedBy }) =>
      checkedBy.map((by) => `${by}: ${name}`).filter((pair) => !sent.has(pair)),
    );
    deepEqual(missing, []);
  });
}

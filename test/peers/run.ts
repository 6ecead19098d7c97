/** Runs the tests against software that nobody here wrote (`npm run test:peers`), installing it when needed. */

import { globSync } from "node:fs";
import { join } from "node:path";
import Mocha from "mocha";
import { installPeer } from "./install.ts";

await installPeer();
const mocha = new Mocha({ timeout: 30_000, reporter: "spec" });
for (const file of globSync(join(import.meta.dirname, "*.test.ts")).sort()) mocha.addFile(file);
await mocha.loadFilesAsync();
const { passes, failures } = await new Promise<Mocha.Stats>((ended) => {
  const runner = mocha.run(() =>
    ended(runner.stats ?? { suites: 0, tests: 0, passes: 0, pending: 0, failures: 1 }),
  );
});
console.log(`${passes} passed, ${failures} failed`);
process.exit(failures === 0 && passes > 0 ? 0 : 1);

/** Runs one file of the ui suite: `node uiFile.ts FILE [GREP]`. */

import { join } from "node:path";

import Mocha from "mocha";

import { closePackagedEditor, packagedEditor } from "./packagedEditor.ts";
import { repository } from "./places.ts";

const [file = "", grep = ""] = process.argv.slice(2);
const mocha = new Mocha({
  ui: "bdd",
  timeout: 60_000,
  slow: 10_000,
  forbidOnly: process.env["CI"] !== undefined,
  ...(grep === "" ? {} : { grep }),
});
mocha.addFile(join(repository, file));
try {
  await mocha.loadFilesAsync();
  await packagedEditor();
  const failures = await new Promise<number>((ended) => mocha.run(ended));
  process.exitCode = failures === 0 ? 0 : 1;
} finally {
  await closePackagedEditor();
}
process.exit();

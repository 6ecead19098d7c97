/** How long `activate()` takes in the real extension host; the editor suite leaves its measurements in `out/`. */

import { existsSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { projectFolder, report } from "./report.ts";

interface Activations {
  /** The editor's name and version. */
  readonly host: string;
  readonly extensions: readonly {
    readonly id: string;
    readonly loadMs: number;
    readonly activateMs: number;
  }[];
}

const file = join(projectFolder, "out", "activation.json");
if (existsSync(file)) {
  const { host, extensions } = JSON.parse(readFileSync(file, "utf8")) as Activations;
  const rows = extensions.map(({ id, loadMs, activateMs }) => ({
    extension: id,
    "load ms": loadMs,
    "activate ms": activateMs,
  }));
  report(`Activation in ${host}`, rows);
} else {
  console.log("\nActivation: not measured yet; npm run test:editor does it.");
}

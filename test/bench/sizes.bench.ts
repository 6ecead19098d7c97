/** What is shipped: each bundle, and the package with and without the Local Platform. Builds the package first. */

import { spawnSync } from "node:child_process";
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { gzipSync } from "node:zlib";
import { projectFolder, report } from "./report.ts";

interface Packed {
  readonly name: string;
  readonly size: number;
}

const bundles = [
  "extension.cjs",
  "extension/start.cjs",
  "webview.js",
  "parquet.js",
  "compare.js",
  "emulator.js",
];
const packageFile = join(projectFolder, "out", "agent-operations.vsix");

const { status, stderr } = spawnSync("npm", ["run", "package"], {
  cwd: projectFolder,
  encoding: "utf8",
  shell: process.platform === "win32",
});
if (status !== 0) throw new Error(stderr);

report(
  "Bundles",
  bundles.map((bundle) => {
    const code = readFileSync(join(projectFolder, "dist", bundle));
    return { bundle, kB: code.length / 1024, "gzip kB": gzipSync(code).length / 1024 };
  }),
);

const file = readFileSync(packageFile);
const emulator = packedFiles(file).filter(({ name }) => /^extension\/dist\/emulator(\.js|\/)/.test(name));
if (emulator.length === 0) throw new Error("the package has no Local Platform");
const emulatorSize = emulator.reduce((sum, { size }) => sum + size, 0);
report("Package (.vsix)", [
  { package: "with the Local Platform", MB: file.length / 2 ** 20, "bar MB": 2.5 },
  { package: "without it", MB: (file.length - emulatorSize) / 2 ** 20, "bar MB": 1 },
]);

/** The files of a zip archive with their packed sizes, from its central directory. */
function packedFiles(archive: Buffer): readonly Packed[] {
  const end = archive.lastIndexOf(Buffer.from("PK\u0005\u0006"));
  const files: Packed[] = [];
  let at = archive.readUInt32LE(end + 16);
  for (let count = archive.readUInt16LE(end + 10); count > 0; count -= 1) {
    const [name, extra, comment] = [28, 30, 32].map((field) => archive.readUInt16LE(at + field));
    const nameEnd = at + 46 + (name ?? 0);
    files.push({ name: archive.toString("utf8", at + 46, nameEnd), size: archive.readUInt32LE(at + 20) });
    at = nameEnd + (extra ?? 0) + (comment ?? 0);
  }
  return files;
}

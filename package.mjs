// Packages the extension from a folder that has nothing else: vsce matches each file that it sees against each pattern of
// .vscodeignore, and the tests install tens of thousands of files.
import { cp, mkdir, rm } from "node:fs/promises";
import { join } from "node:path";
import { createVSIX } from "@vscode/vsce";

const folder = "out/package";
const documents = ["README.md", "CHANGELOG.md", "LICENSE", "THIRD_PARTY_NOTICES.md"];

await rm(folder, { recursive: true, force: true });
await mkdir(folder, { recursive: true });
for (const name of ["package.json", ".vscodeignore", ...documents, "dist", "media"])
  await cp(name, join(folder, name), { recursive: true });
await createVSIX({
  cwd: folder,
  packagePath: "out/agent-operations.vsix",
  dependencies: false,
  allowMissingRepository: true,
  rewriteRelativeLinks: false,
});

import { mkdir, readdir, symlink } from "node:fs/promises";
import { join } from "node:path";

import type { EditorHost } from "./install.ts";

/**
 * What has nothing to do with ours, and costs each window a sixth of its start: an assistant, other version control and
 * its accounts, other languages' servers, other tasks, notebooks and tunnels.
 */
const apart = new Set([
  ...["copilot", "git", "git-base", "github", "github-authentication", "microsoft-authentication"],
  ...[
    "css-language-features",
    "emmet",
    "extension-editing",
    "html-language-features",
    "php-language-features",
  ],
  ...["grunt", "gulp", "jake", "npm", "ipynb", "notebook-renderers", "mermaid-markdown-features"],
  ...["prompt-basics", "tunnel-forwarding"],
]);

/** Makes a folder of links to the editor's own extensions, without those; `folder` is where, and is made. */
export async function linkBuiltInExtensions(host: EditorHost, folder: string): Promise<string> {
  await mkdir(folder, { recursive: true });
  for (const name of await readdir(host.extensions)) {
    if (!apart.has(name)) await symlink(join(host.extensions, name), join(folder, name), "junction");
  }
  return folder;
}

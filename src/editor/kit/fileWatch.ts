/** Hearing of a file that other windows of this editor write, too. */

import { watch } from "node:fs";
import { basename, dirname } from "node:path";

/** Calls back whenever the file may have changed, come or gone; its folder must be there. The answer ends it. */
export function watchFile(path: string, changed: () => void): () => void {
  const watcher = watch(dirname(path), { persistent: false }, (_, name) => {
    if (name === null || name === basename(path)) changed();
  });
  watcher.on("error", changed);
  return () => watcher.close();
}

import { cp, symlink, writeFile } from "node:fs/promises";
import { join } from "node:path";

import { repository } from "../host/places.ts";

/** Lays graphs that need no model into a folder, with the pinned agent server as the one that they would have installed. */
export async function layGraphProject(folder: string): Promise<void> {
  await cp(join(repository, "test/support/graphProject"), folder, { recursive: true });
  await writeFile(join(folder, ".env"), "");
  await symlink(
    join(repository, "test/peers/langgraph/node_modules"),
    join(folder, "node_modules"),
    "junction",
  );
}

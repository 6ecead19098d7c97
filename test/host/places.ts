import { tmpdir } from "node:os";
import { join, resolve } from "node:path";

/** The repository's root folder. */
export const repository = resolve(import.meta.dirname, "../..");

/** Where the pinned editor and browser are kept between runs; a fresh clone can share another clone's. */
export const hostCache = resolve(
  process.env["AGENT_OPERATIONS_HOST_CACHE"] ?? join(import.meta.dirname, ".cache"),
);

/** The packaged extension that `npm run package` writes. */
export const packagedExtension = join(repository, "out/agent-operations.vsix");

/** Where a failing suite leaves its screenshots and the editor's logs. */
export const failureFolder = join(repository, "out/host-failures");

/** Parent of throwaway profiles: short, because the editor puts its sockets there and their paths are limited. */
export const throwawayParent = tmpdir();

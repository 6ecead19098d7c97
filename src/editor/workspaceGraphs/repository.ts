/** Where a folder's source lies for a platform that builds it: its remote repository, branch and path in it. */

import { execFile } from "node:child_process";
import { promisify } from "node:util";

/** A folder of a git repository. */
export interface Repository {
  /** The remote's address for browsers, without user and password; "" where it has none. */
  readonly url: string;
  /** "" where no branch is checked out. */
  readonly branch: string;
  /** From the repository's root to the folder, "" or with a slash at its end. */
  readonly prefix: string;
  /** What a platform would not see of the folder; undefined where all of it is pushed. */
  readonly unpushed: string | undefined;
}

const run = promisify(execFile);
const timeout = 10_000;

/** Asks git about the folder, and changes nothing; undefined where the folder is in no repository, or git is not there. */
export async function readRepository(folder: string): Promise<Repository | undefined> {
  const git = async (...args: readonly string[]): Promise<string | undefined> =>
    run("git", ["--no-optional-locks", ...args], { cwd: folder, timeout }).then(
      ({ stdout }) => stdout.trim(),
      () => undefined,
    );
  const prefix = await git("rev-parse", "--show-prefix");
  if (prefix === undefined) return undefined;
  const branch = (await git("symbolic-ref", "--short", "-q", "HEAD")) ?? "";
  const remotes = (await git("remote"))?.split("\n") ?? [];
  const followed = await git("config", "--get", `branch.${branch}.remote`);
  const remote = followed ?? (remotes.includes("origin") ? "origin" : remotes[0]);
  const address = remote === undefined || remote === "" ? undefined : await git("remote", "get-url", remote);
  const ahead = await git("rev-list", "--count", "@{upstream}..HEAD");
  const changed = await git("status", "--porcelain", "--", ".");
  return {
    url: webAddress(address ?? ""),
    branch,
    prefix,
    unpushed: unpushed({ branch, ahead, isChanged: changed !== "" }),
  };
}

/** `git@host:owner/name.git` and the like, as an address for browsers; "" for what is none, such as a folder. */
export function webAddress(remote: string): string {
  const [, host, path] = /^(?:[\w.-]+@)([\w.-]+):(?!\/\/)(.+)$/.exec(remote) ?? [];
  const url = URL.parse(host === undefined ? remote : `https://${host}/${path ?? ""}`);
  if (url === null || !["https:", "http:", "ssh:", "git:"].includes(url.protocol)) return "";
  const scheme = url.protocol === "http:" ? "http:" : "https:";
  const port = url.protocol.startsWith("http") && url.port !== "" ? `:${url.port}` : "";
  return `${scheme}//${url.hostname}${port}${url.pathname.replace(/\/?$/, "").replace(/\.git$/, "")}`;
}

function unpushed({
  branch,
  ahead,
  isChanged,
}: {
  readonly branch: string;
  readonly ahead: string | undefined;
  readonly isChanged: boolean;
}): string | undefined {
  const said = [
    ahead === undefined && branch !== "" ? `the branch ${branch} was not pushed` : "",
    ahead !== undefined && ahead !== "0" ? `commits are not pushed: ${ahead}` : "",
    isChanged ? "files were changed since the last commit" : "",
  ].filter((text) => text !== "");
  return said.length === 0 ? undefined : said.join(", and ");
}

/** What a deployment or a revision was made from, whole and as the part that tells it from its siblings. */

import type { SourceRevisionConfig } from "../../api/controlPlane/wire.ts";

type Config = SourceRevisionConfig | null | undefined;

const shortHash = 7;

/** A branch or tag, an image, or a source archive; undefined when there is nothing of the kind. */
export function sourceOf(config: Config): string | undefined {
  const { repo_ref, image_uri, source_tarball_path } = config ?? {};
  const named = [repo_ref, image_uri, source_tarball_path].find(isText);
  return named?.replace(/^refs\/(tags|heads)\//, "");
}

/**
 * An image's tag or the start of its digest, a branch or tag with the start of its commit, the file name of an archive:
 * `1.4.2`, `@6c3c624`, `main@1a2b3c4`, `bot.tar.gz`. Undefined when there is nothing of the kind.
 */
export function versionOf(config: Config): string | undefined {
  const { repo_ref, repo_commit_sha: commit, image_uri, source_tarball_path } = config ?? {};
  if (isText(repo_ref)) {
    const ref = repo_ref.replace(/^refs\/(tags|heads)\//, "");
    return isText(commit) && !ref.startsWith(commit.slice(0, shortHash))
      ? `${ref}@${commit.slice(0, shortHash)}`
      : ref;
  }
  if (isText(image_uri)) return versionOfImage(image_uri);
  return isText(source_tarball_path) ? lastPart(source_tarball_path) : undefined;
}

/** The colon of a registry's port is none before a tag. */
function versionOfImage(image: string): string {
  const [name = "", digest] = image.split("@");
  const last = lastPart(name);
  const tag = /:([^:]+)$/.exec(last)?.[1];
  if (tag !== undefined) return tag;
  const hash = digest?.replace(/^\w+:/, "");
  return hash === undefined || hash === "" ? last : `@${hash.slice(0, shortHash)}`;
}

function lastPart(path: string): string {
  return path.split("/").findLast((part) => part !== "") ?? path;
}

function isText(text: string | null | undefined): text is string {
  return typeof text === "string" && text !== "";
}

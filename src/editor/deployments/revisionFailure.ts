/** Why a revision failed, by its log, and which one served before it. */

import type { ControlPlane } from "../../api/controlPlane/index.ts";
import { progressOfRevision } from "../../api/controlPlane/status.ts";
import type { Revision } from "../../api/controlPlane/wire.ts";
import type { RevisionRef } from "../connections/connection.ts";
import { levelRank, logLineOf, plainMessage } from "./logs/logLine.ts";
import { firstLine } from "../kit/words.ts";
import { logOf } from "./revisionStatus.ts";

/** What is known of a failed revision beside its status. */
export interface FailedRevision {
  /** Without a full stop. */
  readonly reason?: string | undefined;
  /** The one that was deployed before. */
  readonly before?: Revision | undefined;
}

/** Where the log and the revisions are asked for. */
export type FailureSource = Pick<ControlPlane, "logs" | "revisions">;

/** How many of the log's newest lines are searched. */
const lines = 200;
const errorRank = levelRank("ERROR");

/** The reason and the way back, as far as the server says them; never throws. */
export async function failedRevision(
  source: FailureSource,
  ref: RevisionRef,
  status: string | undefined,
  signal?: AbortSignal,
): Promise<FailedRevision> {
  const [reason, before] = await Promise.all([
    reasonOf(source, ref, status, signal).catch(() => undefined),
    revisionBefore(source, ref, signal).catch(() => undefined),
  ]);
  return { reason, before };
}

/**
 * The last line of its log that tells of an error, in one line; undefined when there is none. Throws what the server
 * answers, "unsupported" where it has no logs.
 */
export async function reasonOf(
  { logs }: FailureSource,
  { deploymentId, revisionId }: RevisionRef,
  status: string | undefined,
  signal?: AbortSignal,
): Promise<string | undefined> {
  const query = { type: logOf(status), order: "desc", limit: lines } as const;
  const page = await logs.ofRevision(deploymentId, revisionId, query, { signal });
  const newestFirst = page.logs.map(logLineOf);
  const isError = (level: string): boolean =>
    levelRank(level) >= errorRank && Number.isFinite(levelRank(level));
  const last = newestFirst.find(({ level, message }) => isError(level) && message.trim() !== "");
  return last && headline(last.message);
}

/** The newest revision before this one that was deployed, to go back to; undefined when there is none. */
export async function revisionBefore(
  { revisions }: Pick<FailureSource, "revisions">,
  { deploymentId, revisionId }: RevisionRef,
  signal?: AbortSignal,
): Promise<Revision | undefined> {
  let isOlder = false;
  let offset: number | undefined = 0;
  while (offset !== undefined) {
    const page: Awaited<ReturnType<typeof revisions.page>> = await revisions.page(
      deploymentId,
      { limit: 100, offset },
      { signal },
    );
    for (const revision of page.revisions) {
      if (isOlder && progressOfRevision(revision) === "done") return revision;
      isOlder ||= revision.id === revisionId;
    }
    offset = page.nextOffset;
  }
  return undefined;
}

/** The first line says what happened; below "Traceback", the last one does. */
function headline(message: string): string {
  const text = plainMessage(message).trim();
  return firstLine(text.startsWith("Traceback") ? (text.split(/[\r\n]+/).at(-1) ?? text) : text);
}

/** Follows what others do to the thread of a session, while somebody sees it and nothing streams. */

import type { Clock } from "../../api/retry.ts";
import type { SessionState } from "../../run/panel/messages.ts";
import type { RunServer } from "../../run/session/server.ts";
import type { RunSession } from "../../run/session/session.ts";
import type { ThreadTarget } from "../connections/connection.ts";
import type { Attention } from "../kit/attention.ts";
import type { ThreadVersion } from "./servers/threadHost.ts";
import type { ThreadHosts } from "./servers/threadHosts.ts";
import { goneVersion, ThreadWatch } from "./threadWatch.ts";

/** What it asks, and how often. */
export interface SessionWatchServices {
  readonly threadHosts: Pick<ThreadHosts, "of">;
  readonly clock: Clock;
  readonly attention: Pick<Attention, "slowestMs">;
}

/** Reads the thread anew when somebody else did something to it. */
export function watchSession(
  target: ThreadTarget,
  session: RunSession,
  { threadHosts, clock, attention }: SessionWatchServices,
): ThreadWatch {
  return new ThreadWatch({
    read: async (signal) => {
      const { threadId } = session;
      if (threadId === undefined) return undefined;
      const version = await threadHosts.of(target).version(threadId, { signal }).catch(goneVersion);
      if (version === undefined) session.noteUnfollowed();
      return version;
    },
    state: () => watchState(session.state),
    isNews: (version, signal) => isNews(session, threadHosts.of(target).runs, version, signal),
    renew: () => (session.state.kind === "failed" ? session.load() : session.refresh()),
    clock,
    slowestMs: () => attention.slowestMs(),
  });
}

/** Whether events come, or are about to. */
export function isLive({ kind }: SessionState): boolean {
  return kind === "streaming" || kind === "reconnecting" || kind === "stopping";
}

/** Whether a question waits for its answer. */
export function asksPerson({ entries }: RunSession): boolean {
  return entries.some(
    (entry) => entry.kind === "interrupt" && (entry.state === "open" || entry.state === "failed"),
  );
}

/** A run that was left, and a thread that could not be read, are asked about as well: they may have gone on. */
function watchState(state: SessionState): "polls" | "follows" | "busy" {
  if (isLive(state)) return "follows";
  return state.kind === "loading" ? "busy" : "polls";
}

/** How long after the end of a run its thread may still change because of it, in milliseconds. */
const aftermathMs = 2000;
/** Runs that are looked through for one that was started elsewhere. */
const mostRuns = 100;

/** After a run was followed here: whether the thread went on since. */
async function isNews(
  { state, entries, threadId, newestFollowed }: RunSession,
  { runs }: RunServer,
  { status, updatedAt }: ThreadVersion,
  signal: AbortSignal,
): Promise<boolean> {
  if (state.kind === "failed") return true;
  if (state.kind === "detached") return false;
  if (status === "busy") return true;
  // Behind it there may be others that are known by name only: what they did is still to be read.
  const newest = entries
    .filter((entry) => entry.kind === "run")
    .find(({ runId }) => runId === newestFollowed);
  if (newest?.endedAt === undefined || threadId === undefined) return false;
  const changedAt = Math.max(...updatedAt.split(" ").map((at) => Date.parse(at)));
  if (changedAt - newest.endedAt > aftermathMs) return true;
  const listed = await runs.list(threadId, { limit: mostRuns, signal });
  const own = listed.find(({ run_id: id }) => id === newest.runId);
  return own !== undefined && listed.some((run) => run.created_at > own.created_at);
}

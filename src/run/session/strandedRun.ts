/** Recognises a run that nobody carries on: its server was restarted, and lists it as running for ever. */

import type { Run } from "../../api/agentServer/wire.ts";
import { checkpointIn } from "../history/pages.ts";
import { readThread, type ServerBegin, type SessionParts, type ThreadNow } from "./server.ts";

/** A run of which no sign of life was seen. */
export interface StrandedRun {
  readonly runId: string;
  /** The sign for it beside the silence: the server lost the events of the run, or began after the run did, or none. */
  readonly sign: "events" | "server" | "silence";
  /** The nodes before which its thread stands. */
  readonly next: readonly string[];
  /** When its server began, where that tells it. */
  readonly serverBegan?: ServerBegin;
}

/** What a look at a thread finds: nothing that is running, a run that goes on, or one that seems to be stranded. */
export type StrandedCheck =
  | { readonly kind: "none" }
  | { readonly kind: "alive" }
  | ({ readonly kind: "stranded" } & StrandedRun);

/** The thread that is checked. */
export type CheckedThread = Pick<SessionParts, "server" | "threadId" | "signal" | "clock">;

/** How long a stream is listened to; a server that has events of a run sends them at once. */
const listenMs = 3000;
const checks = 3;

/**
 * Checks several times whether anything moves in a thread, and listens to its run where nothing else tells. Nothing is
 * changed, and no event is taken from who follows the run. Rejects with what the server answers.
 */
export async function findStranded(thread: CheckedThread, ms = listenMs): Promise<StrandedCheck> {
  const { server, clock, signal } = thread;
  const before = await readThread(thread);
  const run = before.runs.find(({ status }) => status === "running");
  if (run === undefined) return { kind: "none" };
  const runId = run.run_id;
  const { next } = before.state;
  const serverBegan = server.process?.began();
  const isYounger = serverBegan !== undefined && serverBegan.at > Date.parse(run.created_at);
  // It was queued while the server was restarted, and started afterwards.
  if (isYounger && Date.parse(before.state.created_at ?? "") > serverBegan.at) return { kind: "alive" };
  // Joining a run that can't be followed twice would take its events from other readers. And a development server
  // stops writing to its disk once somebody listens to a stranded run.
  const listens = !isYounger && run.kwargs?.["resumable"] === true;
  const sends = listens ? sendsEvents(thread, runId, ms) : Promise.resolve(false);
  sends.catch(() => undefined);
  for (let check = 1; check < checks; check += 1) {
    await clock.sleep(ms / (checks - 1), signal);
    if (!isStill(before, await readThread(thread), run)) return { kind: "alive" };
  }
  if (await sends) return { kind: "alive" };
  if (isYounger) return { kind: "stranded", runId, next, sign: "server", serverBegan };
  const isLost = listens && (await server.process?.keepsEvents({ signal })) === true;
  return { kind: "stranded", runId, next, sign: isLost ? "events" : "silence" };
}

/** What is seen, in words for a person. */
export function strandedText({ sign, serverBegan }: Pick<StrandedRun, "sign" | "serverBegan">): string {
  const at = new Date(serverBegan?.at ?? 0).toLocaleTimeString();
  const texts: Readonly<Record<typeof sign, string>> = {
    events:
      "This run seems to be stranded: nothing comes from it, and its server has lost its events, as it does when it is restarted.",
    server:
      serverBegan?.savedFile === undefined
        ? `This run seems to be stranded: nothing comes from it, and its server was started after it, at ${at}.`
        : `This run seems to be stranded: ${serverBegan.savedFile} was saved, its server loaded the graphs anew at ${at}, and nothing comes from the run since.`,
    silence:
      "This run may be stranded: nothing comes from it, and nothing changes. Whether its server was restarted is not known.",
  };
  return texts[sign];
}

/** Whether anything of the run comes when it is followed from its beginning, or its stream ends. */
async function sendsEvents(
  { server, threadId, signal, clock }: CheckedThread,
  runId: string,
  ms: number,
): Promise<boolean> {
  const aborter = new AbortController();
  const options = { lastEventId: "-1", signal: AbortSignal.any([signal, aborter.signal]) };
  const first = async (): Promise<boolean> => {
    const { events } = await server.runs.rejoin(threadId, runId, options);
    await events[Symbol.asyncIterator]().next();
    return true;
  };
  const silence = clock.sleep(ms, options.signal).then(() => false);
  try {
    return await Promise.race([first(), silence]);
  } finally {
    silence.catch(() => undefined);
    aborter.abort();
  }
}

function isStill(before: ThreadNow, now: ThreadNow, { run_id: id, status, updated_at }: Run): boolean {
  const same = now.runs.find(({ run_id: other }) => other === id);
  return (
    same?.status === status &&
    same.updated_at === updated_at &&
    before.state.row?.status === now.state.row?.status &&
    checkpointIn(before.state) === checkpointIn(now.state)
  );
}

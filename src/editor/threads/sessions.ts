/**
 * The runs that this window watches: one session per thread, however many panels come and go.
 *
 * A session lives while a panel shows its thread, and beyond that while it streams: closing a panel in the middle of
 * a run loses nothing. It ends when neither holds, when its thread is deleted, and with the window.
 */

import type * as vscode from "vscode";
import type { SessionState, Failure } from "../../run/panel/messages.ts";
import { answerText, resumeValue } from "../../run/fold/humanReview.ts";
import { followable, readThread, type RunServer, type SentFeedback } from "../../run/session/server.ts";
import type { RunSession } from "../../run/session/session.ts";
import type { Decision, Feedback } from "../../run/panel/transcript.ts";
import type { AgentServers } from "./servers/agentServers.ts";
import { type SoleAction, waitsFor } from "./waitingThread.ts";
import type { WaitingThreads } from "./waitingThreads.ts";
import type { ThreadRef, ThreadTarget } from "../connections/connection.ts";
import { isSameThread, serverKey } from "../connections/serverRef.ts";
import { KeptList, type Memory } from "../kit/keptList.ts";
import { adviceFor, NotPossibleError, titleOf } from "../kit/remedies.ts";
import { realClock } from "../../api/poll.ts";
import type { ThreadHosts } from "./servers/threadHosts.ts";
import type { ThreadChange, Threads } from "./threads.ts";

/** What makes a session: it is loaded with the first panel or answer, not with the window. */
type SessionClass = typeof RunSession;

/** A session that somebody shows; releasing it lets it end. */
export interface HeldSession {
  readonly session: RunSession;
  release(): void;
}

interface OpenSession {
  readonly target: ThreadTarget;
  readonly session: RunSession;
  readonly holders: Set<() => void>;
  /** Whether its transcript was asked for; who only answers a question needs none. */
  loaded: boolean;
  /** The state that was notified last. */
  lastNotified: string;
}

interface SessionServices {
  readonly agentServers: AgentServers;
  readonly threadHosts: ThreadHosts;
  readonly threads: Threads;
  readonly waitingThreads: WaitingThreads;
  readonly context: vscode.ExtensionContext;
}

/** One session for each thread that is shown or streams. */
export class Sessions implements vscode.Disposable {
  readonly #services: SessionServices;
  readonly #open = new Set<OpenSession>();
  /** The threads that an answer is on the way to, which have no session yet. */
  readonly #answering = new Set<string>();
  readonly #subscription: vscode.Disposable;

  constructor(services: SessionServices) {
    this.#services = services;
    this.#subscription = services.threads.onDidChange((change) => this.#threadsChanged(change));
  }

  /** The session of a thread, made and loaded if there is none; `onChange` is called until it is released. */
  hold(target: ThreadTarget, Session: SessionClass, onChange: () => void): HeldSession {
    const open = this.#find(target) ?? this.#make(target, Session);
    open.holders.add(onChange);
    // Later than now: the holder is not ready for a change before it has its session.
    if (!open.loaded) queueMicrotask(() => void open.session.load());
    open.loaded = true;
    return {
      session: open.session,
      release: () => {
        open.holders.delete(onChange);
        this.#endUnused(open);
      },
    };
  }

  /** The threads that stream to this window. */
  get streaming(): readonly ThreadRef[] {
    return [...this.#open]
      .filter(({ session }) => isLive(session.state))
      .flatMap((open) => refOf(open) ?? []);
  }

  /** Tries again what failed on a connection: its key or its server may be back. */
  retry(connectionId?: string): void {
    for (const { target, session } of this.#open) {
      if (connectionId !== undefined && target.connectionId !== connectionId) continue;
      if (session.state.kind === "failed") void session.retry();
    }
  }

  /** Ends what streams on connections that are there no more, unless a panel shows it. */
  retain(connectionIds: readonly string[]): void {
    for (const open of this.#open) {
      if (open.holders.size === 0 && !connectionIds.includes(open.target.connectionId)) this.#dispose(open);
    }
  }

  /**
   * Answers the one action that a thread asks about, whether or not somebody shows it; rejects when the answer was not
   * taken. Without a session it leaves by the shortest way, and a session follows the run that it starts.
   */
  async decide(thread: ThreadRef, action: SoleAction, decision: Decision): Promise<void> {
    try {
      const open = this.#find(thread);
      if (open === undefined) await this.#answer(thread, action, decision);
      else {
        const { answers } = open.session;
        const outcome = await this.#during(open, () => answers.decideOnly(action.interruptId, decision));
        if (!outcome.accepted) throw notTaken(outcome.message);
      }
    } catch (error) {
      this.#services.threads.notify({ kind: "continued", threads: [thread] });
      throw error;
    }
  }

  dispose(): void {
    for (const open of this.#open) this.#dispose(open);
    this.#subscription.dispose();
  }

  /** Looks whether the question still waits, and sends the answer once. */
  async #answer(thread: ThreadRef, action: SoleAction, decision: Decision): Promise<void> {
    const { threadId } = thread;
    const key = `${serverKey(thread)} ${threadId}`;
    if (this.#answering.has(key)) throw notTaken("This question was answered already.");
    this.#answering.add(key);
    const server = this.#services.threadHosts.of(thread).runs;
    const aborter = new AbortController();
    const { signal } = aborter;
    try {
      const before = await readThread({ server, threadId, signal });
      const assistantId = before.runs.at(-1)?.assistant_id ?? server.soleAssistant;
      if (!waitsFor(action, decision, before.state))
        throw notTaken("This thread does not wait for that answer any more.");
      if (assistantId === undefined) throw notTaken("It is not known which assistant asks.");
      const resume = resumeValue([decision]);
      const body = followable({ assistant_id: assistantId, command: { resume } });
      const stream = await server.runs.stream(threadId, body, { signal });
      const { RunSession: Session } = await import("../../run/session/session.ts");
      const open = this.#find(thread) ?? this.#make(thread, Session, server);
      const text = answerText(resume, undefined);
      await this.#during(open, () => open.session.goOn(threadId, { before, text, body, stream, aborter }));
    } finally {
      this.#answering.delete(key);
    }
  }

  /** Keeps a session for as long as something is done with it. */
  async #during<T>(open: OpenSession, work: () => Promise<T>): Promise<T> {
    const holder = (): void => undefined;
    open.holders.add(holder);
    try {
      return await work();
    } finally {
      open.holders.delete(holder);
      this.#endUnused(open);
    }
  }

  #find(thread: ThreadTarget): OpenSession | undefined {
    return [...this.#open].find(({ target, session }) =>
      isSameThread({ ...target, threadId: session.threadId }, thread),
    );
  }

  #make(
    target: ThreadTarget,
    Session: SessionClass,
    server: RunServer = this.#services.threadHosts.of(target).runs,
  ): OpenSession {
    const { agentServers, context } = this.#services;
    const session = new Session({
      server,
      clock: realClock,
      threadId: target.threadId,
      onChange: () => this.#sessionChanged(open),
      describe: describeFailure,
      submitFeedback: (url, feedback, signal) => agentServers.submitFeedback(url, feedback, signal),
      sentFeedback: sentFeedback(context.globalState),
    });
    const open: OpenSession = { target, session, holders: new Set(), loaded: false, lastNotified: "" };
    this.#open.add(open);
    return open;
  }

  #sessionChanged(open: OpenSession): void {
    for (const onChange of open.holders) onChange();
    const { state } = open.session;
    // Notified only when a run begins or ends: a stream changes the transcript many times a second.
    const notified = `${state.kind} ${"runId" in state ? (state.runId ?? "") : ""}`;
    if (notified === open.lastNotified) return;
    open.lastNotified = notified;
    const thread = refOf(open);
    if (thread !== undefined && state.kind !== "loading") {
      this.#services.waitingThreads.update(thread, state.kind === "idle" && asksPerson(open.session));
      this.#services.threads.notify({ kind: "run", threads: [thread] });
    }
    this.#endUnused(open);
  }

  #threadsChanged({ kind, threads }: ThreadChange): void {
    if (kind !== "deleted" && kind !== "continued") return;
    for (const thread of threads) {
      const open = this.#find(thread);
      if (open === undefined) continue;
      if (kind === "continued") void open.session.load();
      else {
        this.#services.waitingThreads.update(thread, false);
        this.#dispose(open);
      }
    }
  }

  #endUnused(open: OpenSession): void {
    if (open.holders.size === 0 && !isLive(open.session.state)) this.#dispose(open);
  }

  #dispose(open: OpenSession): void {
    this.#open.delete(open);
    open.session.dispose();
  }
}

function notTaken(message: string): NotPossibleError {
  return new NotPossibleError(message, "Open the thread to see what it asks now, and answer there.");
}

/** Whether events come, or are about to. */
export function isLive({ kind }: SessionState): boolean {
  return kind === "streaming" || kind === "reconnecting" || kind === "stopping";
}

function refOf({ target, session }: OpenSession): ThreadRef | undefined {
  const { connectionId, server } = target;
  return session.threadId === undefined ? undefined : { connectionId, server, threadId: session.threadId };
}

function asksPerson({ entries }: RunSession): boolean {
  return entries.some(
    (entry) => entry.kind === "interrupt" && (entry.state === "open" || entry.state === "failed"),
  );
}

/** A failure as the panel tells it, with its buttons. */
export function describeFailure(error: unknown): Failure {
  const { message, remedy, actions } = adviceFor(error);
  return {
    message: [message, remedy].filter((part) => part !== "").join(" "),
    actions: actions.map((action) => ({ title: titleOf(action), action })),
  };
}

const mostSent = 500;

/** Remembers what was sent, so that a transcript that is built anew does not ask for it again. */
function sentFeedback(memory: Memory): SentFeedback {
  const keyOf = ([key]: readonly [string, Feedback]): string => key;
  const sent = new KeptList(memory, "feedback.sent", keyOf, mostSent);
  return {
    get: (runId, key) => sent.get(`${runId} ${key}`)?.[1],
    set: (runId, key, feedback) => void sent.keep([`${runId} ${key}`, feedback]),
  };
}

/**
 * The runs that this window watches: one session per thread, however many panels come and go.
 *
 * A session lives while a panel shows its thread, and beyond that while it streams: closing a panel in the middle of
 * a run loses nothing. It ends when neither holds, when its thread is deleted, and with the window.
 */

import type * as vscode from "vscode";
import type { RunCreate } from "../../api/agentServer/wire.ts";
import type { Answers, RequestOutcome } from "../../run/session/answers.ts";
import { type Answer, type AskedAction, continueStep, decideStep } from "../../run/session/answerSteps.ts";
import { followable } from "../../run/session/runBody.ts";
import { assistantIn, readThread, type RunServer } from "../../run/session/server.ts";
import type { CourseThread } from "../../run/repair/threadPosition.ts";
import type { RunSession } from "../../run/session/session.ts";
import type { Decision } from "../../run/panel/transcript.ts";
import type { StrandedThreads } from "./strandedThreads.ts";
import type { AgentServers } from "./servers/agentServers.ts";
import type { WaitingThreads } from "./waitingThreads.ts";
import { threadOn, type ThreadRef, type ThreadTarget } from "../connections/connection.ts";
import { isSameThread, threadKey } from "../connections/serverRef.ts";
import { describeFailure, NotPossibleError } from "../kit/remedies.ts";
import { realClock } from "../../api/poll.ts";
import type { ThreadHosts } from "./servers/threadHosts.ts";
import { sentFeedback } from "./servers/feedback.ts";
import { asksPerson, isLive, type SessionWatchServices, watchSession } from "./sessionWatch.ts";
import type { ThreadWatch } from "./threadWatch.ts";
import type { ThreadChange, Threads } from "./threads.ts";

/** What makes a session: it is loaded with the first panel or answer, not with the window. */
type SessionClass = typeof RunSession;

/** A session that somebody shows; releasing it lets it end. */
export interface HeldSession {
  readonly session: RunSession;
  release(): void;
  /** Whether somebody can see it: what others do is followed while somebody can. */
  watch(seen: boolean): void;
}

interface OpenSession {
  readonly target: ThreadTarget;
  readonly session: RunSession;
  readonly holders: Set<() => void>;
  /** Those of the holders that can be seen. */
  readonly seenBy: Set<() => void>;
  readonly watch: ThreadWatch;
  /** Whether its transcript was asked for; who only answers a question needs none. */
  loaded: boolean;
  /** The state that was notified last. */
  lastNotified: string;
}

interface SessionServices extends SessionWatchServices {
  readonly agentServers: AgentServers;
  readonly threadHosts: ThreadHosts;
  readonly strandedThreads: Pick<StrandedThreads, "note">;
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
    const stopListening = open.session.listen(onChange);
    // Later than now: the holder is not ready for a change before it has its session.
    if (!open.loaded)
      queueMicrotask(() => {
        open.watch.start();
        void open.session.load();
      });
    open.loaded = true;
    const watch = (seen: boolean): void => {
      if (seen) open.seenBy.add(onChange);
      else open.seenBy.delete(onChange);
      open.watch.watch(open.seenBy.size > 0);
    };
    return {
      session: open.session,
      watch,
      release: () => {
        watch(false);
        stopListening();
        open.holders.delete(onChange);
        this.#endUnused(open);
      },
    };
  }

  /** The threads that have a session. */
  get threads(): readonly ThreadRef[] {
    return [...this.#open].flatMap(({ target, session }) => threadOn(target, session.threadId) ?? []);
  }

  /** The threads that stream to this window. */
  get streaming(): readonly ThreadRef[] {
    return [...this.#open]
      .filter(({ session }) => isLive(session.state))
      .flatMap(({ target, session }) => threadOn(target, session.threadId) ?? []);
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
    for (const open of this.#open)
      if (open.holders.size === 0 && !connectionIds.includes(open.target.connectionId)) this.#dispose(open);
  }

  /**
   * Answers the one action that a thread asks about, whether or not somebody shows it; rejects when the answer was not
   * taken. Without a session it leaves by the shortest way, and a session follows the run that it starts.
   */
  decide(thread: ThreadRef, action: AskedAction, decision: Decision): Promise<void> {
    const inSession = (answers: Answers) => answers.decideOnly(action, decision);
    return this.#goOn(thread, decideStep(action, decision), inSession);
  }

  /** Lets a thread go on that stopped at a breakpoint; rejects when it does not stand there any more. */
  continue(thread: ThreadRef): Promise<void> {
    return this.#goOn(thread, continueStep, (answers) => answers.continueOnly());
  }

  /**
   * Changes the course of a thread, whether or not somebody shows it: `prepare` looks at it, writes what is to be written,
   * and gives the run to be started then, if any. Rejects when none was started that was to be.
   */
  async changeCourse(
    thread: ThreadRef,
    prepare: (thread: CourseThread) => Promise<RunCreate | undefined>,
  ): Promise<void> {
    const { RunSession: Session } = await import("../../run/session/session.ts");
    const server = this.#services.threadHosts.of(thread).runs;
    const open = this.#find(thread) ?? this.#make(thread, Session, server);
    const work = async (): Promise<void> => {
      const run = await prepare({ ...thread, server, signal: new AbortController().signal });
      const outcome = run === undefined ? undefined : await open.session.run(run);
      if (outcome?.accepted === false) throw new NotPossibleError(outcome.message, "");
    };
    await this.#orReread(thread, () => this.#during(open, work));
  }

  dispose(): void {
    for (const open of this.#open) this.#dispose(open);
    this.#subscription.dispose();
  }

  #goOn(thread: ThreadRef, answer: Answer, send: (to: Answers) => Promise<RequestOutcome>): Promise<void> {
    return this.#orReread(thread, async () => {
      const open = this.#find(thread);
      if (open === undefined) return this.#send(thread, answer);
      const outcome = await this.#during(open, () => send(open.session.answers));
      if (!outcome.accepted) throw notTaken(outcome.message);
    });
  }

  /** Where the work fails, somebody else may have changed the thread: its session reads it again. */
  async #orReread(thread: ThreadRef, work: () => Promise<void>): Promise<void> {
    try {
      await work();
    } catch (error) {
      this.#services.threads.notify({ kind: "continued", threads: [thread] });
      throw error;
    }
  }

  /** Looks whether the thread still waits, and sends the answer once. */
  async #send(thread: ThreadRef, { refusal, body: bodyFor }: Answer): Promise<void> {
    const { threadId } = thread;
    const key = threadKey(thread);
    if (this.#answering.has(key)) throw notTaken("This question was answered already.");
    this.#answering.add(key);
    const server = this.#services.threadHosts.of(thread).runs;
    const aborter = new AbortController();
    try {
      const before = await readThread({ server, threadId, signal: aborter.signal });
      const [assistantId, refused] = [assistantIn(before, server), refusal(before.state)];
      if (refused !== undefined) throw notTaken(refused);
      if (assistantId === undefined) throw notTaken("It is not known which assistant asks.");
      const body = { ...bodyFor(assistantId, before), ...followable };
      const stream = await server.runs.stream(threadId, body, { signal: aborter.signal });
      const { RunSession: Session } = await import("../../run/session/session.ts");
      const open = this.#find(thread) ?? this.#make(thread, Session, server);
      await this.#during(open, () => open.session.goOn(threadId, { before, body, stream, aborter }));
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

  /** The session of a thread, if there is one. */
  of(thread: ThreadRef): RunSession | undefined {
    return this.#find(thread)?.session;
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
      clock: { ...realClock, now: () => agentServers.now(target) },
      threadId: target.threadId,
      onChange: () => this.#sessionChanged(open),
      describe: describeFailure,
      submitFeedback: (url, feedback, signal) => agentServers.submitFeedback(target, url, feedback, signal),
      sentFeedback: sentFeedback(context.globalState),
    });
    const open: OpenSession = {
      ...{ target, session, holders: new Set(), seenBy: new Set() },
      ...{ watch: watchSession(target, session, this.#services), loaded: false, lastNotified: "" },
    };
    this.#open.add(open);
    return open;
  }

  #sessionChanged(open: OpenSession): void {
    const { state } = open.session;
    // Notified only when a run begins or ends: a stream changes the transcript many times a second.
    const isStranded = state.kind === "streaming" && state.stranded !== undefined;
    const notified = `${state.kind} ${"runId" in state ? (state.runId ?? "") : ""} ${String(isStranded)}`;
    if (notified === open.lastNotified) return;
    open.lastNotified = notified;
    open.watch.hurry();
    const thread = threadOn(open.target, open.session.threadId);
    if (thread !== undefined && state.kind !== "loading") {
      this.#services.waitingThreads.update(thread, state.kind === "idle" && asksPerson(open.session));
      this.#services.strandedThreads.note(thread, isStranded);
      this.#services.threads.noteRun(thread);
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
    open.watch.dispose();
    open.session.dispose();
  }
}

function notTaken(message: string): NotPossibleError {
  return new NotPossibleError(message, "Open the thread to see what it asks now, and answer there.");
}

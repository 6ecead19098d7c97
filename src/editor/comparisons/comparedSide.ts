/** One side of a comparison: a thread's session, read as far as is compared, and what is known beside it. */

import type { RunCreate } from "../../api/agentServer/wire.ts";
import type { SideFacts } from "../../run/compare/messages.ts";
import { type ComparedSide, sideOf } from "../../run/compare/steps.ts";
import type { Entry, StepEntry } from "../../run/panel/transcript.ts";
import { RunSession } from "../../run/session/session.ts";
import { threadOn, type ThreadRef, type ThreadTarget } from "../connections/connection.ts";
import { isProtected } from "../connections/mark.ts";
import { isSameThread } from "../connections/serverRef.ts";
import { NotPossibleError } from "../kit/remedies.ts";
import { counted, dotted } from "../kit/words.ts";
import { PanelFacts } from "../runPanel/panelFacts.ts";
import type { Services } from "../services.ts";
import type { HeldSession } from "../threads/sessions.ts";
import { isLive } from "../threads/sessionWatch.ts";

/** A thread, or one that its first run is to make; all its runs, or one of them. */
export interface Compared {
  readonly target: ThreadTarget;
  readonly runId?: string | undefined;
}

/** Steps need whole states: of a long thread with large ones only the newest are compared. */
const mostRounds = 5;
/** What subgraphs did is asked for of each run. */
const mostRuns = 50;

/** Holds a session for as long as it is compared. */
export class HeldSide {
  readonly compared: Compared;
  readonly #services: Services;
  readonly #changed: () => void;
  readonly #held: HeldSession;
  readonly #facts: PanelFacts;
  /** Whether all that is compared was asked for. */
  #reading: "not yet" | "reads" | "done" = "not yet";
  #isGone = false;
  #begun = false;

  constructor(compared: Compared, services: Services, changed: () => void) {
    this.compared = compared;
    this.#services = services;
    this.#changed = changed;
    const { target } = compared;
    if (target.threadId === undefined) this.#reading = "done";
    this.#facts = new PanelFacts(target, services, changed);
    this.#held = services.sessions.hold(target, RunSession, () => this.#sessionChanged());
    void this.#facts.load(target.threadId);
    // A session that is new begins to load a moment later; until then it seems to be idle.
    queueMicrotask(() => {
      this.#begun = true;
      this.#sessionChanged();
    });
  }

  /** Undefined until the first run made it. */
  get thread(): ThreadRef | undefined {
    return threadOn(this.compared.target, this.#held.session.threadId);
  }

  get title(): string {
    return this.#facts.title;
  }

  /** Of a tab: on a protected connection a shield. */
  get icon(): PanelFacts["tab"]["icon"] {
    return this.#facts.tab.icon;
  }

  get isProtected(): boolean {
    const setting = this.#services.connections.get(this.compared.target.connectionId);
    return setting !== undefined && isProtected(setting);
  }

  get side(): ComparedSide {
    const { entries, state } = this.#held.session;
    const { runId } = this.compared;
    const side = sideOf(entries, runId, this.#facts.state.prices);
    // A run that is on its way has no row yet.
    return { ...side, isOn: side.isOn || (runId === undefined && isLive(state)) };
  }

  get facts(): SideFacts {
    const { entries, state } = this.#held.session;
    const { connection, server } = this.#facts.state;
    const runs = entries.filter((entry) => entry.kind === "run");
    const at = runs.findIndex(({ runId }) => runId === this.compared.runId);
    const agent = (at < 0 ? runs.at(-1) : runs[at])?.assistantId;
    const isOne = this.compared.runId !== undefined;
    return {
      title: this.title,
      runs: isOne
        ? `run ${String(at + 1)} of ${String(runs.length)}`
        : runs.length === 0
          ? ""
          : counted(runs.length, "run"),
      // A connection to a single server gives it its own name.
      where: dotted([
        agent === undefined ? "" : this.#facts.assistantName(agent),
        ...new Set([server, connection]),
      ]),
      notes: this.#notes(entries, at),
      isLoading: state.kind === "loading" || (this.#reading !== "done" && state.kind !== "failed"),
    };
  }

  /** A step by the id of its row. */
  step(id: string | undefined): StepEntry | undefined {
    const found = this.#held.session.entries.find((entry) => entry.id === id);
    return found?.kind === "step" ? found : undefined;
  }

  /** Starts a run and follows it; throws what says why it was not taken. */
  async start(body: RunCreate): Promise<void> {
    const outcome = await this.#held.session.run(body);
    if (!outcome.accepted)
      throw new NotPossibleError(outcome.message, "Choose another agent, or run it there by hand.");
  }

  /** Whether somebody sees it: what others do is followed while somebody does. */
  watch(seen: boolean): void {
    this.#held.watch(seen);
  }

  /** What was read of a thread that is deleted stays. */
  noteDeleted(threads: readonly ThreadRef[]): void {
    const { thread } = this;
    if (thread === undefined || !threads.some((deleted) => isSameThread(deleted, thread))) return;
    this.#isGone = true;
    this.#changed();
  }

  dispose(): void {
    this.#facts.dispose();
    this.#held.release();
  }

  #sessionChanged(): void {
    const { session } = this.#held;
    this.#facts.update(session);
    const isThere = session.state.kind !== "loading" && session.state.kind !== "failed";
    if (this.#begun && this.#reading === "not yet" && isThere) void this.#readAll();
    this.#changed();
  }

  /** Reads what the session did not by itself: earlier steps, and what subgraphs did. */
  async #readAll(): Promise<void> {
    const { session } = this.#held;
    const { runId } = this.compared;
    this.#reading = "reads";
    try {
      for (
        let round = 0;
        round < mostRounds && session.earlier !== "none" && this.#areStepsMissing();
        round++
      )
        await session.readEarlier();
      const unread = session.entries.filter((entry) => entry.kind === "run" && entry.unread === true);
      const wanted = unread.flatMap((run) => (run.kind === "run" ? run.runId : []));
      await session.readRuns(
        runId === undefined ? wanted.slice(-mostRuns) : wanted.filter((id) => id === runId),
      );
    } catch (error) {
      this.#services.report.failure("Compare", error, { connectionId: this.compared.target.connectionId });
    }
    this.#reading = "done";
    this.#changed();
  }

  /** A run has all its steps where one before it has some. */
  #areStepsMissing(): boolean {
    const { runId } = this.compared;
    const { entries } = this.#held.session;
    const begin = entries.findIndex((entry) => entry.kind === "run" && entry.runId === runId);
    return begin < 0 || !entries.slice(0, begin).some(({ kind }) => kind === "step");
  }

  #notes(entries: readonly Entry[], at: number): readonly string[] {
    const { session } = this.#held;
    const { state } = session;
    const isRead = this.#reading === "done";
    const said = entries.flatMap((entry) =>
      entry.kind === "notice" && entry.runId === undefined && entry.lane === "" ? entry.text : [],
    );
    const runs = entries.filter((entry) => entry.kind === "run");
    const compared = at < 0 ? runs : runs.slice(at, at + 1);
    const isLost = this.compared.runId !== undefined && at < 0 && isRead;
    const isPart = session.earlier !== "none" && this.#areStepsMissing();
    return [
      ...(this.#isGone ? ["This thread was deleted. What was read of it stays here."] : []),
      ...(state.kind === "failed" ? [state.message] : []),
      ...(isLost ? ["The run is not in its thread any more."] : []),
      ...(isRead && isPart ? ["Its earliest steps are not read: the thread is too large."] : []),
      ...(isRead && compared.some(({ unread }) => unread === true)
        ? ["What the subgraphs of its earliest runs did is not read."]
        : []),
      ...(isRead && entries.length > 0 && !entries.some(({ kind }) => kind === "step")
        ? ["This server does not tell which steps ran: what came of them is compared."]
        : []),
      ...new Set(said),
    ];
  }
}

/** Build and deploy logs as live documents: followed while they are seen, paused and filtered on demand. */

import * as vscode from "vscode";
import { ApiError } from "../../api/errors.ts";
import { setContext } from "../kit/contexts.ts";
import { type CommandId, CONTEXTS, SCHEME } from "../kit/ids.ts";
import { counted } from "../kit/words.ts";
import { filterWords, type LogFilter } from "../deployments/logs/logBuffer.ts";
import { LogTail } from "../deployments/logs/logTail.ts";
import type { Services } from "../services.ts";
import { type PollResult, PollSchedule } from "../kit/fetching/pollSchedule.ts";
import { editorsOf, followEnd, revealEnd } from "./followEnd.ts";
import { logOfUri, type LogRef, logUri } from "./logUri.ts";
import type { DocumentKind } from "./router.ts";
import { adviceFor } from "../kit/remedies.ts";

/** A log that has a tab. */
export interface OpenLog {
  readonly uri: vscode.Uri;
  readonly ref: LogRef;
  readonly tail: LogTail;
  readonly schedule: PollSchedule;
  followed: boolean;
  /** Whether its tab was seen: a log without a tab is only forgotten after it had one. */
  hasTab: boolean;
  /** Why the last poll failed, in words. */
  problem: string | undefined;
}

const keptLines = 10_000;
const fastestMs = 2000;

/** The logs that have a tab. */
export class RevisionLogs implements DocumentKind {
  readonly #services: Pick<Services, "clock" | "platforms">;
  readonly #open = new Map<string, OpenLog>();
  readonly #changed = new vscode.EventEmitter<vscode.Uri>();
  readonly onDidChange = this.#changed.event;
  readonly #stateChanged = new vscode.EventEmitter<void>();
  /** Something beside the lines changed: whether it is followed, how many there are, what went wrong. */
  readonly onDidChangeState = this.#stateChanged.event;
  readonly #subscriptions: vscode.Disposable;

  constructor(services: Pick<Services, "clock" | "platforms">) {
    this.#services = services;
    this.#subscriptions = vscode.Disposable.from(
      vscode.window.onDidChangeVisibleTextEditors(() => this.#watch()),
      vscode.window.onDidChangeActiveTextEditor(() => this.#updateMenus()),
      // The editor lets go of documents whose tab is merely hidden: the tab is what counts.
      vscode.window.tabGroups.onDidChangeTabs(() => this.#forgetClosed()),
    );
  }

  /** The log in the editor that is in front. */
  get active(): OpenLog | undefined {
    const uri = vscode.window.activeTextEditor?.document.uri;
    return uri && this.get(uri);
  }

  get(uri: vscode.Uri): OpenLog | undefined {
    return this.#open.get(uri.toString());
  }

  /** Shows a log in a tab of its own, the one that it has already if it has; throws what the server answers. */
  async show(ref: LogRef): Promise<void> {
    const uri = logUri(ref);
    const known = this.get(uri);
    if (known === undefined) await this.#begin(uri, ref);
    const document = await vscode.workspace.openTextDocument(uri);
    const editor = await vscode.window.showTextDocument(document, { preview: false });
    if (known === undefined) revealEnd(editor);
    this.#watch();
  }

  /** Also makes a log whose tab came back with the window. */
  async text(uri: vscode.Uri): Promise<string> {
    const ref = logOfUri(uri);
    if (ref === undefined) return "";
    const log = this.get(uri) ?? this.#make(uri, ref);
    if (!log.tail.wasRead) await this.#poll(log, new AbortController().signal);
    this.#watch();
    return log.tail.wasRead ? log.tail.text : `${log.problem ?? ""}\n`;
  }

  /** Goes on fetching, or pauses. */
  follow(log: OpenLog, followed: boolean): void {
    log.followed = followed;
    this.#watch();
    if (followed) {
      log.schedule.hurry();
      for (const editor of editorsOf(log.uri)) revealEnd(editor);
    }
    this.#notify();
  }

  /** Shows other lines, also of those that come later. */
  filter(log: OpenLog, filter: LogFilter): void {
    log.tail.filter = filter;
    this.#changed.fire(log.uri);
    this.#notify();
  }

  dispose(): void {
    for (const { schedule } of this.#open.values()) schedule.dispose();
    this.#subscriptions.dispose();
    this.#changed.dispose();
    this.#stateChanged.dispose();
  }

  /** A log that can't be read is forgotten, so that the next try asks again. */
  async #begin(uri: vscode.Uri, ref: LogRef): Promise<void> {
    const log = this.#make(uri, ref);
    try {
      await log.tail.fetch(new AbortController().signal);
    } catch (error) {
      log.schedule.dispose();
      this.#open.delete(uri.toString());
      throw error;
    }
  }

  #make(uri: vscode.Uri, ref: LogRef): OpenLog {
    const { clock, platforms } = this.#services;
    const tail = new LogTail(async (query, signal) => {
      const { logs } = await platforms.controlPlane(ref.connectionId);
      return logs.ofRevision(ref.deploymentId, ref.revisionId, { ...query, type: ref.type }, { signal });
    }, keptLines);
    const schedule = new PollSchedule(
      (signal) => this.#poll(log, signal),
      () => fastestMs,
      clock,
    );
    const log: OpenLog = { uri, ref, tail, schedule, followed: true, hasTab: false, problem: undefined };
    this.#open.set(uri.toString(), log);
    return log;
  }

  async #poll(log: OpenLog, signal: AbortSignal): Promise<PollResult> {
    try {
      const changed = await log.tail.fetch(signal);
      log.problem = undefined;
      if (changed) this.#draw(log);
      this.#notify();
      return { changed, busy: true };
    } catch (error) {
      if (signal.aborted) return { changed: false, busy: true };
      log.problem = adviceFor(error).message;
      this.#notify();
      return {
        changed: false,
        busy: true,
        ...(error instanceof ApiError ? { retryAfterMs: error.retryAfterMs } : {}),
      };
    }
  }

  #draw({ uri }: OpenLog): void {
    followEnd(uri);
    this.#changed.fire(uri);
  }

  #watch(): void {
    for (const log of this.#open.values()) log.schedule.watch(log.followed && editorsOf(log.uri).length > 0);
    this.#updateMenus();
  }

  #forgetClosed(): void {
    const tabs = vscode.window.tabGroups.all.flatMap((group) => group.tabs);
    const shown = tabs.flatMap(({ input }) =>
      input instanceof vscode.TabInputText ? [input.uri.toString()] : [],
    );
    for (const [key, log] of this.#open) {
      if (log.hasTab && !shown.includes(key)) {
        log.schedule.dispose();
        this.#open.delete(key);
      } else log.hasTab = shown.includes(key);
    }
  }

  #notify(): void {
    this.#stateChanged.fire();
    this.#updateMenus();
  }

  #updateMenus(): void {
    setContext(CONTEXTS.logFollowed, this.active?.followed === true);
  }
}

/** Shows a line above an open log, until it is disposed of: follow or pause, the filter, how much is shown, and the other log. */
export function registerLogLens(logs: RevisionLogs): vscode.Disposable {
  return vscode.languages.registerCodeLensProvider(
    { scheme: SCHEME, pattern: "**/*.log" },
    {
      onDidChangeCodeLenses: logs.onDidChangeState,
      provideCodeLenses: ({ uri }) => {
        const log = logs.get(uri);
        return log === undefined ? [] : lensesOf(log);
      },
    },
  );
}

function lensesOf({ uri, ref, tail, followed, problem }: OpenLog): vscode.CodeLens[] {
  const { all, shown } = tail.counts;
  const filter = filterWords(tail.filter);
  const other = ref.type === "build" ? "deploy" : "build";
  const state = problem === undefined ? "Following" : `Waiting: ${problem}`;
  return [
    followed
      ? lens(`$(sync) ${state} – Pause`, "agentOperations.revisionLog.pause", uri)
      : lens("$(debug-pause) Paused – Follow", "agentOperations.revisionLog.follow", uri),
    lens(
      filter === ""
        ? `$(filter) ${counted(all, "line")}`
        : `$(filter) ${filter}: ${counted(shown, "line")} of ${String(all)}`,
      "agentOperations.revisionLog.filter",
      uri,
    ),
    lens(`Open ${other === "build" ? "Build" : "Deploy"} Log`, "agentOperations.revision.openLog", {
      ...ref,
      type: other,
    }),
  ];
}

function lens(title: string, command: CommandId, argument: unknown): vscode.CodeLens {
  return new vscode.CodeLens(new vscode.Range(0, 0, 0, 0), { title, command, arguments: [argument] });
}

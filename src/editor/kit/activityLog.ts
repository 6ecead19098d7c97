/** Long operations with their steps: what goes on, and what ended until a person clears it. */

import * as vscode from "vscode";

/** How an operation ended. */
export type ActivityEnd = "done" | "failed" | "stopped";

/** A part of an operation; times are epoch milliseconds. */
export interface ActivityStep {
  readonly label: string;
  readonly startedAt: number;
  readonly endedAt: number | undefined;
}

/** What is known of an operation when it begins. */
export interface ActivityOptions {
  readonly title: string;
  /** Where it goes on: a connection, a server. */
  readonly detail?: string;
  /** When it began, if that was earlier than now: epoch milliseconds. */
  readonly startedAt?: number;
  /** What a click on its row does. */
  readonly open?: vscode.Command;
  /** Ends it; absent for what can't be cancelled. */
  readonly cancel?: () => void;
}

/** All operations of this window, the newest first. */
export class ActivityLog implements vscode.Disposable {
  readonly #changed = new vscode.EventEmitter<void>();
  readonly onDidChange = this.#changed.event;
  #entries: readonly Activity[] = [];
  #count = 0;

  get entries(): readonly Activity[] {
    return this.#entries;
  }

  /** Begins an operation; the caller reports its steps and its end. */
  begin(options: ActivityOptions): Activity {
    const activity = new Activity(String(++this.#count), options, () => this.#changed.fire());
    this.#entries = [activity, ...this.#entries];
    this.#changed.fire();
    return activity;
  }

  /** Forgets what has ended. */
  clear(): void {
    this.#entries = this.#entries.filter(({ end }) => end === undefined);
    this.#changed.fire();
  }

  dispose(): void {
    this.#changed.dispose();
  }
}

/** One operation. */
export class Activity {
  readonly id: string;
  readonly options: ActivityOptions;
  readonly startedAt: number;
  readonly #changed: () => void;
  #steps: readonly ActivityStep[] = [];
  #waiting: string | undefined;
  #end: { readonly how: ActivityEnd; readonly message: string; readonly at: number } | undefined;

  constructor(id: string, options: ActivityOptions, changed: () => void) {
    this.id = id;
    this.options = options;
    this.startedAt = options.startedAt ?? Date.now();
    this.#changed = changed;
  }

  get steps(): readonly ActivityStep[] {
    return this.#steps;
  }

  /** What keeps it from going on at the moment. */
  get waiting(): string | undefined {
    return this.#waiting;
  }

  /** How, when and with which words it ended. */
  get end(): { readonly how: ActivityEnd; readonly message: string; readonly at: number } | undefined {
    return this.#end;
  }

  /** The next step begins, and the one before ends; the same step again goes on. */
  step(label: string): void {
    if (this.#end !== undefined) return;
    this.#waiting = undefined;
    if (this.#steps.at(-1)?.label !== label) {
      this.#steps = [...this.#closed(), { label, startedAt: Date.now(), endedAt: undefined }];
    }
    this.#changed();
  }

  /** Nothing moves for this reason, until the next step. */
  wait(reason: string): void {
    if (this.#end !== undefined) return;
    this.#waiting = reason;
    this.#changed();
  }

  /** It is over; later steps are ignored. */
  finish(how: ActivityEnd, message: string): void {
    if (this.#end !== undefined) return;
    this.#waiting = undefined;
    this.#steps = this.#closed();
    this.#end = { how, message, at: Date.now() };
    this.#changed();
  }

  #closed(): readonly ActivityStep[] {
    const endedAt = Date.now();
    return this.#steps.map((step) => (step.endedAt === undefined ? { ...step, endedAt } : step));
  }
}

/** Long operations with their steps: what goes on, and what ended until a person clears it. */

import * as vscode from "vscode";
import { KeptList, type Memory } from "./keptList.ts";

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
  /** The name of the connection on which it goes on. */
  readonly connection?: string | undefined;
  /** What else tells it from others. */
  readonly detail?: string;
  /** When it began, if that was earlier than now: epoch milliseconds. */
  readonly startedAt?: number;
  /** What a click on its row does. */
  readonly open?: vscode.Command;
  /** Ends it; absent for what can't be cancelled. */
  readonly cancel?: () => void;
}

/** How an operation went, when and with which words it ended. */
interface Past {
  readonly steps: readonly ActivityStep[];
  readonly end: { readonly how: ActivityEnd; readonly message: string; readonly at: number };
}

type StartedOptions = ActivityOptions & { readonly startedAt: number };

/** An operation that ended, as it is kept over a reload. */
interface EndedActivity extends Past {
  readonly options: Omit<StartedOptions, "cancel">;
}

const mostKept = 50;

/** All operations of this window, the newest first; those that ended are kept over a reload. */
export class ActivityLog implements vscode.Disposable {
  readonly #changed = new vscode.EventEmitter<void>();
  readonly onDidChange = this.#changed.event;
  readonly #kept: KeptList<EndedActivity>;
  #entries: readonly Activity[];

  constructor(memory: Memory) {
    this.#kept = new KeptList<EndedActivity>(memory, "activity.ended", keyOf, mostKept);
    const changed = (): void => undefined;
    this.#entries = this.#kept.items
      .map(({ options, ...past }) => new Activity(keyOf({ options }), options, changed, past))
      .toReversed();
  }

  get entries(): readonly Activity[] {
    return this.#entries;
  }

  /** Begins an operation; the caller reports its steps and its end. */
  begin(options: ActivityOptions): Activity {
    const started = { ...options, startedAt: options.startedAt ?? Date.now() };
    const activity = new Activity(this.#idOf(started), started, () => {
      if (activity.end !== undefined) this.#keep(activity, activity.end);
      this.#changed.fire();
    });
    this.#entries = [activity, ...this.#entries];
    this.#changed.fire();
    return activity;
  }

  /** Forgets what has ended. */
  clear(): void {
    this.#entries = this.#entries.filter(({ end }) => end === undefined);
    void this.#kept.replace([]);
    this.#changed.fire();
  }

  dispose(): void {
    this.#changed.dispose();
  }

  /** The same after a reload; two that began in one moment are told apart. */
  #idOf(options: StartedOptions): string {
    const key = keyOf({ options });
    let id = key;
    for (let count = 2; this.#entries.some((entry) => entry.id === id); count += 1)
      id = `${key} ${String(count)}`;
    return id;
  }

  #keep({ options, startedAt, steps }: Activity, end: Past["end"]): void {
    const { title, connection, detail, open } = options;
    void this.#kept.keep({
      options: {
        title,
        connection,
        startedAt,
        ...(detail !== undefined && { detail }),
        ...(open && { open }),
      },
      steps,
      end,
    });
  }
}

function keyOf({ options }: { readonly options: StartedOptions }): string {
  return `${String(options.startedAt)} ${options.title}`;
}

/** One operation. */
export class Activity {
  /** The same after a reload. */
  readonly id: string;
  readonly options: ActivityOptions;
  readonly startedAt: number;
  readonly #changed: () => void;
  #steps: readonly ActivityStep[] = [];
  #waiting: string | undefined;
  #end: Past["end"] | undefined;

  constructor(id: string, options: StartedOptions, changed: () => void, past?: Past) {
    this.id = id;
    this.options = options;
    this.startedAt = options.startedAt;
    this.#changed = changed;
    this.#steps = past?.steps ?? [];
    this.#end = past?.end;
  }

  get steps(): readonly ActivityStep[] {
    return this.#steps;
  }

  /** What keeps it from going on at the moment. */
  get waiting(): string | undefined {
    return this.#waiting;
  }

  /** How, when and with which words it ended. */
  get end(): Past["end"] | undefined {
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

/** The rows of the Activity view: an operation, and its steps below. */

import * as vscode from "vscode";
import type { Activity, ActivityEnd, ActivityStep } from "../kit/activityLog.ts";
import { dotted, durationText } from "../kit/words.ts";
import type { TreeNode } from "../kit/tree/node.ts";
import { rowItem } from "../kit/tree/rowItem.ts";

/** An operation's row. */
export class ActivityNode implements TreeNode {
  readonly id: string;
  readonly parent = undefined;
  readonly activity: Activity;
  #steps: readonly StepNode[] = [];

  constructor(activity: Activity) {
    this.id = `activity:${activity.id}`;
    this.activity = activity;
  }

  get known(): readonly TreeNode[] {
    const { steps } = this.activity;
    this.#steps = steps.map((step, index) => {
      const before = this.#steps[index];
      if (before === undefined) return new StepNode(this, index, step);
      before.step = step;
      return before;
    });
    return this.#steps;
  }

  snapshot(): string {
    return [this.#icon.id, this.#description, this.#contextValue].join("\n");
  }

  item(): vscode.TreeItem {
    const { title, open, detail, connection } = this.activity.options;
    const row = {
      label: title,
      description: this.#description,
      icon: this.#icon,
      contextValue: this.#contextValue,
      tooltip: [title, connection, detail, this.#said, this.#began]
        .filter((line) => line !== undefined)
        .join("\n"),
      spoken: [title, connection, this.#said, this.#duration].filter((part) => part !== undefined).join(", "),
      ...(open && { command: open }),
    };
    return rowItem(this.id, row, true);
  }

  get #description(): string {
    const { connection = "" } = this.activity.options;
    return dotted([connection, timeOfDay(this.activity.startedAt), this.#said, this.#duration]);
  }

  get #began(): string {
    return `Began ${new Date(this.activity.startedAt).toLocaleString()}`;
  }

  get #said(): string {
    const { end, waiting, steps } = this.activity;
    return end?.message ?? waiting ?? steps.at(-1)?.label ?? "Starting";
  }

  get #duration(): string {
    return durationText((this.activity.end?.at ?? Date.now()) - this.activity.startedAt);
  }

  get #icon(): vscode.ThemeIcon {
    const { end, waiting } = this.activity;
    if (end !== undefined) return endIcons[end.how];
    return waiting === undefined ? running : paused;
  }

  /** Menus ask it whether it can be cancelled. */
  get #contextValue(): string {
    if (this.activity.end !== undefined) return "activity ended";
    return this.activity.options.cancel === undefined ? "activity" : "activity cancellable";
  }
}

class StepNode implements TreeNode {
  readonly id: string;
  readonly parent: ActivityNode;
  readonly known: readonly TreeNode[] = [];
  step: ActivityStep;

  constructor(parent: ActivityNode, index: number, step: ActivityStep) {
    this.id = `${parent.id}:${String(index)}`;
    this.parent = parent;
    this.step = step;
  }

  snapshot(): string {
    return [this.step.label, this.#duration, this.#icon.id].join("\n");
  }

  item(): vscode.TreeItem {
    const { label } = this.step;
    const row = { description: this.#duration, icon: this.#icon, contextValue: "activityStep" };
    return rowItem(this.id, { label, ...row });
  }

  get #duration(): string {
    return durationText((this.step.endedAt ?? Date.now()) - this.step.startedAt);
  }

  /** How the operation ended is how its last step ended. */
  get #icon(): vscode.ThemeIcon {
    const { end, steps } = this.parent.activity;
    if (this.step.endedAt === undefined) return running;
    return end !== undefined && steps.at(-1) === this.step ? endIcons[end.how] : passed;
  }
}

/** "14:05", and the day of an operation that did not begin today. */
function timeOfDay(at: number): string {
  const date = new Date(at);
  const time = date.toLocaleTimeString([], { hour: "2-digit", minute: "2-digit" });
  return date.toDateString() === new Date().toDateString() ? time : `${date.toLocaleDateString()} ${time}`;
}

const running = new vscode.ThemeIcon("loading~spin");
const paused = new vscode.ThemeIcon("debug-disconnect", new vscode.ThemeColor("list.warningForeground"));
const passed = new vscode.ThemeIcon("check");
const endIcons: Readonly<Record<ActivityEnd, vscode.ThemeIcon>> = {
  done: new vscode.ThemeIcon("pass", new vscode.ThemeColor("testing.iconPassed")),
  failed: new vscode.ThemeIcon("error", new vscode.ThemeColor("list.errorForeground")),
  stopped: new vscode.ThemeIcon("circle-slash"),
};

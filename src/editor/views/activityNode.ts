/** The rows of the Activity view: an operation, and its steps below. */

import type { Activity, ActivityEnd, ActivityStep } from "../kit/activityLog.ts";
import { dotted, durationText, timeOrDay } from "../kit/words.ts";
import { BranchNode } from "../kit/tree/branchNode.ts";
import type { NodeHost, TreeNode } from "../kit/tree/node.ts";
import type { Row } from "../kit/tree/rowItem.ts";

type Icon = NonNullable<Row["icon"]>;

/** An operation's row. */
export function activityNode(activity: Activity, host: NodeHost): BranchNode<Activity> {
  const known = (parent: TreeNode): readonly TreeNode[] =>
    activity.steps.map((step, index) => stepNode(activity, step, index, parent, host));
  const row = (): Row => rowOf(activity);
  return new BranchNode(
    { id: `activity:${activity.id}`, parent: undefined, ref: activity, row, known },
    host,
  );
}

function rowOf({ options, startedAt, end, waiting, steps }: Activity): Row {
  const { title, open: command, detail, connection, cancel } = options;
  const said = end?.message ?? waiting ?? steps.at(-1)?.label ?? "Starting";
  const took = durationText((end?.at ?? Date.now()) - startedAt);
  const began = `Began ${new Date(startedAt).toLocaleString()}`;
  const lines = (parts: readonly (string | undefined)[]) => parts.filter((part) => part !== undefined);
  return {
    label: title,
    description: dotted([connection ?? "", timeOrDay(startedAt), said, took]),
    icon: end !== undefined ? endIcons[end.how] : waiting === undefined ? running : paused,
    // Menus ask it whether it can be cancelled.
    contextValue:
      end !== undefined ? "activity ended" : cancel === undefined ? "activity" : "activity cancellable",
    tooltip: lines([title, connection, detail, said, began]).join("\n"),
    spoken: lines([title, connection, said, took]).join(", "),
    command,
  };
}

function stepNode(
  activity: Activity,
  step: ActivityStep,
  index: number,
  parent: TreeNode,
  host: NodeHost,
): TreeNode {
  const row = (): Row => ({
    label: step.label,
    description: durationText((step.endedAt ?? Date.now()) - step.startedAt),
    icon: stepIcon(activity, step),
    contextValue: "activityStep",
  });
  return new BranchNode({ id: `${parent.id}:${String(index)}`, parent, ref: step, row }, host);
}

/** How the operation ended is how its last step ended. */
function stepIcon({ end, steps }: Activity, step: ActivityStep): Icon {
  if (step.endedAt === undefined) return running;
  return end !== undefined && steps.at(-1) === step ? endIcons[end.how] : passed;
}

const running = "loading~spin";
const paused = ["debug-disconnect", "list.warningForeground"] as const;
const passed = "check";
const endIcons: Readonly<Record<ActivityEnd, Icon>> = {
  done: ["pass", "testing.iconPassed"],
  failed: ["error", "list.errorForeground"],
  stopped: "circle-slash",
};

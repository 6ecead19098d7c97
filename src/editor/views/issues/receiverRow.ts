/** The row of the receiver: whether it receives and where, and below it the subscriptions with their counts. */

import type { Refusal } from "../../issues/issueReceiver.ts";
import type { IssueSubscription } from "../../issues/issueSubscriptions.ts";
import type { IssueWebhooks } from "../../issues/issueWebhooks.ts";
import { isOutdated } from "../../issues/localDeliveries.ts";
import type { ReceiverState } from "../../issues/sharedReceiver.ts";
import type { RowModel } from "./issueRow.ts";
import { gapWords, type ListeningGap } from "../../issues/listeningGap.ts";
import { dotted } from "../../kit/words.ts";

/** The row as it is now, with a row for each subscription. */
export function receiverModel(webhooks: IssueWebhooks): RowModel {
  const subscriptions = webhooks.subscriptions.list();
  const { label, description, icon, tooltip } = words(webhooks);
  const refused = subscriptions.reduce((sum, { id }) => sum + total(webhooks.refusals(id)), 0);
  return {
    id: "receiver",
    label,
    description: dotted([description, refused === 0 ? "" : `${String(refused)} refused`]),
    icon,
    tooltip,
    contextValue: `issueReceiver ${webhooks.state.kind}`,
    target: { kind: "receiver" },
    startsOpen: false,
    ...(subscriptions.length === 0
      ? {}
      : { below: subscriptions.map((subscription) => subscriptionModel(webhooks, subscription)) }),
    spoken: `${label}, ${description}`,
  };
}

type Words = Required<Pick<RowModel, "label" | "description" | "icon" | "tooltip">>;

function words({ state, subscriptions }: IssueWebhooks): Words {
  switch (state.kind) {
    case "stopped":
      return {
        label: "Not receiving",
        description: "",
        icon: "circle-slash",
        tooltip:
          "Issue webhooks are not received now. What is delivered meanwhile is lost after its retries.",
      };
    case "receiving":
      return receivingWords(state, subscriptions.list());
    case "elsewhere":
      return {
        label: "Receiving in another window",
        description: `port ${String(state.port)}`,
        icon: "broadcast",
        tooltip: "This window shows what the other one receives, and goes on when that one is closed.",
      };
    case "failed":
      return {
        label: "Can't receive",
        description: state.error.message,
        icon: ["error", "list.errorForeground"],
        tooltip: `${state.error.message}\n${state.error.remedy}`,
      };
    default:
      return state satisfies never;
  }
}

function receivingWords(
  { port, movedFrom, problem }: Extract<ReceiverState, { kind: "receiving" }>,
  subscriptions: readonly IssueSubscription[],
): Words {
  const where = `port ${String(port)}`;
  const label = "Receiving";
  if (problem !== undefined)
    return {
      label,
      description: `${where} · ${problem.message}`,
      icon: ["warning", "list.warningForeground"],
      tooltip: `${problem.message} Deliveries go on arriving at ${where}.\n${problem.remedy}`,
    };
  // The Local Platform gets the new port by itself, as soon as it runs.
  const left = subscriptions.filter((one) => one.localWebhookId === undefined || isOutdated(one, port));
  if (movedFrom !== undefined && left.length > 0)
    return {
      label,
      description: `${where}, was ${String(movedFrom)}`,
      icon: ["warning", "list.warningForeground"],
      tooltip: `Deliveries to port ${String(movedFrom)} arrive no more. ${leftWords(left, where)}`,
    };
  return {
    label,
    description: where,
    icon: ["broadcast", "charts.green"],
    tooltip: `Deliveries arrive at 127.0.0.1:${String(port)}, also after a reload: as soon as a view of Agents is in sight.`,
  };
}

function leftWords(left: readonly IssueSubscription[], where: string): string {
  const names = left.filter(({ localWebhookId }) => localWebhookId === undefined).map(({ name }) => name);
  if (names.length === 0) return "The Local Platform is told where to deliver now as soon as it runs.";
  return `On the platform, change the address to ${where}: ${names.join(", ")}.`;
}

function subscriptionModel(
  webhooks: IssueWebhooks,
  { id, name, localWebhookId }: IssueSubscription,
): RowModel {
  const refusals = webhooks.refusals(id);
  const received = webhooks.store.receivedBy(id);
  const parts = [
    `${String(received)} received`,
    total(refusals) === 0 ? "" : `${String(total(refusals))} refused`,
  ];
  const reasons = [...refusals].map(([reason, count]) => `${String(count)} refused: ${refusalWords[reason]}`);
  return {
    id: `subscription:${id}`,
    label: name,
    description: dotted(parts),
    icon: total(refusals) === 0 ? "rss" : "warning",
    contextValue: `issueSubscription ${localWebhookId === undefined ? "remote" : "local"}`,
    target: { kind: "subscription", subscription: id },
    tooltip: [name, ...reasons].join("\n"),
    spoken: `Subscription ${name}, ${parts.join(", ")}`,
  };
}

const refusalWords: Readonly<Record<Refusal, string>> = {
  missing: "not signed",
  repeated: "signed twice",
  prefix: "the signature has another form",
  upperCase: "the signature is in upper case",
  digits: "the signature is cut off",
  mismatch: "the secret is another one, or the body was changed",
  tooLarge: "larger than 1 MB",
  unreadable: "signed, but not an event",
  secretMissing: "no signing secret is stored",
};

function total(refusals: ReadonlyMap<Refusal, number>): number {
  return [...refusals.values()].reduce((sum, count) => sum + count, 0);
}

/** The row of one such time; `now` tells which times are of another day. */
export function gapModel(gap: ListeningGap, now: Date): RowModel {
  const { id } = gap;
  const label = gapWords(gap, now);
  const description = "deliveries may be missing";
  return {
    id,
    label,
    description,
    icon: ["warning", "list.warningForeground"],
    contextValue: "issueGap",
    target: { kind: "gap", gap: id },
    tooltip: `${label}\nNo window of this editor listened. What was sent meanwhile arrives if the platform still tries again; look there for issues of that time.\nMark it as read to take it away.`,
    spoken: `${label}, ${description}`,
  };
}

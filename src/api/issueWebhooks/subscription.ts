/** Which subscriptions get an event (docs/interface.md, "Webhook event types", rules 1 and 2). */

import { severityLabel } from "./event.ts";

/** What decides whether a subscription gets an event. */
export interface SubscriptionRule {
  /** The least severe issues that are delivered; 0 only urgent ones, 3 all. */
  readonly severity_threshold: number;
  readonly event_types: readonly string[];
}

/** Whether a subscription gets an event, and why or why not, in a sentence. */
export interface Verdict {
  readonly delivered: boolean;
  /** One sentence. */
  readonly reason: string;
}

/** What a subscription gets when its owner names no types. */
export const DEFAULT_EVENT_TYPES: readonly string[] = ["issue.created"];

/** Whether a subscription gets an event of this type and severity, and why. */
export function verdictOn(rule: SubscriptionRule, type: string, severity: number): Verdict {
  if (!rule.event_types.includes(type)) {
    return { delivered: false, reason: `It does not list ${type}; it lists ${rule.event_types.join(", ")}.` };
  }
  if (!type.startsWith("issue.") || type === "issue.agent_run.failed") {
    return { delivered: true, reason: `It lists ${type}, to which the severity does not apply.` };
  }
  const [given, least] = [severity, rule.severity_threshold].map(
    (number) => `${severityLabel(number)} (${String(number)})`,
  );
  return severity <= rule.severity_threshold
    ? {
        delivered: true,
        reason: `It lists ${type}, and ${given ?? ""} is within its threshold ${least ?? ""}.`,
      }
    : { delivered: false, reason: `${given ?? ""} is less severe than its threshold ${least ?? ""}.` };
}

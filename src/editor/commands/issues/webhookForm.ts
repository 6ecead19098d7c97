/** The questions about a webhook subscription; the fifth, for its secret, can be asked when its address is known. */

import { EVENT_TYPES, severityLabel } from "../../../api/issueWebhooks/event.ts";
import { DEFAULT_EVENT_TYPES } from "../../../api/issueWebhooks/subscription.ts";
import type { IssueSubscription } from "../../issues/issueSubscriptions.ts";
import { askSteps, choiceField, type FormField, textField } from "../../kit/ask/form.ts";
import { askText, type Place } from "../../kit/ask/questions.ts";

/** A subscription before it has an id. */
type Draft = Omit<IssueSubscription, "id">;

const title = "Add Webhook Subscription";

/** Asks for everything but the secret, with Back. */
export function describeSubscription(): Promise<Draft> {
  const rule = { severity_threshold: 3, event_types: DEFAULT_EVENT_TYPES };
  const start: Draft = { name: "", dialect: "standard", ...rule };
  return askSteps({ title }, start, () => fields.map(({ ask }) => ask), 1);
}

/** Where the question for the secret stands: what was asked before is done, so there is no way back. */
export const SECRET_PLACE: Place = { title, step: 5, totalSteps: 5, canGoBack: false };

/** Asks for a signing secret in a password box. */
export function askSecret(
  where: Place,
  prompt = "Paste the signing secret that the platform shows.",
): Promise<string> {
  return askText(where, {
    prompt,
    secret: true,
    problem: (text) => (text === "" ? "Paste the signing secret." : undefined),
  });
}

const eventTypes = [
  { label: "New issues", description: "issue.created, the default", value: [...DEFAULT_EVENT_TYPES] },
  { label: "New issues and their traces", value: ["issue.created", "issue.trace.added"] },
  { label: "Everything", description: EVENT_TYPES.join(", "), value: [...EVENT_TYPES] },
];

const fields: readonly FormField<Draft>[] = [
  textField("Name", "name", {
    prompt: "A name for the platform or project whose issues are delivered.",
    placeholder: "Production",
    problem: (text) => (text === "" ? "Enter a name." : undefined),
  }),
  choiceField("Signature", "dialect", {
    placeholder: "Which header carries the signature?",
    choices: [
      { label: "X-Service-Signature", description: "the specification's header", value: "standard" },
      { label: "X-LangSmith-Signature", description: "the hosted platform's header", value: "langsmith" },
    ],
  }),
  choiceField("Threshold", "severity_threshold", {
    placeholder: "Which severity threshold does the webhook have?",
    choices: [0, 1, 2, 3].map((value) => ({
      label: thresholdWords(value),
      description: `threshold ${String(value)}`,
      value,
    })),
  }),
  choiceField("Events", "event_types", {
    placeholder: "Which events does the webhook send?",
    choices: eventTypes,
  }),
];

function thresholdWords(threshold: number): string {
  if (threshold === 0) return "Urgent issues only";
  return threshold === 3 ? "All issues" : `${severityLabel(threshold)} and more severe`;
}

/** The questions about a webhook subscription; the fifth, for its secret, can be asked when its address is known. */

import { EVENT_TYPES, severityLabel } from "../../../api/issueWebhooks/event.ts";
import { DEFAULT_EVENT_TYPES } from "../../../api/issueWebhooks/subscription.ts";
import type { Dialect } from "../../connections/connection.ts";
import type { IssueSubscription } from "../../issues/issueSubscriptions.ts";
import { askChoice, askText } from "../steps.ts";
import type { Answer, Place } from "../steps.ts";

interface Draft {
  name: string;
  dialect: Dialect;
  threshold: number;
  types: readonly string[];
}

type Step = (draft: Draft) => Promise<Answer<unknown>>;

/** Asks for everything but the secret, with Back; undefined when a person gave up. */
export async function describeSubscription(): Promise<Omit<IssueSubscription, "id"> | undefined> {
  const draft: Draft = { name: "", dialect: "standard", threshold: 3, types: DEFAULT_EVENT_TYPES };
  const steps: readonly Step[] = [askName, askDialect, askThreshold, askTypes];
  for (let step = 0; step < steps.length;) {
    const answer = await steps[step]?.(draft);
    if (answer === undefined || answer.kind === "cancel") return undefined;
    step += answer.kind === "next" ? 1 : -1;
  }
  const { name, dialect, threshold, types } = draft;
  return { name, dialect, severity_threshold: threshold, event_types: types };
}

/** Asks for a signing secret in a password box. */
export function askSecret(
  where: Place,
  prompt = "Paste the signing secret that the platform shows.",
): Promise<Answer<string>> {
  return askText(where, {
    prompt,
    secret: true,
    problem: (text) => (text === "" ? "Paste the signing secret." : undefined),
  });
}

const askName: Step = async (draft) => {
  const answer = await askText(placeOf(1), {
    prompt: "A name for the platform or project whose issues are delivered.",
    value: draft.name,
    placeholder: "Production",
    problem: (text) => (text === "" ? "Enter a name." : undefined),
  });
  if (answer.kind === "next") draft.name = answer.value;
  return answer;
};

const askDialect: Step = async (draft) => {
  const choices = [
    { label: "X-Service-Signature", description: "the specification's header", value: "standard" as const },
    {
      label: "X-LangSmith-Signature",
      description: "the hosted platform's header",
      value: "langsmith" as const,
    },
  ];
  const answer = await askChoice<Dialect>(placeOf(2), choices, {
    placeholder: "Which header carries the signature?",
    active: draft.dialect,
  });
  if (answer.kind === "next") draft.dialect = answer.value;
  return answer;
};

const askThreshold: Step = async (draft) => {
  const choices = [0, 1, 2, 3].map((value) => ({
    label:
      value === 0
        ? "Urgent issues only"
        : value === 3
          ? "All issues"
          : `${severityLabel(value)} and more severe`,
    description: `threshold ${String(value)}`,
    value,
  }));
  const answer = await askChoice(placeOf(3), choices, {
    placeholder: "Which severity threshold does the webhook have?",
    active: draft.threshold,
  });
  if (answer.kind === "next") draft.threshold = answer.value;
  return answer;
};

const askTypes: Step = async (draft) => {
  const choices = [
    { label: "New issues", description: "issue.created, the default", value: [...DEFAULT_EVENT_TYPES] },
    { label: "New issues and their traces", value: ["issue.created", "issue.trace.added"] },
    { label: "Everything", description: EVENT_TYPES.join(", "), value: [...EVENT_TYPES] },
  ];
  const answer = await askChoice(placeOf(4), choices, { placeholder: "Which events does the webhook send?" });
  if (answer.kind === "next") draft.types = answer.value;
  return answer;
};

/** Where in the five steps a question stands. */
export function placeOf(step: number): Place {
  return { title: "Add Webhook Subscription", step, totalSteps: 5, canGoBack: step > 1 && step < 5 };
}

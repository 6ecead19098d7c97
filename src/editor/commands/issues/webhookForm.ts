/** The questions about a webhook subscription; the fifth, for its secret, can be asked when its address is known. */

import { EVENT_TYPES, severityLabel } from "../../../api/issueWebhooks/event.ts";
import { DEFAULT_EVENT_TYPES } from "../../../api/issueWebhooks/subscription.ts";
import type { Dialect } from "../../connections/connection.ts";
import type { IssueSubscription } from "../../issues/issueSubscriptions.ts";
import { askSteps } from "../../kit/ask/form.ts";
import type { Step } from "../../kit/ask/form.ts";
import { askChoice, askText } from "../../kit/ask/steps.ts";
import type { Answer, Place } from "../../kit/ask/steps.ts";

/** A subscription before it has an id. */
type Draft = Omit<IssueSubscription, "id">;

const title = "Add Webhook Subscription";

/** Asks for everything but the secret, with Back; undefined when a person gave up. */
export function describeSubscription(): Promise<Draft | undefined> {
  const rule = { severity_threshold: 3, event_types: DEFAULT_EVENT_TYPES };
  const start: Draft = { name: "", dialect: "standard", ...rule };
  return askSteps(title, start, () => [askName, askDialect, askThreshold, askTypes], 1);
}

/** Where the question for the secret stands: what was asked before is done, so there is no way back. */
export const SECRET_PLACE: Place = { title, step: 5, totalSteps: 5, canGoBack: false };

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

const askName: Step<Draft> = async (place, draft) => {
  const answer = await askText(place, {
    prompt: "A name for the platform or project whose issues are delivered.",
    value: draft.name,
    placeholder: "Production",
    problem: (text) => (text === "" ? "Enter a name." : undefined),
  });
  return answer.kind === "next" ? next({ ...draft, name: answer.value }) : answer;
};

const askDialect: Step<Draft> = async (place, draft) => {
  const choices = [
    { label: "X-Service-Signature", description: "the specification's header", value: "standard" as const },
    {
      label: "X-LangSmith-Signature",
      description: "the hosted platform's header",
      value: "langsmith" as const,
    },
  ];
  const answer = await askChoice<Dialect>(place, choices, {
    placeholder: "Which header carries the signature?",
    active: draft.dialect,
  });
  return answer.kind === "next" ? next({ ...draft, dialect: answer.value }) : answer;
};

const askThreshold: Step<Draft> = async (place, draft) => {
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
  const answer = await askChoice(place, choices, {
    placeholder: "Which severity threshold does the webhook have?",
    active: draft.severity_threshold,
  });
  return answer.kind === "next" ? next({ ...draft, severity_threshold: answer.value }) : answer;
};

const askTypes: Step<Draft> = async (place, draft) => {
  const choices = [
    { label: "New issues", description: "issue.created, the default", value: [...DEFAULT_EVENT_TYPES] },
    { label: "New issues and their traces", value: ["issue.created", "issue.trace.added"] },
    { label: "Everything", description: EVENT_TYPES.join(", "), value: [...EVENT_TYPES] },
  ];
  const answer = await askChoice(place, choices, { placeholder: "Which events does the webhook send?" });
  return answer.kind === "next" ? next({ ...draft, event_types: answer.value }) : answer;
};

function next(value: Draft): Answer<Draft> {
  return { kind: "next", value };
}

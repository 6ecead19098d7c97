/** What the webhook tools ask: which kind of event, and whose signing secret. */

import { EVENT_TYPES, severityLabel } from "../../../api/issueWebhooks/event.ts";
import type { EventType } from "../../../api/issueWebhooks/event.ts";
import { SIGNATURE_HEADERS } from "../../../api/issueWebhooks/signature.ts";
import type { Dialect } from "../../connections/connection.ts";
import type { Services } from "../../services.ts";
import { askChoice, askText } from "../../kit/ask/questions.ts";

/** What signs: a secret, and the header that carries the signature. */
export interface Signer {
  readonly secret: string | undefined;
  readonly dialect: Dialect;
}

/** Asks for a secret: one that is stored here, one to type, or none when that is allowed. */
export async function chooseSigner(
  { issueWebhooks }: Services,
  title: string,
  mayBeNone: boolean,
): Promise<Signer> {
  const { subscriptions } = issueWebhooks;
  const stored = subscriptions.list().map(({ id, name, dialect }) => ({
    label: name,
    description: "stored secret",
    value: { id, dialect },
  }));
  const typed = Object.entries(SIGNATURE_HEADERS).map(([dialect, header]) => ({
    label: "Another secret…",
    description: header,
    value: { id: undefined, dialect: dialect as Dialect },
  }));
  const none = { label: "Not signed", value: { id: "", dialect: "standard" as Dialect } };
  const choices = [...stored, ...typed, ...(mayBeNone ? [none] : [])];
  const { id, dialect } = await askChoice<{ id: string | undefined; dialect: Dialect }>({ title }, choices, {
    placeholder: "With which signing secret?",
  });
  if (id === "") return { secret: undefined, dialect };
  if (id !== undefined) return { secret: (await subscriptions.secret(id)) ?? "", dialect };
  const secret = await askText(
    { title },
    { prompt: "The signing secret; it is used once and not kept.", secret: true },
  );
  return { secret, dialect };
}

/** A type of event and, where it counts, a severity. */
export async function chooseKind(title: string): Promise<{ type: EventType; severity: number }> {
  const types = EVENT_TYPES.map((type) => ({ label: type, value: type }));
  const type = await askChoice<EventType>({ title }, types, { placeholder: "Which type of event?" });
  if (type === "issue.agent_run.failed") return { type, severity: 0 };
  const severities = [0, 1, 2, 3].map((value) => ({
    label: severityLabel(value),
    description: String(value),
    value,
  }));
  const severity = await askChoice({ title }, severities, { placeholder: "Of which severity?" });
  return { type, severity };
}

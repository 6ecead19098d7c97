/** Sends a signed sample event to a receiver on this machine, with the platform's retry rules. */

import type { Delivery, DeliveryAttempt } from "../../../api/issueWebhooks/delivery.ts";
import { sampleEvent } from "../../../api/issueWebhooks/sampleEvent.ts";
import type { IssueDocuments } from "../../documents/issueDocuments.ts";
import { receiverUrl } from "../../issues/localSubscription.ts";
import type { Services } from "../../services.ts";
import { abortable } from "../../kit/ask/abortable.ts";
import { askText } from "../../kit/ask/questions.ts";
import { chooseKind, chooseSigner } from "./webhookQuestions.ts";

/** Asks for the event, the receiver and the secret, sends, and shows each attempt. */
export async function sendSample(services: Services, documents: IssueDocuments): Promise<void> {
  const title = "Send Sample Webhook Event";
  const kind = await chooseKind(title);
  const { deliver, receiverProblem } = await import("../../../api/issueWebhooks/delivery.ts");
  const url = await askText(
    { title },
    {
      prompt: "The receiver's address on this machine.",
      value: ownUrl(services),
      placeholder: "http://127.0.0.1:8080/hook",
      problem: receiverProblem,
    },
  );
  const signer = await chooseSigner(services, title, true);
  const event = sampleEvent(kind.type, kind.severity);
  const body = Buffer.from(JSON.stringify(event));
  const delivery: Delivery = { url, body, ...signer };
  const attempts = await abortable(title, async (signal, tell) => {
    const made: DeliveryAttempt[] = [];
    for await (const attempt of deliver(delivery, { signal })) {
      made.push(attempt);
      tell(`attempt ${String(attempt.attempt)}: ${outcomeOf(attempt)}`);
    }
    return made;
  });
  await documents.show(`${title}.txt`, attemptsText(delivery, attempts));
}

/** The address of this editor's own receiver, when it receives. */
function ownUrl({ issueWebhooks }: Services): string {
  const { state } = issueWebhooks;
  const [subscription] = issueWebhooks.subscriptions.list();
  if (subscription === undefined || (state.kind !== "receiving" && state.kind !== "elsewhere")) return "";
  return receiverUrl(state.port, subscription.id);
}

function attemptsText({ url, body, secret }: Delivery, attempts: readonly DeliveryAttempt[]): string {
  const last = attempts.at(-1);
  const status = last?.status ?? 0;
  const verdict =
    status >= 200 && status < 300
      ? "✓ delivered"
      : attempts.length === 4
        ? "✗ given up after four attempts"
        : `✗ refused for good: a ${String(status)} is not tried again`;
  return [
    `Result    ${verdict}`,
    `Receiver  ${url}`,
    `Signed    ${secret === undefined ? "no" : "yes"}`,
    "",
    ...attempts.map((attempt) => {
      const pause = attempt.nextMs === undefined ? "" : `, again after ${String(attempt.nextMs / 1000)} s`;
      return `${String(attempt.attempt)}. ${outcomeOf(attempt)} in ${String(attempt.ms)} ms${pause}`;
    }),
    "",
    "The same bytes each time:",
    JSON.stringify(JSON.parse(Buffer.from(body).toString()), null, 2),
    "",
  ].join("\n");
}

function outcomeOf({ status, error }: DeliveryAttempt): string {
  return status === undefined ? (error ?? "no answer") : `answered ${String(status)}`;
}

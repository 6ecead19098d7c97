/** Tools for whoever writes a receiver of issue webhooks: verify a delivery, send a sample, explain who gets what. */

import type { Diagnosis } from "../../../api/issueWebhooks/diagnosis.ts";
import { severityLabel } from "../../../api/issueWebhooks/event.ts";
import { SIGNATURE_HEADERS } from "../../../api/issueWebhooks/signature.ts";
import { verdictOn } from "../../../api/issueWebhooks/subscription.ts";
import type { SubscriptionRule } from "../../../api/issueWebhooks/subscription.ts";
import type { IssueDocuments } from "../../documents/issueDocuments.ts";
import { localIssues } from "../../issues/localSubscription.ts";
import type { Services } from "../../services.ts";
import { chooseDelivery } from "./deliveryChoice.ts";
import type { CommandsOf } from "../../kit/commands.ts";
import { sendSample } from "./sampleDelivery.ts";
import { askText } from "../../kit/ask/questions.ts";
import { chooseKind, chooseSigner } from "./webhookQuestions.ts";

/** The commands, which work without any subscription. */
export function webhookToolCommands(services: Services, documents: IssueDocuments) {
  return {
    "agentOperations.webhook.verifyDelivery": () => verify(services, documents),
    "agentOperations.webhook.sendSample": () => sendSample(services, documents),
    "agentOperations.webhook.explain": () => explain(services, documents),
  } satisfies Partial<CommandsOf<"webhook">>;
}

async function verify(services: Services, documents: IssueDocuments): Promise<void> {
  const title = "Verify Webhook Delivery";
  const delivery = await chooseDelivery(title);
  if (delivery === undefined) return;
  const signer = await chooseSigner(services, title, false);
  const header = SIGNATURE_HEADERS[signer.dialect];
  const inHead = delivery.headers?.get(header.toLowerCase());
  const values = inHead ?? (await askSignature(title, header));
  const { diagnose } = await import("../../../api/issueWebhooks/diagnosis.ts");
  const diagnosis = diagnose(delivery, values, signer.secret ?? "", signer.dialect);
  await documents.show(`${title}.txt`, verifyText(diagnosis, header, values, delivery.body));
}

async function askSignature(title: string, header: string): Promise<readonly string[]> {
  const answer = await askText(
    { title },
    { prompt: `The value of the ${header} header.`, placeholder: "sha256=…" },
  );
  return answer === "" ? [] : [answer];
}

function verifyText(
  { valid, finding }: Diagnosis,
  header: string,
  values: readonly string[],
  body: Uint8Array,
): string {
  return [
    `Result   ${valid ? "✓ valid" : "✗ not valid"}`,
    `         ${finding}`,
    "",
    `Header   ${header}: ${values.length === 0 ? "(none)" : values.join(", ")}`,
    `Body     ${String(body.byteLength)} bytes`,
    "",
    Buffer.from(body).toString().slice(0, 20_000),
    "",
  ].join("\n");
}

/** Says for one kind of event which subscriptions get it, those that are known here and the Local Platform's. */
async function explain(services: Services, documents: IssueDocuments): Promise<void> {
  const title = "Explain Webhook Subscriptions";
  const kind = await chooseKind(title);
  const { type, severity } = kind;
  const rules = await allRules(services);
  const verdicts = rules.flatMap(({ name, ...rule }) => {
    const { delivered, reason } = verdictOn(rule, type, severity);
    return [`${delivered ? "✓" : "–"} ${name}`, `    ${reason}`];
  });
  const event =
    type === "issue.agent_run.failed" ? type : `${type}, ${severityLabel(severity)} (${String(severity)})`;
  const none = "No subscription is known here, and the Local Platform has none.";
  await documents.show(
    `${title}.txt`,
    [`Event  ${event}`, "", ...(verdicts.length === 0 ? [none] : verdicts), ""].join("\n"),
  );
}

async function allRules(
  services: Services,
): Promise<readonly (SubscriptionRule & { readonly name: string })[]> {
  const ours = services.issueWebhooks.subscriptions.list();
  if (services.localPlatform.state.kind !== "running") return ours;
  const local = await (await localIssues(services)).webhooks();
  const others = local.filter(({ id }) => !ours.some(({ localWebhookId }) => localWebhookId === id));
  return [...ours, ...others.map((rule) => ({ ...rule, name: `Local Platform: ${new URL(rule.url).host}` }))];
}

/** Tools for whoever writes a receiver of issue webhooks: verify a delivery, send a sample, explain who gets what. */

import {
  type Diagnosis,
  readSavedDelivery,
  type SavedDelivery,
} from "../../../api/issueWebhooks/diagnosis.ts";
import { EVENT_TYPES, type EventType, severityLabel } from "../../../api/issueWebhooks/event.ts";
import { SIGNATURE_HEADERS } from "../../../api/issueWebhooks/signature.ts";
import { type SubscriptionRule, verdictOn } from "../../../api/issueWebhooks/subscription.ts";
import type { IssueDocuments } from "../../documents/issueDocuments.ts";
import { localIssues, receiverUrl } from "../../issues/localDeliveries.ts";
import type { Services } from "../../services.ts";
import { askChoice, askText } from "../../kit/ask/questions.ts";
import type { Dialect } from "../../connections/connection.ts";
import { readFile } from "node:fs/promises";
import * as vscode from "vscode";
import type { Delivery, DeliveryAttempt } from "../../../api/issueWebhooks/delivery.ts";
import { sampleEvent } from "../../../api/issueWebhooks/sampleEvent.ts";
import { abortable } from "../../kit/notice.ts";
import { withoutIcons } from "../../kit/words.ts";

/** Says whether a delivery that was saved has a valid signature. */
export async function verify(services: Services, documents: IssueDocuments): Promise<void> {
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
export async function explain(services: Services, documents: IssueDocuments): Promise<void> {
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

/** What signs: a secret, and the header that carries the signature. */
interface Signer {
  readonly secret: string | undefined;
  readonly dialect: Dialect;
}

/** Asks for a secret: one that is stored here, one to type, or none when that is allowed. */
async function chooseSigner({ issueWebhooks }: Services, title: string, mayBeNone: boolean): Promise<Signer> {
  const { subscriptions } = issueWebhooks;
  const stored = subscriptions.list().map(({ id, name, dialect }) => ({
    label: withoutIcons(name),
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
async function chooseKind(title: string): Promise<{ type: EventType; severity: number }> {
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

type Source = "editor" | "file" | "clipboard";

/** The delivery byte for byte, as far as its source keeps bytes; undefined when nobody chose. */
async function chooseDelivery(title: string): Promise<SavedDelivery | undefined> {
  const document = vscode.window.activeTextEditor?.document;
  const inFront = {
    label: "The file in front",
    description: document?.fileName ?? "",
    value: "editor",
  } as const;
  const source = await askChoice<Source>(
    { title },
    [
      ...(document === undefined ? [] : [inFront]),
      { label: "A saved file…", detail: "A body, or a whole request with its headers", value: "file" },
      { label: "The clipboard", detail: "As pasted: line breaks may have been changed", value: "clipboard" },
    ],
    { placeholder: "Where is the delivery?" },
  );
  const bytes = await bytesOf(source, document);
  return bytes && readSavedDelivery(bytes);
}

async function bytesOf(
  source: Source,
  document: vscode.TextDocument | undefined,
): Promise<Uint8Array | undefined> {
  switch (source) {
    case "clipboard":
      return Buffer.from(await vscode.env.clipboard.readText());
    case "editor":
      // The file's own bytes: an editor may hold them with other line breaks.
      if (document?.uri.scheme === "file" && !document.isDirty) return readFile(document.uri.fsPath);
      return Buffer.from(document?.getText() ?? "");
    case "file": {
      const [file] = (await vscode.window.showOpenDialog({ openLabel: "Verify" })) ?? [];
      return file && vscode.workspace.fs.readFile(file);
    }
    default:
      return source satisfies never;
  }
}

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
  const attempts = await abortable(title, async (signal, progress) => {
    const made: DeliveryAttempt[] = [];
    for await (const attempt of deliver(delivery, { signal })) {
      made.push(attempt);
      progress(`attempt ${String(attempt.attempt)}: ${outcomeOf(attempt)}`);
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

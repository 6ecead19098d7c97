/** The subscriptions whose deliveries are received: adding one, its address, its secret, removing it. */

import * as vscode from "vscode";
import { unlessGone } from "../../../api/errors.ts";
import { EVENT_TYPES, severityLabel } from "../../../api/issueWebhooks/event.ts";
import { DEFAULT_EVENT_TYPES } from "../../../api/issueWebhooks/subscription.ts";
import type { IssueSubscription } from "../../issues/issueSubscriptions.ts";
import { localIssues, receiverUrl, rollLocalSecret } from "../../issues/localDeliveries.ts";
import { LOCAL_CONNECTION } from "../../connections/connections.ts";
import { confirmAct } from "../../connections/guard.ts";
import { confirm, showInformation, showStatus } from "../../kit/notice.ts";
import { NotPossibleError } from "../../kit/remedies.ts";
import type { Services } from "../../services.ts";
import { textOf } from "../../kit/ask/meant.ts";
import type { CommandHandler, CommandsOf } from "../../kit/commands.ts";
import type { IssueDocuments } from "../../documents/issueDocuments.ts";
import { explain, sendSample, verify } from "./webhookTools.ts";
import { askSteps, choiceField, type FormField, textField } from "../../kit/ask/form.ts";
import { askChoice, askText, type Heading } from "../../kit/ask/questions.ts";
import { withoutIcons } from "../../kit/words.ts";

/** The commands of one subscription. */
export function commands(
  services: Services,
  { issueDocuments: documents }: { readonly issueDocuments: IssueDocuments },
): CommandsOf<"webhook"> {
  const on =
    (
      title: string,
      act: (services: Services, subscription: IssueSubscription) => Promise<unknown>,
      accept?: typeof isElsewhere,
    ): CommandHandler =>
    async (node) => {
      await act(services, await oneSubscription(services, node, title, accept));
    };
  return {
    "agentOperations.webhook.verifyDelivery": () => verify(services, documents),
    "agentOperations.webhook.sendSample": () => sendSample(services, documents),
    "agentOperations.webhook.explain": () => explain(services, documents),
    "agentOperations.webhook.add": () => add(services),
    "agentOperations.webhook.copyUrl": on("Copy Webhook Address", copyUrl),
    // The Local Platform's secret is rolled, on both sides at once.
    "agentOperations.webhook.setSecret": on("Replace Signing Secret", replaceSecret, isElsewhere),
    "agentOperations.webhook.rollSecret": on("Roll Signing Secret", roll),
    "agentOperations.webhook.remove": on("Remove Webhook Subscription", remove),
  };
}

async function replaceSecret(services: Services, subscription: IssueSubscription): Promise<void> {
  const secret = await askSecret({ title: `Replace Signing Secret of ${subscription.name}` });
  await storeSecret(services, subscription, secret);
}

/** Asks what the subscription is, gives its address, and takes the secret that the platform shows for it. */
async function add(services: Services): Promise<void> {
  const rule = await describeSubscription();
  const subscription = await services.issueWebhooks.subscriptions.add(rule);
  const url = await copyUrl(services, subscription);
  if (url === undefined) return;
  const secret = await askSecret(
    SECRET_HEADING,
    `The address ${url} is copied. Make the webhook in the platform's settings with it, then paste the signing secret that is shown there.`,
  );
  await storeSecret(services, subscription, secret);
}

async function storeSecret(
  services: Services,
  { id, name }: IssueSubscription,
  secret: string,
): Promise<void> {
  await services.issueWebhooks.subscriptions.changeSecret(id, () => Promise.resolve(secret));
  showStatus(`Deliveries of ${name} are verified with the new secret`, 5000);
}

/** Copies the address, as it is reached from outside when the editor runs on another machine. */
async function copyUrl({ issueWebhooks }: Services, { id }: IssueSubscription): Promise<string | undefined> {
  const state = await issueWebhooks.receive();
  if (state.kind !== "receiving" && state.kind !== "elsewhere") return undefined;
  const local = receiverUrl(state.port, id);
  const remote = vscode.env.remoteName !== undefined || vscode.env.uiKind === vscode.UIKind.Web;
  const url = remote ? (await vscode.env.asExternalUri(vscode.Uri.parse(local, true))).toString(true) : local;
  await vscode.env.clipboard.writeText(url);
  void showInformation(
    `Copied ${url}. Only this machine reaches the receiver itself: for a hosted platform, forward port ${String(state.port)} to the internet with a tunnel and keep the path.`,
  );
  return url;
}

async function roll(services: Services, subscription: IssueSubscription): Promise<void> {
  if (subscription.localWebhookId === undefined) {
    const secret = await askSecret(
      { title: `Roll Signing Secret of ${subscription.name}` },
      "Roll the secret in the platform's settings; it is in force at once. Then paste the new one here.",
    );
    return storeSecret(services, subscription, secret);
  }
  await rollLocalSecret(services, subscription);
  showStatus("The signing secret was rolled on both sides", 5000);
}

async function remove(services: Services, { id, name, localWebhookId }: IssueSubscription): Promise<void> {
  const detail =
    localWebhookId === undefined
      ? "Its signing secret is deleted here. The webhook stays in the platform's settings until you delete it there."
      : "The Local Platform stops delivering here. What was received stays.";
  const question = `Remove the subscription “${name}”?`;
  const { subscriptions } = services.issueWebhooks;
  const isDelivered = localWebhookId !== undefined && services.localPlatform.state.kind === "running";
  if (isDelivered) {
    const act = { name, question, detail, verb: "Remove", always: true };
    await confirmAct(services.connections.resolve(LOCAL_CONNECTION), act);
  } else await confirm(question, detail, "Remove");
  if (isDelivered) await (await localIssues(services)).unsubscribe(localWebhookId).catch(unlessGone);
  await subscriptions.remove(id);
}

/** The subscription that was clicked, the only one, or one that a person chooses. */
async function oneSubscription(
  { issueWebhooks }: Services,
  node: unknown,
  title: string,
  accept: (subscription: IssueSubscription) => boolean = () => true,
): Promise<IssueSubscription> {
  const { subscriptions } = issueWebhooks;
  const named = subscriptions.get(textOf(node, "subscription") ?? "");
  if (named !== undefined) return named;
  const [only, ...more] = subscriptions.list().filter(accept);
  if (only === undefined) {
    throw new NotPossibleError("There is no such webhook subscription yet.", "Add one first.", [
      "addSubscription",
    ]);
  }
  if (more.length === 0) return only;
  const choices = [only, ...more].map((value) => ({ label: withoutIcons(value.name), value }));
  return askChoice({ title }, choices, { placeholder: "Which subscription?" });
}

/** Whether another platform than the Local Platform delivers, whose secret only a person can bring. */
function isElsewhere({ localWebhookId }: IssueSubscription): boolean {
  return localWebhookId === undefined;
}

/** A subscription before it has an id. */
type Draft = Omit<IssueSubscription, "id">;

const title = "Add Webhook Subscription";

/** Asks for everything but the secret, with Back. */
function describeSubscription(): Promise<Draft> {
  const rule = { severity_threshold: 3, event_types: DEFAULT_EVENT_TYPES };
  const start: Draft = { name: "", dialect: "standard", ...rule };
  return askSteps({ title }, start, () => fields.map(({ ask }) => ask), 1);
}

/** Where the question for the secret stands: what was asked before is done, so there is no way back. */
const SECRET_HEADING: Heading = { title, step: 5, totalSteps: 5, canGoBack: false };

/** Asks for a signing secret in a password box. */
function askSecret(
  heading: Heading,
  prompt = "Paste the signing secret that the platform shows.",
): Promise<string> {
  return askText(heading, {
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

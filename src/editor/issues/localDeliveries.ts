/**
 * The Local Platform's own subscriptions to this editor's receiver, made without copying anything, and kept going to the
 * port that is listened on, whenever that becomes another one.
 */

import type { LocalIssues } from "../../api/localIssues.ts";
import { EVENT_TYPES } from "../../api/issueWebhooks/event.ts";
import { type Connections, LOCAL_CONNECTION } from "../connections/connections.ts";
import { act, approve } from "../connections/guard.ts";
import type { Platforms } from "../connections/platforms.ts";
import type { IssueSubscription } from "./issueSubscriptions.ts";
import type { IssueWebhooks } from "./issueWebhooks.ts";
import * as vscode from "vscode";
import type { LocalPlatform } from "../localPlatform/localPlatform.ts";

/** What the subscriptions are kept right with. */
export interface LocalServices {
  readonly platforms: Platforms;
  readonly issueWebhooks: IssueWebhooks;
}

/** A client of what only the Local Platform has; throws ConnectionError when it does not run. */
export async function localIssues({ platforms }: Pick<LocalServices, "platforms">): Promise<LocalIssues> {
  const { LocalIssues } = await import("../../api/localIssues.ts");
  return new LocalIssues(await platforms.http(LOCAL_CONNECTION));
}

/** Has the Local Platform send everything to the receiver; a subscription that exists gets the address of today. */
export async function subscribeLocalPlatform(
  services: LocalServices,
  port: number,
  signal: AbortSignal,
): Promise<IssueSubscription> {
  const { subscriptions } = services.issueWebhooks;
  const client = await localIssues(services);
  const existing = await client.webhooks({ signal });
  const isThere = ({ localWebhookId }: IssueSubscription): boolean =>
    existing.some(({ id }) => id === localWebhookId);
  const ours = subscriptions.list().filter(({ localWebhookId }) => localWebhookId !== undefined);
  // The Local Platform's data was deleted: nobody signs with their secrets any more.
  for (const gone of ours.filter((subscription) => !isThere(subscription)))
    await subscriptions.remove(gone.id);
  const known = ours.find(isThere);
  if (known !== undefined) return changeAddress(services, client, known, port, signal);
  const order = { severity_threshold: 3, event_types: [...EVENT_TYPES] };
  const added = await subscriptions.add({ name: "Local Platform", dialect: "standard", ...order });
  try {
    let localWebhookId = "";
    await subscriptions.changeSecret(added.id, async () => {
      const made = await client.subscribe({ url: receiverUrl(port, added.id), ...order }, { signal });
      localWebhookId = made.id;
      return made.signing_secret;
    });
    const subscription = { ...added, localWebhookId, localPort: port };
    await subscriptions.update(subscription);
    return subscription;
  } catch (error) {
    await subscriptions.remove(added.id);
    throw error;
  }
}

/** Whether the Local Platform delivers a subscription to another port than this one, as far as it is known. */
export function isOutdated({ localWebhookId, localPort }: IssueSubscription, port: number): boolean {
  return localWebhookId !== undefined && localPort !== port;
}

async function changeAddress(
  { issueWebhooks }: LocalServices,
  client: LocalIssues,
  subscription: IssueSubscription,
  port: number,
  signal: AbortSignal,
): Promise<IssueSubscription> {
  const { id, localWebhookId = "" } = subscription;
  await client.change(localWebhookId, { url: receiverUrl(port, id) }, { signal });
  const moved = { ...subscription, localPort: port };
  await issueWebhooks.subscriptions.update(moved);
  return moved;
}

/** Replaces the signing secret on both sides at once. */
export async function rollLocalSecret(
  services: LocalServices,
  { id, localWebhookId = "" }: IssueSubscription,
): Promise<void> {
  const client = await localIssues(services);
  await services.issueWebhooks.subscriptions.changeSecret(id, () => client.rollSecret(localWebhookId));
}

/** The address that deliveries of a subscription go to, on this machine. */
export function receiverUrl(port: number, subscription: string): string {
  return `http://127.0.0.1:${String(port)}/webhooks/${subscription}`;
}

interface DeliveryServices extends LocalServices {
  readonly connections: Pick<Connections, "resolve">;
  readonly localPlatform: LocalPlatform;
  readonly log: Pick<vscode.LogOutputChannel, "warn">;
}

const deadlineMs = 30_000;

export class LocalDeliveries implements vscode.Disposable {
  readonly #services: DeliveryServices;
  readonly #subscriptions: vscode.Disposable;
  /** What was refused: it is not asked again before something is different. */
  #refused = "";
  #turns: Promise<void> = Promise.resolve();

  constructor(services: DeliveryServices) {
    this.#services = services;
    this.#subscriptions = vscode.Disposable.from(
      services.issueWebhooks.onDidChange(() => void this.follow()),
      services.localPlatform.onDidChange(() => void this.follow()),
    );
  }

  /** Has a Local Platform that runs deliver to the port of now; resolves when it does, or refused. */
  follow(): Promise<void> {
    if (this.#port === undefined) return Promise.resolve();
    this.#turns = this.#turns.then(() => this.#update());
    return this.#turns;
  }

  dispose(): void {
    this.#subscriptions.dispose();
  }

  /** The port that it does not deliver to yet, although it should. */
  get #port(): number | undefined {
    const { issueWebhooks, localPlatform } = this.#services;
    const { state, subscriptions } = issueWebhooks;
    if (state.kind !== "receiving" || localPlatform.state.kind !== "running") return undefined;
    return subscriptions.list().some((subscription) => isOutdated(subscription, state.port))
      ? state.port
      : undefined;
  }

  async #update(): Promise<void> {
    const port = this.#port;
    const { connections, localPlatform, log } = this.#services;
    const { state } = localPlatform;
    if (port === undefined || state.kind !== "running") return;
    const order = `${state.ready.baseUrl} ${String(port)}`;
    if (order === this.#refused) return;
    try {
      // Who subscribed wants the deliveries, whatever the port.
      await act("Deliver to This Port", async () => {
        approve(connections.resolve(LOCAL_CONNECTION));
        await this.#move(port);
      });
      this.#refused = "";
    } catch (error) {
      this.#refused = order;
      log.warn(`The Local Platform does not deliver to port ${String(port)}: ${String(error)}`);
    }
  }

  async #move(port: number): Promise<void> {
    const signal = AbortSignal.timeout(deadlineMs);
    const client = await localIssues(this.#services);
    for (const subscription of this.#services.issueWebhooks.subscriptions.list())
      if (isOutdated(subscription, port))
        await changeAddress(this.#services, client, subscription, port, signal);
  }
}

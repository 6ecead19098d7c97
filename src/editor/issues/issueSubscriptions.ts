/** The webhook subscriptions whose deliveries are received here; their secrets are in secret storage only. */

import { randomUUID } from "node:crypto";
import * as vscode from "vscode";
import type { SubscriptionRule } from "../../api/issueWebhooks/subscription.ts";
import type { Dialect } from "../connections/connection.ts";
import { KeptList, type Memory } from "../kit/keptList.ts";
import type { Verifier } from "./issueReceiver.ts";

/** A webhook of a platform that delivers here. */
export interface IssueSubscription extends SubscriptionRule {
  /** Ours, the last part of the address that deliveries go to. */
  readonly id: string;
  readonly name: string;
  readonly dialect: Dialect;
  /** The Local Platform's own id of it, when it is one of the Local Platform's. */
  readonly localWebhookId?: string;
  /** The port that the Local Platform delivers to. */
  readonly localPort?: number;
}

const memoryName = "agentOperations.issueSubscriptions";
const prefix = "agentOperations.webhookSecret.";

/** The subscriptions of this user, in all windows. */
export class IssueSubscriptions implements vscode.Disposable {
  readonly #secrets: vscode.SecretStorage;
  readonly #kept: KeptList<IssueSubscription>;
  readonly #changed = new vscode.EventEmitter<void>();
  readonly onDidChange = this.#changed.event;
  /** Changes of a secret that are under way: a delivery that comes meanwhile waits for the new one. */
  readonly #changing = new Map<string, Promise<unknown>>();

  constructor(secrets: vscode.SecretStorage, memory: Memory) {
    this.#secrets = secrets;
    this.#kept = new KeptList<IssueSubscription>(memory, memoryName, ({ id }) => id);
  }

  list(): readonly IssueSubscription[] {
    return this.#kept.items;
  }

  get(id: string): IssueSubscription | undefined {
    return this.#kept.get(id);
  }

  async add(subscription: Omit<IssueSubscription, "id">): Promise<IssueSubscription> {
    const added = { id: randomUUID(), ...subscription };
    await this.#kept.keep(added);
    this.#changed.fire();
    return added;
  }

  async update(subscription: IssueSubscription): Promise<void> {
    await this.#kept.replace(
      this.list().map((other) => (other.id === subscription.id ? subscription : other)),
    );
    this.#changed.fire();
  }

  async remove(id: string): Promise<void> {
    await this.#secrets.delete(prefix + id);
    await this.#kept.forget(id);
    this.#changed.fire();
  }

  /** Replaces the secret by what `obtain` gives; the next delivery is verified with it. */
  async changeSecret(id: string, obtain: () => Promise<string>): Promise<void> {
    const changing = obtain().then((secret) => this.#secrets.store(prefix + id, secret));
    this.#changing.set(id, changing);
    try {
      await changing;
    } finally {
      this.#changing.delete(id);
      this.#changed.fire();
    }
  }

  /** The secret, for signing a sample. */
  async secret(id: string): Promise<string | undefined> {
    return this.#secrets.get(prefix + id);
  }

  /** What to check a delivery with, as it is now; undefined for a subscription that nobody made. */
  async verifier(id: string): Promise<Verifier | undefined> {
    await this.#changing.get(id)?.catch(() => undefined);
    const subscription = this.get(id);
    if (subscription === undefined) return undefined;
    return { secret: await this.secret(id), dialect: subscription.dialect };
  }

  dispose(): void {
    this.#changed.dispose();
  }
}

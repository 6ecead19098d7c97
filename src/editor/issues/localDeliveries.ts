/** Keeps the Local Platform's deliveries going to the port that is listened on, whenever that becomes another one. */

import * as vscode from "vscode";
import { isBehind, tellPort } from "./localSubscription.ts";
import type { LocalServices } from "./localSubscription.ts";
import type { LocalPlatform } from "../localPlatform/localPlatform.ts";

interface DeliveryServices extends LocalServices {
  readonly localPlatform: LocalPlatform;
  readonly log: Pick<vscode.LogOutputChannel, "warn">;
}

const patienceMs = 30_000;

export class LocalDeliveries implements vscode.Disposable {
  readonly #services: DeliveryServices;
  readonly #subscriptions: vscode.Disposable;
  /** What was told and refused: it is not told again before something is different. */
  #refused = "";
  #turns: Promise<void> = Promise.resolve();

  constructor(services: DeliveryServices) {
    this.#services = services;
    this.#subscriptions = vscode.Disposable.from(
      services.issueWebhooks.onDidChange(() => void this.follow()),
      services.localPlatform.onDidChange(() => void this.follow()),
    );
  }

  /** Tells a Local Platform that runs where to deliver now; resolves when it knows, or can't be told. */
  follow(): Promise<void> {
    if (this.#port === undefined) return Promise.resolve();
    this.#turns = this.#turns.then(() => this.#tell());
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
    return subscriptions.list().some((subscription) => isBehind(subscription, state.port))
      ? state.port
      : undefined;
  }

  async #tell(): Promise<void> {
    const port = this.#port;
    const { localPlatform, log } = this.#services;
    const { state } = localPlatform;
    if (port === undefined || state.kind !== "running") return;
    const order = `${state.ready.baseUrl} ${String(port)}`;
    if (order === this.#refused) return;
    try {
      await tellPort(this.#services, port, AbortSignal.timeout(patienceMs));
      this.#refused = "";
    } catch (error) {
      this.#refused = order;
      log.warn(`The Local Platform was not told to deliver to port ${String(port)}: ${String(error)}`);
    }
  }
}

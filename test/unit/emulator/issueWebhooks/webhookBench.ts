import assert from "node:assert/strict";
import type { DeliveryOptions } from "../../../../src/emulator/issueWebhooks/delivery.ts";
import { startServer } from "../../../../src/emulator/server.ts";
import { is, list, LocalPlatform, temporaryDirectory, text } from "../../../support/localPlatform.ts";
import { until } from "../../../support/until.ts";
import type { Answer, Shape } from "../../../support/localPlatform.ts";
import { WebhookReceiver } from "../../../support/webhookReceiver.ts";

/** Every type of event there is. */
export const allTypes = ["issue.created", "issue.trace.added", "issue.agent_run.failed"];

/** A Local Platform with a real receiver for what it delivers. */
export class WebhookBench {
  readonly receiver: WebhookReceiver;
  platform: LocalPlatform;

  private constructor(receiver: WebhookReceiver, platform: LocalPlatform) {
    this.receiver = receiver;
    this.platform = platform;
  }

  static async start(delivery: Partial<DeliveryOptions> = { backoffMs: 5 }): Promise<WebhookBench> {
    return new WebhookBench(
      await WebhookReceiver.start(),
      await launch(delivery, await temporaryDirectory()),
    );
  }

  /** Starts the platform again on the same data. */
  async restart(delivery: Partial<DeliveryOptions>): Promise<void> {
    await this.platform.stop();
    this.platform = await launch(delivery, this.platform.directory);
  }

  async stop(): Promise<void> {
    await this.receiver.stop();
    await this.platform.remove();
  }

  async local(method: string, path: string, body?: unknown): Promise<Answer> {
    return await this.platform.send(method, this.platform.ready.localUrl + path, body);
  }

  /** Subscribes the receiver to everything, unless told otherwise. */
  async subscribe(members: Record<string, unknown> = {}): Promise<Shape> {
    const body = { url: this.receiver.url, event_types: allTypes, ...members };
    return created(await this.local("POST", "/webhooks", body));
  }

  async openIssue(members: Record<string, unknown> = {}): Promise<Shape> {
    return created(await this.local("POST", "/issues", { name: "Loops on search", severity: 1, ...members }));
  }

  async attempts(webhook: Shape): Promise<Shape[]> {
    return list((await this.local("GET", `/webhooks/${text(webhook.id)}/deliveries`)).body);
  }

  /** The attempts of a subscription once none is still to come. */
  async settled(webhook: Shape): Promise<Shape[]> {
    let records: Shape[] = [];
    await until("no delivery is still to come", async () => {
      records = await this.attempts(webhook);
      return records.length > 0 && records.every(({ state }) => !is(state, "pending"));
    });
    return records;
  }
}

async function launch(delivery: Partial<DeliveryOptions>, directory: string): Promise<LocalPlatform> {
  const server = await startServer({ port: 0, directory, apiKey: "test-key", delivery });
  return new LocalPlatform(server.ready, directory, server);
}

function created(answer: Answer): Shape {
  assert.equal(answer.status, 201, answer.text);
  return answer.body;
}

import { equal } from "node:assert/strict";
import { createHmac, randomUUID } from "node:crypto";
import { setTimeout as delay } from "node:timers/promises";

import type { WorkbenchPage } from "./pages/workbenchPage.ts";

const secret = "whsec_of_the_sender";

/** A subscription, and who delivers to it. */
export interface Subscription {
  /** Where deliveries come in from outside: through the editor's server. */
  readonly address: string;
  readonly outside: WebhookSender;
  /** A sender on this machine, which goes on while the window is away. */
  readonly inside: WebhookSender;
}

/** Adds a subscription step by step, by keyboard; its address is in the clipboard then. */
export async function subscribe(window: WorkbenchPage, name: string): Promise<Subscription> {
  const { page, palette, quickInput } = window;
  await palette.run("Agents: Add Webhook Subscription…");
  await quickInput.titled("(1/5)");
  await quickInput.answer(name);
  for (const [step, choice] of [
    ["(2/5)", "X-Service-Signature"],
    ["(3/5)", "All issues"],
    ["(4/5)", "Everything"],
  ] as const) {
    await quickInput.titled(step);
    await quickInput.choose(choice);
  }
  await quickInput.titled("(5/5)");
  equal(await quickInput.field.getAttribute("type"), "password");
  await quickInput.answer(secret);
  await quickInput.root.waitFor({ state: "hidden" });
  await window.sideBar.issues.focus();
  await window.sideBar.issues.row("Receiving").waitFor();
  const address = await page.evaluate<string>("navigator.clipboard.readText()");
  const inside = address.replace(/^.*\/proxy\//, "http://127.0.0.1:");
  return { address, outside: new WebhookSender(address), inside: new WebhookSender(inside) };
}

/** Delivers issue events as the specification says: signed, up to four attempts with the same bytes and id. */
export class WebhookSender {
  /** Events that were answered with 2xx. */
  delivered = 0;
  /** Attempts after the first one. */
  retries = 0;
  readonly #url: string;

  constructor(url: string) {
    this.#url = url;
  }

  /** Opens an issue with traces, one event after the other; every tenth arrives twice. Gives how many were given up. */
  async open(name: string, traces: number, paceMs: number): Promise<number> {
    const action = issueAction(name);
    const deliveries: Promise<boolean>[] = [];
    for (let index = 0; index <= traces; index++) {
      const body = index === 0 ? action.created() : action.linked(`Trace ${String(index)}`);
      deliveries.push(this.#deliver(body));
      if (index % 10 === 0) deliveries.push(this.#deliver(body));
      await delay(paceMs);
    }
    return (await Promise.all(deliveries)).filter((delivered) => !delivered).length;
  }

  async #deliver(body: Buffer): Promise<boolean> {
    for (const pauseMs of [0, 1_000, 8_000, 64_000]) {
      await delay(pauseMs);
      if (pauseMs > 0) this.retries++;
      const status = await this.#post(body);
      if (status !== undefined && status >= 200 && status < 300) {
        this.delivered++;
        return true;
      }
      if (status !== undefined && status < 500 && ![408, 425, 429].includes(status)) return false;
    }
    return false;
  }

  /** The status of the answer; undefined when there was none. */
  async #post(body: Buffer): Promise<number | undefined> {
    const digest = createHmac("sha256", secret).update(body).digest("hex");
    const headers = { "content-type": "application/json", "x-service-signature": `sha256=${digest}` };
    const signal = AbortSignal.timeout(20_000);
    const request = fetch(this.#url, { method: "POST", body: new Uint8Array(body), headers, signal });
    return request.then(
      ({ status }) => status,
      () => undefined,
    );
  }
}

/** The events of one action: they share the issue and the `request_id`. */
function issueAction(name: string): { created: () => Buffer; linked: (comment: string) => Buffer } {
  const project = { session_id: randomUUID(), session_name: "production" };
  const tenant = { tenant_id: randomUUID(), tenant_name: "Team" };
  const url = "https://platform.example/issue";
  const object = { id: randomUUID(), name, description: "", severity: 1, ...tenant, ...project, url };
  const request_id = randomUUID();
  const event = (type: string, data: object): Buffer =>
    Buffer.from(JSON.stringify({ id: randomUUID(), type, created: 1_750_000_000, request_id, data }));
  return {
    created: () => event("issue.created", { object }),
    linked: (comment) => {
      const trace = {
        run_id: randomUUID(),
        trace_id: randomUUID(),
        start_time: "2026-05-14T12:30:00Z",
        comment,
      };
      return event("issue.trace.added", { object, trace });
    },
  };
}

import { post } from "../kit/webhookPost.ts";
import type { Run } from "./runs.ts";
import type { Outcome } from "./ticket.ts";

/** The same addresses as for subscribers of issues. */
const rules = { allowPrivate: false };

/** Posts the outcome of a run to the URL that it named as its `webhook`: once, without a retry or a redirect. */
export async function notifyCompletion(url: string, run: Run, outcome: Outcome): Promise<void> {
  const body = {
    ...run,
    status: outcome.status,
    run_started_at: run.created_at,
    run_ended_at: run.updated_at,
    webhook_sent_at: new Date().toISOString(),
    values: outcome.values,
    error: outcome.error,
  };
  try {
    const bytes = Buffer.from(JSON.stringify(body));
    const headers = { "content-type": "application/json", "content-length": String(bytes.length) };
    await post(url, { headers, body: bytes, rules, signal: AbortSignal.timeout(5000) });
  } catch (error) {
    console.error(`The webhook of run ${run.run_id} could not be delivered:`, error);
  }
}

import type { Run } from "./runs.ts";
import type { Outcome } from "./ticket.ts";

/** Posts the outcome of a run to the URL that it named as its `webhook`: once, without a retry. */
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
    const answer = await fetch(url, {
      method: "POST",
      headers: { "content-type": "application/json" },
      body: JSON.stringify(body),
      signal: AbortSignal.timeout(5000),
    });
    // Nobody reads it, and a body that is never read keeps its connection.
    await answer.body?.cancel();
  } catch (error) {
    console.error(`The webhook of run ${run.run_id} could not be delivered:`, error);
  }
}

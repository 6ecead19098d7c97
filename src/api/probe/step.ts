/** The steps of a probe. */

import type { ApiError } from "../errors.ts";

/** One finished step of a probe, for showing as it comes. */
export interface ProbeStep {
  readonly name: string;
  /** "skipped" is no failure: not needed on this route, or not supported by this server. */
  readonly outcome: "ok" | "failed" | "skipped";
  readonly detail: string;
  /** Why an interface did not answer. */
  readonly error?: ApiError;
  readonly ms: number;
}

/** What a step found out. */
export type Finding = Pick<ProbeStep, "outcome" | "detail" | "error">;

/** Runs a step and measures it; whatever it throws is its failure. */
export async function timed(name: string, step: () => Promise<Finding>): Promise<ProbeStep> {
  const started = performance.now();
  const finding = await step().catch((error: unknown): Finding => {
    const cause = error instanceof AggregateError ? (error.errors[0] as unknown) : error;
    return { outcome: "failed", detail: cause instanceof Error ? cause.message : String(cause) };
  });
  return { name, ...finding, ms: Math.round((performance.now() - started) * 10) / 10 };
}

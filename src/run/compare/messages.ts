/** Everything that passes between a comparison's host and its page. */

import type { Comparison } from "./comparison.ts";

/** Which of the two. */
export type SideName = "left" | "right";

/** What is compared, in words. */
export interface SideFacts {
  /** The thread's name. */
  readonly title: string;
  /** Which runs of it: "run 3 of 4", "2 runs". */
  readonly runs: string;
  /** Its agent, server and connection. */
  readonly where: string;
  /** What a person should know: what was not read, what the server does not tell. */
  readonly notes: readonly string[];
  readonly isLoading: boolean;
}

export interface ToComparison {
  readonly type: "comparison";
  readonly comparison: Comparison;
  readonly facts: Readonly<Record<SideName, SideFacts>>;
}

export type FromComparison =
  | { readonly type: "ready" }
  /** Ids of steps: with one alone, what that step changed is wanted. */
  | { readonly type: "openStates"; readonly left?: string | undefined; readonly right?: string | undefined }
  | { readonly type: "openThread"; readonly side: SideName; readonly entry?: string | undefined };

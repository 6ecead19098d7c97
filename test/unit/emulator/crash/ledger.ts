import assert from "node:assert/strict";
import type { Answer, LocalPlatform, Shape } from "../../../support/localPlatform.ts";

/** Fails unless a platform still has what it acknowledged. */
export type Check = (platform: LocalPlatform) => Promise<void>;

/** Writes over HTTP once and notes what was acknowledged; throws as soon as the platform is gone. */
export type Writer = (platform: LocalPlatform, ledger: Ledger) => Promise<void>;

/** What a platform acknowledged, each with the way to find it again. */
export class Ledger {
  readonly checks = new Map<string, Check>();
  /** The requests that opened issues: each is to be told to the webhooks as one event. */
  readonly opened = new Set<string>();
  /** How the runs of killed platforms ended. */
  readonly endings = { error: 0, success: 0 };
  /** The exports that a kill cut short and that were carried out again. */
  readonly exportsBegunAgain = new Set<string>();
  /** How many answers were received in full. */
  acknowledged = 0;

  /** Notes a write; a later one of the same thing takes its place. */
  note(what: string, check: Check): void {
    this.acknowledged += 1;
    this.checks.set(what, check);
  }
}

/** How often a writer changes one thing. */
export const turns = 6;

/** What was acknowledged is there; or what was asked next, whose answer the kill may have cut off. */
export function assertReached(found: number, acknowledged: number): void {
  assert.ok(
    found === acknowledged || found === acknowledged + 1,
    `found ${found} of ${acknowledged} acknowledged`,
  );
}

/** The body of an answer that must be a success. */
export function accepted(answer: Answer): Shape {
  assert.ok(answer.status >= 200 && answer.status < 300, `${answer.status} ${answer.text}`);
  return answer.body;
}

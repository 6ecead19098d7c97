/** Damages inputs by chance and gives them to the code that has to take them, in a process that may be ended. */

import { Random } from "../support/random.ts";
import { bounded, BoundError } from "./bounded.ts";
import { damagers } from "./damagers/index.ts";

/** Which inputs: the same seed and numbers make the same ones. */
export interface FuzzOptions {
  readonly damager: string;
  readonly seed: number;
  /** The number of the first input. */
  readonly from?: number;
  readonly count: number;
  /** Ends after so long, however many inputs were tried. */
  readonly seconds?: number;
}

/** What was tried, and what did not hold. */
export interface FuzzReport {
  readonly damager: string;
  readonly tried: number;
  readonly failures: readonly FuzzFailure[];
  readonly slowestMs: number;
  /** The most memory that a process took, more than before its first input. */
  readonly mb: number;
}

/** One input that did not hold: its number under the seed makes it again. */
export interface FuzzFailure {
  readonly number: number;
  readonly error: string;
}

const mostFailures = 20;

/** Tries the inputs one after the other; one that takes too long or too much is a failure, and the next one follows. */
export async function fuzz({
  damager,
  seed,
  from = 0,
  count,
  seconds = Infinity,
}: FuzzOptions): Promise<FuzzReport> {
  const { mostMs, mostMb } = damagerOf(damager);
  const end = Date.now() + seconds * 1000;
  const failures: FuzzFailure[] = [];
  let slowestMs = 0;
  let mb = 0;
  let next = from;
  while (next < from + count && Date.now() < end && failures.length < mostFailures) {
    let number = next - 1;
    const input = { damager, seed, from: next, count: from + count - next, until: end } satisfies Round;
    const onProgress = (progress: unknown): void => {
      const { error, ...done } = progress as Progress;
      number = done.number;
      slowestMs = Math.max(slowestMs, done.ms ?? 0);
      if (error !== undefined) failures.push({ number, error });
    };
    try {
      const work = { file: import.meta.filename, name: "fuzzRound", input, onProgress };
      const outcome = await bounded<number>(work, { ms: mostMs, mb: mostMb });
      mb = Math.max(mb, outcome.mb);
      next = outcome.value;
    } catch (error) {
      if (!(error instanceof BoundError)) throw error;
      failures.push({ number, error: error.message });
      next = Math.max(next, number) + 1;
    }
  }
  return { damager, tried: next - from, failures, slowestMs, mb };
}

interface Round {
  readonly damager: string;
  readonly seed: number;
  readonly from: number;
  readonly count: number;
  /** Epoch milliseconds. */
  readonly until: number;
}

/** Sent before an input is tried, and with `ms` after it. */
interface Progress {
  readonly number: number;
  readonly ms?: number;
  readonly error?: string;
}

/** Runs in the process of `bounded`; gives the number that would have been next. */
export async function fuzzRound({ damager, seed, from, count, until }: Round): Promise<number> {
  const { make, hold } = damagerOf(damager);
  let failed = 0;
  let number = from;
  for (; number < from + count && Date.now() < until && failed < mostFailures; number += 1) {
    const input = await make(new Random(Math.imul(seed, 0x9e3779b1) + number));
    await say({ number });
    const started = performance.now();
    let error: string | undefined;
    try {
      await hold(input as never);
    } catch (thrown) {
      failed += 1;
      error = thrown instanceof Error ? (thrown.stack ?? thrown.message) : String(thrown);
    }
    await say({ number, ms: Math.round(performance.now() - started), ...(error !== undefined && { error }) });
  }
  return number;
}

function say(progress: Progress): Promise<void> {
  return new Promise((sent) => process.send?.({ kind: "progress", progress }, () => sent()));
}

function damagerOf(name: string) {
  const found = damagers.find((damager) => damager.name === name);
  if (found !== undefined) return found;
  throw new Error(`There is no "${name}"; there are ${damagers.map((damager) => damager.name).join(", ")}.`);
}

import type { Random } from "../../support/random.ts";

/** One kind of input from outside, made and damaged by chance. */
export interface Damager<T> {
  /** As it is named on the command line. */
  readonly name: string;
  /** The same random choices make the same input. */
  readonly make: (random: Random) => T | Promise<T>;
  /** Gives it to the code that has to take it; throws where that does not hold. */
  readonly hold: (input: T) => void | Promise<void>;
  /** The longest that one input may take. */
  readonly mostMs: number;
  /** The memory that all inputs of one process may take together. */
  readonly mostMb: number;
}

/** A damager of whatever kind: `hold` takes only what its own `make` made. */
export type AnyDamager = Omit<Damager<never>, "make"> & { readonly make: (random: Random) => unknown };

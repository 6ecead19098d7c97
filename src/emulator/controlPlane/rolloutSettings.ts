import { readSetting, writeSetting } from "../store/settings.ts";
import type { Store } from "../store/store.ts";
import type { Stage } from "./deployment.ts";

const usualStepMs = 400;
const usualProbeTimeoutMs = 10_000;

/** How fast revisions go, kept across restarts, and which of the next ones are to fail. */
export class RolloutSettings {
  readonly #store: Store;
  #failures: Stage[] = [];

  constructor(store: Store) {
    this.#store = store;
  }

  /** Milliseconds that a revision stays in each status. */
  get stepMs(): number {
    return Number(readSetting(this.#store, "revision_step_ms") ?? usualStepMs);
  }

  set stepMs(value: number) {
    writeSetting(this.#store, "revision_step_ms", String(value));
  }

  /** Milliseconds within which a fronted agent server must answer. */
  get probeTimeoutMs(): number {
    return Number(readSetting(this.#store, "probe_timeout_ms") ?? usualProbeTimeoutMs);
  }

  set probeTimeoutMs(value: number) {
    writeSetting(this.#store, "probe_timeout_ms", String(value));
  }

  /** Lets the next revisions that are made fail at a stage. */
  failNext(stage: Stage, times: number): void {
    this.#failures.push(...Array.from({ length: times }, () => stage));
  }

  /** The stage at which the revision that is being made is to fail. */
  takeFailure(): Stage | undefined {
    return this.#failures.shift();
  }
}

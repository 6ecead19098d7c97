/** Whether and how well a server can be reached, step by step. */

import type { Dispatcher } from "undici";

/** One finished step of a probe, for showing as it comes. */
export interface ProbeStep {
  readonly name: string;
  readonly outcome: "ok" | "failed" | "skipped";
  readonly detail: string;
  readonly ms: number;
}

/** An interface to ask whether it answers. */
export interface ProbeTarget {
  readonly kind: "agentServer" | "streamingProtocol" | "managedAgents" | "controlPlane" | "bulkExports";
  readonly url: string;
}

export interface ProbeOptions {
  readonly targets: readonly ProbeTarget[];
  readonly dispatcher?: Dispatcher | undefined;
  /** Authorization for a target's URL; only ever sent to that URL's origin. */
  readonly headersFor?: ((url: string) => Promise<Readonly<Record<string, string>>>) | undefined;
  /** The proxy chosen for a URL. */
  readonly proxyFor?: ((url: string) => string | undefined) | undefined;
  /** Certificate authorities to trust, PEM; Node's own when absent. */
  readonly ca?: readonly string[] | undefined;
  /** Set when a PAC file is configured: it is not evaluated, which is worth a step of its own. */
  readonly pacUrl?: string | undefined;
  readonly signal?: AbortSignal | undefined;
}

/** Runs the steps in order and yields each when it is finished; never throws but on abort. */
export async function* probe(options: ProbeOptions): AsyncIterable<ProbeStep> {
  for (const { url } of options.targets) {
    yield await Promise.resolve({
      name: "proxy",
      outcome: "ok",
      detail: options.proxyFor?.(url) ?? "direct",
      ms: 0,
    });
  }
}

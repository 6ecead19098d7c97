/** Whether and how well a connection's servers can be reached, step by step (Test Connection's engine). */

import type { Dispatcher } from "undici";
import { maskUrl } from "../errors.ts";
import { probeInterface, type ProbeTarget } from "./interfaces.ts";
import { probeRoute } from "./route.ts";
import type { ProbeStep } from "./step.ts";

export type { ProbeTarget } from "./interfaces.ts";
export type { ProbeStep } from "./step.ts";

/** What to probe and how requests are made there. */
export interface ProbeOptions {
  readonly targets: readonly ProbeTarget[];
  readonly dispatcher?: Dispatcher | undefined;
  /** Authorization for a target's URL; only ever sent to that URL's origin. */
  readonly headersFor?: ((url: string) => Promise<Readonly<Record<string, string>>>) | undefined;
  /** The proxy chosen for a URL. */
  readonly proxyFor?: ((url: string) => string | undefined) | undefined;
  /** Set when a PAC file is configured: it is not evaluated, which is worth a step of its own. */
  readonly pacUrl?: string | undefined;
  readonly signal?: AbortSignal | undefined;
}

/** Yields each step when it is finished: per origin the route there, then what its interfaces answer. Throws only on abort. */
export async function* probe(options: ProbeOptions): AsyncIterable<ProbeStep> {
  const { targets, pacUrl, signal } = options;
  if (pacUrl !== undefined) {
    const detail = `${maskUrl(pacUrl)} is not evaluated: set http.proxy to the proxy that it would choose`;
    yield { name: "Proxy script", outcome: "skipped", detail, ms: 0 };
  }
  const byOrigin = Map.groupBy(targets, ({ url }) => new URL(url).origin);
  for (const [origin, there] of byOrigin) {
    for await (const step of probeRoute(origin, options)) {
      yield step;
      signal?.throwIfAborted();
    }
    for (const target of there) {
      for await (const step of probeInterface(target, options)) {
        yield step;
        signal?.throwIfAborted();
      }
    }
  }
}

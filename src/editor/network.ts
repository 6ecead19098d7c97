/** The road to the network that the editor's settings and the environment ask for. */

import { Agent } from "undici";
import type { Dispatcher } from "undici";

/** The editor's settings of the same names, read by the caller. */
export interface NetworkSettings {
  /** http.proxy */
  readonly proxy?: string | undefined;
  /** http.noProxy */
  readonly noProxy?: readonly string[] | undefined;
  /** http.proxyStrictSSL: whether certificates must be valid */
  readonly strictSSL: boolean;
  /** http.systemCertificates */
  readonly systemCertificates: boolean;
  /** http.proxyAuthorization: the whole Proxy-Authorization header */
  readonly proxyAuthorization?: string | null | undefined;
  /** http.proxySupport: "off" ignores every proxy */
  readonly proxySupport?: string | undefined;
}

export type Environment = Readonly<Record<string, string | undefined>>;

/** One dispatcher for all requests; opens nothing and reads no certificates before the first request. */
export function createDispatcher(_settings: NetworkSettings, _env: Environment): Dispatcher {
  return new Agent();
}

/** The proxy's URL for a request to `url`, undefined to connect directly. */
export function proxyFor(_url: string, settings: NetworkSettings, _env: Environment): string | undefined {
  return settings.proxy;
}

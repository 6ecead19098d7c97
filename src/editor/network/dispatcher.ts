/** How requests reach the network: proxies and certificates as the editor's settings and the environment say. */

import { readFileSync } from "node:fs";
import { createSecureContext, getCACertificates, type SecureContext, TLSSocket } from "node:tls";
import { Agent, buildConnector, type Dispatcher, Pool } from "undici";
import { distrust } from "../../api/certificate.ts";
import { type Environment, type NetworkSettings, proxyFor } from "./proxy.ts";
import { proxyAuthorization, tunnelConnector } from "./tunnel.ts";

/** One dispatcher for all requests; opens nothing and reads no certificates before the first request. */
export function createDispatcher(settings: NetworkSettings, env: Environment): Dispatcher {
  const connect = checkedConnector(settings, env);
  const factory = (origin: string | URL, options: object): Dispatcher => {
    const proxy = proxyFor(String(origin), settings, env);
    if (proxy === undefined) return new Pool(origin, { ...options, connect });
    const via = new URL(proxy);
    const authorization = proxyAuthorization(via, settings.proxyAuthorization);
    if (new URL(origin).protocol === "http:" && /^https?:$/.test(via.protocol)) {
      return new Pool(via.origin, { ...options, connect }).compose(
        forwarding(new URL(origin), via, authorization),
      );
    }
    return new Pool(origin, { ...options, connect: tunnelConnector(connect, via, authorization) });
  };
  return new Agent({ factory, allowH2: false });
}

/** Asks an HTTP proxy for the target by its absolute URL. */
function forwarding(
  target: URL,
  proxy: URL,
  authorization: string | undefined,
): Dispatcher.DispatcherComposeInterceptor {
  return (dispatch) => (options, handler) => {
    const forwarded = {
      ...options,
      path: target.origin + options.path,
      servername: proxy.hostname,
      headers: {
        // api/http.ts hands over plain objects.
        ...(options.headers as Readonly<Record<string, string>>),
        host: target.host,
        ...(authorization === undefined ? {} : { "proxy-authorization": authorization }),
      },
    };
    return dispatch(forwarded, handler);
  };
}

/**
 * Connects and checks certificates itself, so that a refusal can name the issuer: Node's own refusal hides the
 * certificate. Sessions are never resumed, because a resumed one is not checked for its host name.
 */
function checkedConnector(settings: NetworkSettings, env: Environment): buildConnector.connector {
  const plain = buildConnector({ allowH2: false });
  let secure: buildConnector.connector | undefined;
  return (options, callback) => {
    if (options.protocol !== "https:") {
      plain(options, callback);
      return;
    }
    secure ??= buildConnector({
      allowH2: false,
      maxCachedSessions: 0,
      rejectUnauthorized: false,
      secureContext: trustedContext(settings, env),
    });
    secure(options, (...outcome) => {
      const [, socket] = outcome;
      const refusal =
        socket instanceof TLSSocket && settings.strictSSL ? distrust(socket, options.hostname) : undefined;
      if (refusal === undefined) {
        callback(...outcome);
        return;
      }
      socket?.destroy();
      callback(refusal, null);
    });
  };
}

/** Trusts the bundled authorities, those of NODE_EXTRA_CA_CERTS, and the system's where the settings say so. */
function trustedContext({ systemCertificates }: NetworkSettings, env: Environment): SecureContext {
  const system = systemCertificates ? getCACertificates("system") : [];
  return createSecureContext({ ca: [...getCACertificates("default"), ...system, ...extraAuthorities(env)] });
}

/** The variable may have been set after Node read its own; a file that can't be read is left out, as by Node. */
function extraAuthorities(env: Environment): readonly string[] {
  const file = env["NODE_EXTRA_CA_CERTS"];
  try {
    return file === undefined || file === "" ? [] : [readFileSync(file, "utf8")];
  } catch {
    return [];
  }
}

/** Tunnels through an HTTP proxy (the CONNECT method). */

import { request } from "node:http";
import { Socket } from "node:net";
import type { buildConnector } from "undici";
import { ProxyError } from "../../api/networkFailure.ts";

const tunnelMs = 20_000;

/** Connects to the target inside a tunnel that `proxy` opens; `connect` makes both connections. */
export function tunnelConnector(
  connect: buildConnector.connector,
  proxy: URL,
  authorization: string | undefined,
): buildConnector.connector {
  return (options, callback) => {
    const opening = /^https?:$/.test(proxy.protocol)
      ? toProxy(connect, proxy).then((socket) => openTunnel(socket, proxy, authorization, options))
      : Promise.reject(
          new ProxyError(`${proxy.protocol}//${proxy.host} is no HTTP proxy, and no other kind is supported`),
        );
    opening.then(
      (httpSocket) => {
        if (options.protocol === "https:") connect({ ...options, httpSocket }, callback);
        else callback(null, httpSocket);
      },
      (error: unknown) => callback(error instanceof Error ? error : new ProxyError(String(error)), null),
    );
  };
}

/** The Proxy-Authorization header: the setting, else what the proxy's URL says. */
export function proxyAuthorization(proxy: URL, setting: string | null | undefined): string | undefined {
  if (setting !== undefined && setting !== null && setting !== "") return setting;
  if (proxy.username === "") return undefined;
  const credentials = `${decoded(proxy.username)}:${decoded(proxy.password)}`;
  return `Basic ${Buffer.from(credentials).toString("base64")}`;
}

/** A percent sign may stand for itself in what a person typed. */
function decoded(text: string): string {
  try {
    return decodeURIComponent(text);
  } catch {
    return text;
  }
}

async function toProxy(connect: buildConnector.connector, proxy: URL): Promise<Socket> {
  const { hostname, host, protocol, port } = proxy;
  return new Promise((resolve, reject) => {
    connect({ hostname, host, protocol, port }, (error, socket) => {
      if (error === null) resolve(socket);
      else reject(new ProxyError(`${proxy.host} can't be reached: ${error.message}`, { cause: error }));
    });
  });
}

async function openTunnel(
  connection: Socket,
  proxy: URL,
  authorization: string | undefined,
  { hostname, port, protocol }: buildConnector.Options,
): Promise<Socket> {
  const host = hostname.includes(":") ? `[${hostname}]` : hostname;
  const target = `${host}:${port || (protocol === "https:" ? "443" : "80")}`;
  return new Promise((resolve, reject) => {
    const opening = request({
      method: "CONNECT",
      path: target,
      headers: {
        host: target,
        ...(authorization === undefined ? {} : { "proxy-authorization": authorization }),
      },
      createConnection: () => connection,
      signal: AbortSignal.timeout(tunnelMs),
    });
    opening.once("connect", (response, socket) => {
      const { statusCode, statusMessage = "" } = response;
      if (statusCode === 200 && socket instanceof Socket) {
        resolve(socket);
      } else {
        socket.destroy();
        reject(new ProxyError(`${proxy.host} answered ${statusCode ?? ""} ${statusMessage}`.trim()));
      }
    });
    opening.once("error", (cause) =>
      reject(new ProxyError(`${proxy.host} opened no tunnel: ${cause.message}`, { cause })),
    );
    opening.end();
  });
}

/** Which proxy a request takes, by the editor's settings and the usual environment variables. */

import { BlockList, isIP } from "node:net";

/** The editor's settings of the same names, read by the caller. */
export interface NetworkSettings {
  /** http.proxy */
  readonly proxy?: string | undefined;
  /** http.noProxy */
  readonly noProxy?: readonly string[] | undefined;
  /** http.proxyStrictSSL: whether certificates must be valid. */
  readonly strictSSL: boolean;
  /** http.systemCertificates */
  readonly systemCertificates: boolean;
  /** http.proxyAuthorization: the whole Proxy-Authorization header. */
  readonly proxyAuthorization?: string | null | undefined;
  /** http.proxySupport: "off" ignores every proxy. */
  readonly proxySupport?: string | undefined;
}

/** Environment variables by name. */
export type Environment = Readonly<Record<string, string | undefined>>;

const defaultPorts: Readonly<Record<string, string>> = { "http:": "80", "https:": "443" };

/** The proxy's URL for a request to `url`; undefined to connect directly. A PAC file is not evaluated. */
export function proxyFor(url: string, settings: NetworkSettings, env: Environment): string | undefined {
  if (settings.proxySupport === "off") return undefined;
  const target = new URL(url);
  const proxy = configured(settings.proxy) ?? environmentProxy(target.protocol, env);
  if (proxy === undefined || isExempt(target, exemptions(settings, env))) return undefined;
  return proxy.includes("://") ? proxy : `http://${proxy}`;
}

/** Whether what is configured as a proxy is a PAC file, which is not evaluated. */
export function isScript(proxy: string | undefined): boolean {
  return /^pac\+|\.pac([?#]|$)/i.test(proxy ?? "");
}

function configured(proxy: string | undefined): string | undefined {
  return isScript(proxy) ? undefined : nonEmpty(proxy);
}

function environmentProxy(protocol: string, env: Environment): string | undefined {
  const plain = nonEmpty(env["HTTP_PROXY"]) ?? nonEmpty(env["http_proxy"]);
  if (protocol !== "https:") return plain;
  return nonEmpty(env["HTTPS_PROXY"]) ?? nonEmpty(env["https_proxy"]) ?? plain;
}

/** The setting, where there is one, replaces the environment's list. */
function exemptions({ noProxy }: NetworkSettings, env: Environment): readonly string[] {
  if (noProxy !== undefined && noProxy.length > 0) return noProxy;
  return (env["NO_PROXY"] ?? env["no_proxy"] ?? "").split(/[\s,]+/);
}

/** Loopback is exempt unless the list holds Chromium's `<-loopback>`. */
function isExempt(target: URL, list: readonly string[]): boolean {
  const host = target.hostname.replace(/^\[|\]$/g, "").replace(/\.$/, "");
  const port = target.port === "" ? (defaultPorts[target.protocol] ?? "") : target.port;
  const entries = list.map((entry) => entry.trim().toLowerCase()).filter((entry) => entry !== "");
  if (isLoopback(host)) return !entries.includes("<-loopback>");
  return entries.some((entry) => matches(entry, host, port));
}

function isLoopback(host: string): boolean {
  return (
    host === "localhost" ||
    host.endsWith(".localhost") ||
    host === "::1" ||
    (isIP(host) === 4 && host.startsWith("127."))
  );
}

/** An entry is `*`, a host with its subdomains, `.domain`, `*.domain`, an address or a CIDR block; maybe with a port. */
function matches(entry: string, host: string, port: string): boolean {
  if (entry === "*") return true;
  if (entry.includes("/")) return inBlock(entry, host);
  const [, name = "", entryPort] =
    /^\[?(.*?)\]?(?::(\d+))?$/.exec(isIP(entry) === 6 ? `[${entry}]` : entry) ?? [];
  if (entryPort !== undefined && entryPort !== port) return false;
  const domain = name.replace(/^\*?\./, "");
  return host.endsWith(`.${domain}`) || (host === domain && domain === name);
}

function inBlock(entry: string, host: string): boolean {
  const [network = "", bits = ""] = entry.split("/");
  const family = isIP(network);
  if (family === 0 || isIP(host) !== family || !/^\d+$/.test(bits)) return false;
  const block = new BlockList();
  const kind = family === 4 ? "ipv4" : "ipv6";
  if (Number(bits) > (family === 4 ? 32 : 128)) return false;
  block.addSubnet(network, Number(bits), kind);
  return block.check(host, kind);
}

function nonEmpty(text: string | undefined): string | undefined {
  const trimmed = text?.trim();
  return trimmed === "" ? undefined : trimmed;
}

/** A tool server while a person fills it in, and what is sent of it. */

import type {
  ToolServer,
  ToolServerCreate,
  ToolServerHeader,
  ToolServerUpdate,
} from "../../api/managedAgents/toolServers.ts";

/** How a platform proves to a tool server who it is. */
export type SignIn = "none" | "headers" | "oauth";

/** Typed headers are secrets: a draft lives in memory while it is asked for, and nowhere else. */
export interface ToolServerDraft {
  readonly name: string;
  readonly url: string;
  readonly signIn: SignIn;
  readonly headers: readonly ToolServerHeader[];
}

/** A new server's body. */
export function orderOf({ name, url, signIn, headers }: ToolServerDraft): ToolServerCreate {
  if (signIn === "oauth") {
    return { name, url, auth_type: "oauth", oauth_mode: "per_user_dynamic_client" };
  }
  return { name, url, auth_type: "headers", headers: signIn === "headers" ? headers : [] };
}

/** What changes of a server; undefined when nothing does. `dropHeaders` takes away those that it has. */
export function changeOf(
  before: ToolServer,
  { url, signIn, headers }: ToolServerDraft,
  dropHeaders: boolean,
): ToolServerUpdate | undefined {
  const turned = signIn !== signInOf(before);
  const change: ToolServerUpdate = {
    ...(url === before.url ? {} : { url }),
    ...(turned ? { auth_type: signIn === "oauth" ? "oauth" : "headers" } : {}),
    ...(turned && signIn === "oauth" ? { oauth_mode: "per_user_dynamic_client" } : {}),
    ...(headers.length > 0
      ? { headers }
      : dropHeaders || (turned && signIn === "none")
        ? { headers: [] }
        : {}),
  };
  return Object.keys(change).length === 0 ? undefined : change;
}

/** How a registered server is signed in to. */
export function signInOf({ auth_type: type, headers = [] }: ToolServer): SignIn {
  return type === "oauth" ? "oauth" : headers.length > 0 ? "headers" : "none";
}

/** Whether what a server is sent would go to somebody else from now on. */
export function isElsewhere(before: string, after: string): boolean {
  return originOf(before) !== originOf(after);
}

/** What is wrong with a tool server's address, in words for the input box; undefined when it can be used. */
export function addressProblem(text: string): string | undefined {
  const url = URL.parse(text.trim());
  if (text.trim() === "") return "Enter an address, for example https://tools.example.com/mcp.";
  if (url === null || !/^https?:$/.test(url.protocol)) return "An address starts with https:// or http://.";
  if (url.username !== "" || url.password !== "") return "Leave user name and password out of the address.";
  return url.hash === "" ? undefined : "Leave everything from # out of the address.";
}

/** What a person should know of an address although it can be used. */
export function addressWarning(text: string): string | undefined {
  const url = URL.parse(text.trim());
  const isLocal = url !== null && /^(localhost|127(\.\d+){3}|\[::1\])$/.test(url.hostname);
  if (url?.protocol !== "http:" || isLocal) return undefined;
  return "Headers and tokens travel unencrypted over http://, and platforms may refuse it.";
}

/** What is wrong with a header's name; undefined when it can be sent. */
export function headerNameProblem(name: string, others: readonly string[]): string | undefined {
  if (!/^[!#$%&'*+.^_`|~0-9A-Za-z-]+$/.test(name)) return "A header's name has letters, digits and hyphens.";
  const taken = others.some((other) => other.toLowerCase() === name.toLowerCase());
  return taken ? `“${name}” is there already.` : undefined;
}

/** What is wrong with a header's value; says nothing of the value itself. */
export function headerValueProblem(value: string): string | undefined {
  if (value === "") return "Enter the value.";
  return /^[\t\x20-\x7e\x80-\xff]*$/.test(value) ? undefined : "A header's value is one line of plain text.";
}

/** A name to start from; a port tells one server of a machine from another. */
export function suggestedName(url: string): string {
  const { hostname = "", port = "" } = URL.parse(url) ?? {};
  return hostname.replace(/^(?:www|mcp|api)\./, "") + (port === "" ? "" : `-${port}`);
}

function originOf(url: string): string {
  return URL.parse(url)?.origin ?? url;
}

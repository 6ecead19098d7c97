/** Lists and headers of a connection as one line of text each, for an input box. */

import { meantAddress, withoutTrailingSlash } from "../../connections/connectionSettings.ts";

/** "Name = address, address" as a list; the address is the name of one without. */
export function parseServers(typed: string): { name: string; url: string }[] {
  return typed
    .split(",")
    .map((part) => part.trim())
    .filter((part) => part !== "")
    .map((part) => {
      // An address may hold an equals sign, too, after a question mark.
      const named = /^([^=?]*[^=?\s])\s*=\s*(.*)$/.exec(part);
      const url = withoutTrailingSlash(meantAddress(named?.[2] ?? part));
      return { name: named?.[1] ?? url, url };
    });
}

/** "Name: value; Name: value" as headers. */
export function parseHeaders(typed: string): Record<string, string> {
  const parts = typed.split(";").map((part) => part.trim());
  return Object.fromEntries(
    parts
      .filter((part) => part !== "")
      .map((part) => {
        const [name = "", ...value] = part.split(":");
        return [name.trim(), value.join(":").trim()];
      }),
  );
}

/** The list as it was typed. */
export function writeServers(servers: readonly { readonly name: string; readonly url: string }[]): string {
  return servers.map(({ name, url }) => (name === url ? url : `${name} = ${url}`)).join(", ");
}

/** The headers as they were typed. */
export function writeHeaders(headers: Readonly<Record<string, string>>): string {
  return Object.entries(headers)
    .map(([name, value]) => `${name}: ${value}`)
    .join("; ");
}

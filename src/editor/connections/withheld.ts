/** What a connection keeps from an address that nobody typed or confirmed, and how that is said. */

import type { ApiKeys } from "./apiKeys.ts";
import type { Connections } from "./connections.ts";

/** What a connection does not send to an origin, because nobody typed or confirmed it. */
export interface Withheld {
  readonly origin: string;
  /** "the API key", "the header X-Team", "the workspace ID"; never empty. */
  readonly what: readonly string[];
}

/** What knows what a connection has to send, and where that may go. */
export interface WithheldServices {
  readonly apiKeys: Pick<ApiKeys, "allows" | "origins">;
  readonly connections: Pick<Connections, "get">;
}

/** What is not sent to the address; undefined when the connection has nothing to send, or may send it there. */
export async function withheldFrom(
  { apiKeys, connections }: WithheldServices,
  connectionId: string,
  url: string,
): Promise<Withheld | undefined> {
  const connection = connections.get(connectionId);
  if (connection === undefined || connection.kind === "localPlatform") return undefined;
  if (await apiKeys.allows(connection, url)) return undefined;
  const hasKey = (await apiKeys.origins(connectionId)).length > 0;
  const what = [
    ...(hasKey ? ["the API key"] : []),
    ...Object.keys(connection.headers ?? {}).map((name) => `the header ${name}`),
    ...(connection.workspaceId === undefined ? [] : ["the workspace ID"]),
  ];
  return what.length === 0 ? undefined : { origin: new URL(url).origin, what };
}

/** The things as one piece of a sentence: "the API key, the header X-Team and the workspace ID". */
export function listed(what: readonly string[]): string {
  return what.length < 2 ? what.join() : `${what.slice(0, -1).join(", ")} and ${what.at(-1) ?? ""}`;
}

import { createHash } from "node:crypto";
import { withToolServer } from "./toolServer.ts";
import type { Credentials } from "./credentials.ts";
import type { McpServer } from "./mcpServers.ts";

/** The tools of a server as it describes them, and when it did. */
export interface ToolList {
  readonly tools: readonly unknown[];
  readonly cached: boolean;
  readonly fetched_at: string;
}

type Kept = Omit<ToolList, "cached">;

const freshMs = 5 * 60_000;
const maxLists = 500;
const maxPages = 100;

/** Lists of tools, each kept for five minutes for the server and the credentials that it was got with. */
export class ToolLists {
  readonly #credentials: Credentials;
  readonly #kept = new Map<string, Kept>();

  constructor(credentials: Credentials) {
    this.#credentials = credentials;
  }

  /** Throws what `Credentials.headersOf` and the connection to the server throw. */
  async list(server: McpServer, userId: string, force: boolean, signal: AbortSignal): Promise<ToolList> {
    const headers = await this.#credentials.headersOf(server, userId);
    const key = createHash("sha256")
      .update(JSON.stringify([server.id, server.url, headers]))
      .digest("hex");
    const kept = this.#kept.get(key);
    const isFresh = kept !== undefined && Date.now() - Date.parse(kept.fetched_at) < freshMs;
    if (isFresh && !force) return { ...kept, cached: true };
    const got = {
      tools: await fetchTools(server.url, headers, signal),
      fetched_at: new Date().toISOString(),
    };
    this.#kept.delete(key);
    this.#kept.set(key, got);
    for (const oldest of this.#kept.keys()) {
      if (this.#kept.size <= maxLists) break;
      this.#kept.delete(oldest);
    }
    return { ...got, cached: false };
  }
}

/** All pages of a server's tools. */
async function fetchTools(
  url: string,
  headers: Readonly<Record<string, string>>,
  signal: AbortSignal,
): Promise<unknown[]> {
  return await withToolServer(
    url,
    headers,
    async (client, options) => {
      const tools: unknown[] = [];
      let cursor: string | undefined;
      for (let page = 0; page < maxPages; page++) {
        const listed = await client.listTools(cursor === undefined ? {} : { cursor }, options);
        tools.push(...listed.tools);
        cursor = listed.nextCursor;
        if (cursor === undefined || cursor === "") break;
      }
      return tools;
    },
    signal,
  );
}

/** Tells which requests of a test go to software that was not written here, or come from it. */

import { type Endpoints, onRequest } from "./interface.ts";

/** What is written here of each server that otherwise is not, by origin: names of endpoints. */
const servers = new Map<string, readonly string[]>();

/** Sent along by clients that were not written here, which by this are told from ours at the Local Platform. */
export const foreignClient = { "x-written": "elsewhere" } as const;

/** Notes a server that was not written here; `ours` are endpoints of it that were. */
export function noteForeignServer(url: string, ours: readonly string[] = []): void {
  servers.set(new URL(url).origin, ours);
}

/** Hears the name of each endpoint that is asked on such a server, or by such a client. */
export function onForeignRequest(endpoints: Endpoints, heard: (endpoint: string) => void): void {
  onRequest(({ method, origin, path, headers }) => {
    const name = endpoints.find(method, path)?.name;
    if (name === undefined) return;
    const isServed = servers.get(origin)?.includes(name) === false;
    if (isServed || headers.includes("x-written")) heard(name);
  });
}

/** The endpoints of docs/interface.md, which tests hold against what really happens. */

import { subscribe } from "node:diagnostics_channel";
import { readFileSync } from "node:fs";
import { join } from "node:path";

/** One row of its tables. */
export interface Endpoint {
  /** Method and path: `GET /threads/{thread_id}`. */
  readonly name: string;
  /** `Class.method` or a function of `src/api`. */
  readonly clients: readonly string[];
  /** Commands that send it, without `agentOperations.`. */
  readonly commands: readonly string[];
  /** Files of `test/` in which it is sent to software that was not written here, or by it. */
  readonly checkedBy: readonly string[];
}

/** Where an endpoint is looked up by a request that was sent. */
export interface Endpoints {
  readonly all: readonly Endpoint[];
  /** Whatever stands before the path, such as a deployment's own: it is left out. */
  find(method: string, path: string): Endpoint | undefined;
}

/** Reads the tables; `root` is the repository's folder. */
export function readEndpoints(root: string): Endpoints {
  const text = readFileSync(join(root, "docs/interface.md"), "utf8");
  const all = [...text.matchAll(/^\| `((?:GET|POST|PATCH|PUT|DELETE) [^`]+)`(.*)\|$/gm)].map(
    ([, name = "", rest = ""]): Endpoint => {
      const [, clients = "", reach = "", checked = ""] = rest.split("|");
      const code = (cell: string) => [...cell.matchAll(/`([^`]+)`/g)].map(([, word = ""]) => word);
      return {
        name,
        clients: code(clients),
        commands: code(reach),
        checkedBy: code(checked),
      };
    },
  );
  const patterns = all
    .map((endpoint) => {
      const [method, path = ""] = endpoint.name.split(" ");
      return { endpoint, method, path: new RegExp(`^${prefix}${path.replace(/\{\w+\}/g, "[^/]+")}$`) };
    })
    // A count is no thread's id, and what begins with a version is no agent server's.
    .toSorted((a, b) => variables(a.endpoint) - variables(b.endpoint));
  return {
    all,
    find: (method, path) =>
      patterns.find((pattern) => pattern.method === method && pattern.path.test(path))?.endpoint,
  };
}

/** A request as undici sends it. */
export interface SentRequest {
  readonly method: string;
  readonly origin: string;
  /** Without its query. */
  readonly path: string;
  /** Names and values in turn. */
  readonly headers: readonly string[];
}

/** Hears of each request that undici or the global fetch of this process sends. */
export function onRequest(heard: (request: SentRequest) => void): void {
  subscribe("undici:request:create", (message) => {
    const { request } = message as { readonly request: SentRequest };
    const { method, origin, headers } = request;
    const [path = ""] = request.path.split("?");
    heard({ method, origin, path, headers });
  });
}

/** An agent server may stand anywhere below an origin, a control plane below `/api-host`. */
const prefix = "(?:/(?!api/|v1/|v2/|threads/|runs/|assistants/)[^/]+)*?";

function variables({ name }: Endpoint): number {
  return name.split("{").length;
}

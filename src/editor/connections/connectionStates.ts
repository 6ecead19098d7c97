/** The last known state of each connection, out of requests that were made anyway. */

import type { Exchange } from "../../api/http.ts";
import { type Connection, type ConnectionSetting, runsHere } from "./connection.ts";

/** How a connection's own address answered last; of a deployment's server it tells nothing. */
export type ConnectionState = "reachable" | "failing" | "refused" | "unreachable";

/** Times are whole milliseconds, and a new key is tried at once. */
const rounding = 2;

/** The last answer of each connection. */
export class ConnectionStates {
  readonly #seen = new Map<
    string,
    { readonly state: ConnectionState; readonly at: number; readonly settings: string }
  >();
  /** By connection: requests that were sent before this time count no more. */
  readonly #since = new Map<string, number>();
  readonly #changed: () => void;

  /** `changed` is called when the state of a connection changes. */
  constructor(changed: () => void) {
    this.#changed = changed;
  }

  /** How it was seen, and when in epoch milliseconds; undefined when it was not asked as it is now. */
  of(connection: ConnectionSetting): { readonly state: ConnectionState; readonly at: number } | undefined {
    const seen = this.#seen.get(connection.id);
    return seen?.settings === settingsOf(connection) ? seen : undefined;
  }

  /** The connection has another key, or none: how it was seen with the old one says nothing of it. */
  forget(connectionId: string, at: number): void {
    this.#since.set(connectionId, at);
    if (this.#seen.delete(connectionId)) this.#changed();
  }

  /** A request of the connection ended. */
  note(
    connection: Connection,
    exchange: Pick<Exchange, "url" | "status" | "error" | "ms">,
    at: number,
  ): void {
    if (at - exchange.ms + rounding < (this.#since.get(connection.id) ?? 0)) return;
    const { origin } = new URL(exchange.url);
    const own = [connection.url, connection.controlPlaneUrl ?? connection.url];
    if (!own.some((url) => URL.parse(url)?.origin === origin)) return;
    const state = stateOf(exchange);
    if (state === undefined) return;
    const before = this.#seen.get(connection.id);
    const settings = settingsOf(connection);
    this.#seen.set(connection.id, { state, at, settings });
    if (before?.state !== state || before.settings !== settings) this.#changed();
  }
}

/** Undefined where the request tells nothing: it was given up here, or a permission is missing for this one thing. */
function stateOf({ status, error }: Pick<Exchange, "status" | "error">): ConnectionState | undefined {
  if (status !== undefined) {
    if (status === 401) return "refused";
    if (status === 403) return undefined;
    return status >= 500 ? "failing" : "reachable";
  }
  return error === undefined || error === "aborted" ? undefined : "unreachable";
}

/** What of a connection decides how it is answered, beside its key. */
function settingsOf(setting: ConnectionSetting): string {
  const { kind, url, controlPlaneUrl, auth, workspaceId, headers } = setting;
  return runsHere(setting) ? kind : JSON.stringify([url, controlPlaneUrl, auth, workspaceId, headers]);
}

/** How each connection was last seen: from what was asked anyway, and without a request of its own. */

import type { Exchange } from "../../api/http.ts";
import type { Connection, ConnectionSetting } from "./connection.ts";

/** How a connection's own address answered last; of a deployment's server it tells nothing. */
export type ConnectionState = "reachable" | "failing" | "refused" | "unreachable";

/** The last answer of each connection. */
export class ConnectionStates {
  readonly #seen = new Map<
    string,
    { readonly state: ConnectionState; readonly at: number; readonly places: string }
  >();
  readonly #changed: () => void;

  /** `changed` is called when a connection is seen otherwise than before. */
  constructor(changed: () => void) {
    this.#changed = changed;
  }

  /** How it was seen, and when in epoch milliseconds; undefined when it was not asked at its present address. */
  of(connection: ConnectionSetting): { readonly state: ConnectionState; readonly at: number } | undefined {
    const seen = this.#seen.get(connection.id);
    return seen?.places === placesOf(connection) ? seen : undefined;
  }

  /** A request of the connection ended. */
  note(connection: Connection, exchange: Pick<Exchange, "url" | "status" | "error">, at: number): void {
    const { origin } = new URL(exchange.url);
    const own = [connection.url, connection.controlPlaneUrl ?? connection.url];
    if (!own.some((url) => URL.parse(url)?.origin === origin)) return;
    const state = stateOf(exchange);
    if (state === undefined) return;
    const before = this.#seen.get(connection.id);
    const places = placesOf(connection);
    this.#seen.set(connection.id, { state, at, places });
    if (before?.state !== state || before.places !== places) this.#changed();
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

function placesOf({ url, controlPlaneUrl }: ConnectionSetting): string {
  return `${url ?? ""} ${controlPlaneUrl ?? ""}`;
}

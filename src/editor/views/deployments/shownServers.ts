/** The agent servers whose threads hang below rows of the Deployments view. */

import type { AgentServerRef } from "../../connections/connection.ts";
import { serverKey } from "../../connections/serverRef.ts";
import type { ConnectedServer } from "../../connections/serverRef.ts";
import type { Services } from "../../services.ts";
import type { PollResult } from "../../kit/tree/pollSchedule.ts";
import type { TreeNode } from "../../kit/tree/node.ts";
import { refusesKey, ServerBranch } from "../threads/serverBranch.ts";
import type { ServerHost } from "../threads/serverBranch.ts";

/** A row, and the threads that hang below it. */
export interface ShownServer {
  readonly owner: TreeNode;
  readonly branch: ServerBranch;
  /** The origin that asks for a key, when the connection's key was not entered for it. */
  keylessOrigin: string | undefined;
}

/** Keeps what was fetched of a server for as long as it is at the same address. */
export class ShownServers {
  readonly #services: Services;
  readonly #host: ServerHost;
  readonly #shown = new Map<string, ShownServer>();

  constructor(services: Services, host: ServerHost) {
    this.#services = services;
    this.#host = host;
  }

  get all(): readonly ShownServer[] {
    return [...this.#shown.values()];
  }

  find(server: ConnectedServer): ShownServer | undefined {
    return this.#shown.get(serverKey(server));
  }

  /** The one that stands below the row; a server at another address is another server. */
  below(owner: TreeNode, ref: AgentServerRef): ShownServer {
    const known = this.find(ref);
    const same = known?.owner === owner && known.branch.ref.url === ref.url;
    if (same && known.branch.ref.name === ref.name) return known;
    this.leave(ref);
    const branch = new ServerBranch(owner, ref, this.#services, this.#host);
    const shown: ShownServer = { owner, branch, keylessOrigin: undefined };
    this.#shown.set(serverKey(ref), shown);
    return shown;
  }

  /** Stops asking a server. */
  leave(server: ConnectedServer): void {
    this.find(server)?.branch.leave();
    this.#shown.delete(serverKey(server));
  }

  /** Stops asking the servers of a connection that stand below none of these rows. */
  retain(connectionId: string, rows: readonly TreeNode[]): void {
    const ids = new Set(rows.map(({ id }) => id));
    for (const { owner, branch } of this.all)
      if (branch.ref.connectionId === connectionId && !ids.has(owner.id)) this.leave(branch.ref);
  }

  async load(shown: ShownServer): Promise<void> {
    await shown.branch.load();
    await this.#checkKey(shown);
  }

  async poll(shown: ShownServer, signal: AbortSignal): Promise<PollResult> {
    const result = await shown.branch.poll(signal);
    await this.#checkKey(shown);
    return result;
  }

  /** A key that must not go where the server is: a person decides. */
  async #checkKey(shown: ShownServer): Promise<void> {
    const { failure, ref } = shown.branch;
    const refused = failure !== undefined && refusesKey(failure.error);
    const origins = refused ? await this.#services.apiKeys.origins(ref.connectionId) : [];
    const { origin } = new URL(ref.url);
    const before = shown.keylessOrigin;
    shown.keylessOrigin = origins.length > 0 && !origins.includes(origin) ? origin : undefined;
    if (shown.keylessOrigin !== before) this.#host.changed();
  }
}

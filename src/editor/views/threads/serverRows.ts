/** The rows below one agent server, each made once and kept for as long as its thread or group is there. */

import type { AgentServerRef } from "../../connections/connection.ts";
import type { ConnectedServer } from "../../connections/serverRef.ts";
import { unsupportedWords } from "../../threads/servers/threadHost.ts";
import type { Unsupported } from "../../threads/servers/threadHost.ts";
import { MoreNode } from "../../kit/tree/moreNode.ts";
import type { More } from "../../kit/tree/moreNode.ts";
import type { TreeNode } from "../../kit/tree/node.ts";
import type { Rest, ServerThreads } from "../../threads/serverThreads.ts";
import { StatusGroupNode } from "./statusGroupNode.ts";
import type { GroupRows } from "./statusGroupNode.ts";
import { ThreadNode } from "./threadNode.ts";
import type { ThreadRow } from "../../threads/threadRow.ts";

/** Which list of threads goes on. */
export interface ListRef extends ConnectedServer {
  /** The status group; absent for a list without groups. */
  readonly group?: string;
}

/** Keeps the rows of one server the same objects. */
export class ServerRows {
  readonly #server: AgentServerRef;
  readonly #unsupported: () => Unsupported;
  readonly #groupRows: GroupRows;
  readonly #groups = new Map<string, StatusGroupNode>();
  readonly #threads = new Map<string, ThreadNode>();
  readonly #more = new Map<string, MoreNode>();

  /** `unsupported` answers what the server was found not to support so far. */
  constructor(server: AgentServerRef, unsupported: () => Unsupported, groupRows: GroupRows) {
    this.#server = server;
    this.#unsupported = unsupported;
    this.#groupRows = groupRows;
  }

  /** What hangs directly below the server. */
  below(parent: TreeNode, threads: ServerThreads): readonly TreeNode[] {
    if (!threads.grouped) return this.list(parent, threads);
    const groups = threads.groups.map((group) => {
      const node = kept(
        this.#groups,
        group.status,
        () => new StatusGroupNode(parent, group, this.#groupRows),
      );
      node.group = group;
      return node;
    });
    // Groups with lists of their own go on by themselves; a title search goes on for all of them.
    return [...groups, ...(threads.groupsGoOn ? [] : this.#rest(parent, threads))];
  }

  /** The threads of a group, or of the server when there are no groups, and what is left to load. */
  list(parent: TreeNode, threads: ServerThreads, group?: string): readonly TreeNode[] {
    const unsupported = unsupportedWords(this.#unsupported());
    const rows = threads.rows(group).map((row) => this.#thread(parent, row, unsupported));
    return [...rows, ...this.#rest(parent, threads, group)];
  }

  /** Forgets the rows of threads that are shown no more. */
  prune(threads: ServerThreads): void {
    const shown = new Set(threads.rows().map(({ id }) => id));
    for (const id of this.#threads.keys()) if (!shown.has(id)) this.#threads.delete(id);
  }

  #thread(parent: TreeNode, row: ThreadRow, unsupported: string): ThreadNode {
    const { connectionId, server } = this.#server;
    const ref = { connectionId, server, threadId: row.id };
    const node = kept(this.#threads, row.id, () => new ThreadNode(parent, ref, row));
    node.parent = parent;
    node.row = row;
    node.unsupported = unsupported;
    return node;
  }

  #rest(parent: TreeNode, threads: ServerThreads, group?: string): readonly TreeNode[] {
    const rest = threads.rest(group);
    if (rest === undefined) return [];
    const { connectionId, server } = this.#server;
    const list: ListRef = { connectionId, server, ...(group === undefined ? {} : { group }) };
    const more: More = {
      label: restWords(rest),
      command: "agentOperations.threads.loadMore",
      argument: list,
    };
    const newer = new MoreNode(parent, more);
    const node = kept(this.#more, group ?? "all", () => newer);
    node.update(newer);
    return [node];
  }
}

function restWords({ shown, total, read }: Rest): string {
  if (read === undefined) return `Load more (${String(shown)} of ${String(total)})`;
  return `Search further (${String(read)} of ${String(total)} searched)`;
}

function kept<K, V>(map: Map<K, V>, key: K, make: () => V): V {
  const known = map.get(key);
  if (known !== undefined) return known;
  const made = make();
  map.set(key, made);
  return made;
}

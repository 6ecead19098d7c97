import type { Thread, ThreadSearch } from "../../../../src/api/agentServer/wire.ts";
import type { ConnectionSetting, ThreadRef } from "../../../../src/editor/connections/connection.ts";
import "../fakeVscode.ts";

const { Inbox } = await import("../../../../src/editor/inbox/inbox.ts");
const { WaitingThreads } = await import("../../../../src/editor/threads/waitingThreads.ts");

type Services = ConstructorParameters<typeof Inbox>[0];

/** An inbox with everything that it asks; a connection has the id of its threads' key. */
export class InboxWorld {
  readonly threads = new Map<string, readonly Thread[] | Error>([["one", []]]);
  readonly titles: string[] = [];
  readonly searched: ThreadSearch[] = [];
  readonly began = new Map<string, string>();
  readonly cut = new Map<string, number>();
  /** Epoch milliseconds. */
  now = 1_700_000_000_000;
  /** Servers that were asked how many wait. */
  readonly countedOn: string[] = [];
  /** Why no server counts. */
  uncounted: Error | undefined;
  /** Connections whose servers can't be listed. */
  readonly unlisted = new Set<string>();
  /** What the connections' settings say beside their names. */
  readonly settings = new Map<string, Partial<ConnectionSetting>>();
  connectionsChanged: () => void = () => undefined;
  /** Servers beside the first of a connection, which never answer. */
  readonly hanging: string[] = [];
  /** What the next list of threads waits for, as it was when it was asked for. */
  nextWaits: Promise<unknown> = Promise.resolve();
  readonly kept = new Map<string, unknown>();
  readonly waitingThreads: InstanceType<typeof WaitingThreads>;
  readonly inbox: InstanceType<typeof Inbox>;
  readonly #services: unknown;

  constructor(
    limits: ConstructorParameters<typeof Inbox>[1] = { most: 3, pageSize: 2, othersWithinMs: 60_000 },
  ) {
    const list = () =>
      [...this.threads.keys()].map((id) => ({
        ...{ id, name: id, kind: "agentServer" as const, url: urlOf(id) },
        ...this.settings.get(id),
      }));
    const connections = {
      list,
      get: (id: string) => list().find((setting) => setting.id === id),
      running: list,
      heldUntil: () => undefined,
      onDidChange: (listener: () => void) => {
        this.connectionsChanged = listener;
        return { dispose: () => undefined };
      },
    };
    this.waitingThreads = new WaitingThreads(connections);
    this.#services = {
      connections,
      agentServers: {
        cutAt: (id: string) => this.cut.get(id),
        list: (id: string) =>
          this.unlisted.has(id)
            ? Promise.reject(new Error("away"))
            : Promise.resolve([
                { ...refOf(id), name: "server", url: this.settings.get(id)?.url ?? urlOf(id) },
                ...this.hanging.map((url) => ({
                  ...{ connectionId: id, server: { kind: "agentServer" as const, url } },
                  ...{ name: "other server", url },
                })),
              ]),
        threads: ({ connectionId, server }: ThreadRef) =>
          server.kind === "agentServer" && this.hanging.includes(server.url)
            ? new Promise(() => undefined)
            : Promise.resolve({
                search: (query: ThreadSearch) => this.#found(connectionId, query),
                count: () => this.#counted(connectionId),
              }),
      },
      threads: {
        setTitle: ({ threadId }: ThreadRef, title: string) => this.titles.push(`${threadId}: ${title}`),
        knownTitle: ({ threadId }: ThreadRef) => this.began.get(threadId),
        askTitles: (_: unknown, rows: readonly { readonly id: string; readonly title: string }[]) => {
          const found = rows.filter(({ title }) => title.startsWith("Thread "));
          for (const { id } of found) this.began.set(id, `Began ${id}`);
          return Promise.resolve(new Map(found.map(({ id }) => [id, `Began ${id}`])));
        },
      },
      waitingThreads: this.waitingThreads,
      clock: { now: () => this.now },
      context: {
        workspaceState: {
          get: (name: string) => this.kept.get(name),
          update: (name: string, value: unknown) => Promise.resolve(void this.kept.set(name, value)),
        },
      },
    };
    this.inbox = this.makeInbox(limits);
  }

  /** What the Inbox view needs of the extension. */
  get viewServices(): object {
    const onDidChange = () => ({ dispose: () => undefined });
    const { inbox } = this;
    const { threads, ...services } = this.#services as { readonly threads: object };
    const agentServers = { now: Date.now };
    return {
      ...{ ...services, agentServers, inbox, apiKeys: { onDidChange } },
      threads: { ...threads, onDidChange },
    };
  }

  /** Another one that asks the same. */
  makeInbox(limits: ConstructorParameters<typeof Inbox>[1]): InstanceType<typeof Inbox> {
    return new Inbox(this.#services as Services, limits);
  }

  #found(id: string, search: ThreadSearch) {
    const { offset = 0, limit = 10, sort_order: order } = search;
    this.searched.push(search);
    const all = this.threads.get(id) ?? [];
    if (all instanceof Error) return Promise.reject(all);
    const inOrder = order === "desc" ? all.toReversed() : all;
    const waits = this.nextWaits;
    this.nextWaits = Promise.resolve();
    return waits.then(() => ({ threads: inOrder.slice(offset, offset + limit), hasMore: false }));
  }

  #counted(id: string): Promise<number> {
    this.countedOn.push(id);
    const all = this.threads.get(id) ?? [];
    if (all instanceof Error) return Promise.reject(all);
    return this.uncounted === undefined ? Promise.resolve(all.length) : Promise.reject(this.uncounted);
  }
}

function urlOf(id: string): string {
  return `http://${id}`;
}

/** The server of a connection. */
export function refOf(id: string) {
  return { connectionId: id, server: { kind: "agentServer", url: urlOf(id) } } as const;
}

/** A thread that waits since so many seconds after the beginning of 1970. */
export function waiting(id: string, at: number): Thread {
  const time = new Date(at * 1000).toISOString();
  const metadata = { title: `Title of ${id}` };
  return { thread_id: id, status: "interrupted", created_at: time, updated_at: time, metadata };
}

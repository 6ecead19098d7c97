/** Finds where a thread lives: on an agent server, with a managed agent, or on a chat backend. */

import type * as vscode from "vscode";
import type { AgentServer } from "../../../api/agentServer/index.ts";
import type { Assistant, JsonObject } from "../../../api/agentServer/wire.ts";
import { beforePages } from "../../../api/pagination.ts";
import type { CallOptions } from "../../../api/http.ts";
import type { AssistantChoice } from "../../../run/panel/messages.ts";
import { linksIn } from "../../../run/repair/threadLinks.ts";
import type { ServerBegin } from "../../../run/session/server.ts";
import type { AgentServers } from "./agentServers.ts";
import type { ThreadTarget } from "../../connections/connection.ts";
import { serverAddress } from "../../connections/serverRef.ts";
import { ChatThreadHost } from "./chatThreadHost.ts";
import { ManagedThreadHost } from "./managedThreadHost.ts";
import type { Platforms } from "../../connections/platforms.ts";
import { statesAtOnce, type ThreadHost } from "./threadHost.ts";
import { givenTitle, titleFrom, titleOfInput } from "./threadTitle.ts";

/** Finds the host of any thread by its server. */
export class ThreadHosts {
  readonly #agentServers: AgentServers;
  readonly #platforms: Platforms;
  readonly #began: (connectionId: string) => ServerBegin | undefined;

  /** `began` says when the server of a connection began, where that is known. */
  constructor(
    agentServers: AgentServers,
    platforms: Platforms,
    began: (connectionId: string) => ServerBegin | undefined = () => undefined,
  ) {
    this.#agentServers = agentServers;
    this.#platforms = platforms;
    this.#began = began;
  }

  /** A server turned out not to support something, or to have lost a thread: its actions are to be drawn again. */
  get onDidChange(): vscode.Event<void> {
    return this.#agentServers.chats.onDidChange;
  }

  /** The host of a thread, or of one that is to be made there. */
  of(target: ThreadTarget): ThreadHost {
    const { connectionId, server, testRun } = target;
    switch (server.kind) {
      case "chatBackend":
        return new ChatThreadHost(this.#agentServers, target);
      case "managedAgent": {
        const client = () => this.#platforms.managedAgents(connectionId);
        return new ManagedThreadHost({ client, agentId: server.agentId, testRun });
      }
      case "deployment":
      case "agentServer":
      case "workspaceGraphs":
        return agentServerHost(this.#agentServers, target, () => this.#began(connectionId));
      default:
        return server satisfies never;
    }
  }
}

function agentServerHost(
  agentServers: AgentServers,
  target: ThreadTarget,
  serverBegan: () => ServerBegin | undefined,
): ThreadHost {
  const client = agentServers.client(target);
  const { threads, runs, assistants } = client;
  return {
    runs: {
      ...{ threads, runs, assistants },
      process: { began: serverBegan, keepsEvents: (options) => client.keepsEvents(options) },
    },
    unsupported: new Map(),
    facts: async (threadId, options) => {
      const [server, found, thread] = await Promise.all([
        agentServers.find(target),
        assistants.search({}, options),
        threadId === undefined ? undefined : threads.row(threadId, options),
      ]);
      const title = thread === undefined ? undefined : givenTitle(thread.metadata);
      const name = server?.name ?? serverAddress(target.server);
      return { name, assistants: found.map(choiceOf), title, links: linksIn(thread?.metadata) };
    },
    schemas: (assistantId, options) => assistants.schemas(assistantId, options),
    version: async (threadId, options) => {
      const { status, updated_at: updatedAt } = await threads.row(threadId, options);
      return { status, updatedAt };
    },
    state: (threadId, at) => threads.state(threadId, { subgraphs: true, ...at }),
    history: (threadId, options) =>
      beforePages(
        (before) => threads.history(threadId, { ...options, limit: statesAtOnce, before }),
        ({ checkpoint }) => checkpoint?.checkpoint_id,
      ),
    began: (threadId, metadata, options) => began(client, { threadId, metadata, options }),
    rename: (threadId, title) => threads.patch(threadId, { metadata: { title } }),
    delete: (threadId) => threads.delete(threadId),
  };
}

/** By the first run's input, which is small; by the state where the server does not tell inputs or the first run. */
async function began(
  { runs, threads }: AgentServer,
  asked: { readonly threadId: string; readonly metadata: JsonObject; readonly options: CallOptions },
): Promise<string | undefined> {
  const { threadId, metadata, options } = asked;
  const [first, second] = await runs.list(threadId, { ...options, limit: 2 });
  const isOldestFirst = second === undefined || (first?.created_at ?? "") <= second.created_at;
  const input = isOldestFirst ? first?.kwargs?.["input"] : undefined;
  if (input !== undefined && input !== null) return titleOfInput(input, metadata);
  const query = { ids: [threadId], select: ["thread_id", "values"], limit: 1 } as const;
  const [found] = (await threads.search(query, options)).threads;
  return found?.thread_id === threadId ? titleFrom(found.values) : undefined;
}

function choiceOf({
  assistant_id: id,
  name,
  graph_id: graph,
  description,
  metadata,
}: Assistant): AssistantChoice {
  const example = metadata["example"];
  return {
    id,
    graph,
    name: name ?? graph,
    ...(typeof description === "string" && description !== "" ? { description } : {}),
    ...(typeof example === "string" ? { example } : {}),
  };
}

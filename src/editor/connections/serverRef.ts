/** Which server of a connection threads live on, and the one place that knows how that is written down. */

/** An agent server, a chat backend, or a managed agent; stable within its connection. */
export type ServerRef =
  /** The agent server of a deployment, wherever that runs at the moment. */
  | { readonly kind: "deployment"; readonly deploymentId: string }
  /** An agent server whose address stands in the settings. */
  | { readonly kind: "agentServer"; readonly url: string }
  /** It speaks the streaming protocol and nothing else. */
  | { readonly kind: "chatBackend"; readonly url: string }
  | { readonly kind: "managedAgent"; readonly agentId: string }
  /** The one that runs the graphs of a folder of the workspace, wherever it listens at the moment. */
  | { readonly kind: "workspaceGraphs" };

/** A server, and the connection that reaches it. */
export interface ConnectedServer {
  readonly connectionId: string;
  readonly server: ServerRef;
}

const chatPrefix = "chat:";
const agentPrefix = "agent:";
const workspaceText = "workspace:";

/**
 * The server as one text, for what is kept over a reload (the workspace's state, addresses of documents, ids of rows):
 * a deployment's id, an address, `chat:` and an address, `agent:` and an id, or `workspace:`.
 */
export function serverText(server: ServerRef): string {
  switch (server.kind) {
    case "deployment":
      return server.deploymentId;
    case "agentServer":
      return server.url;
    case "chatBackend":
      return chatPrefix + server.url;
    case "managedAgent":
      return agentPrefix + server.agentId;
    case "workspaceGraphs":
      return workspaceText;
    default:
      return server satisfies never;
  }
}

/** The server that `serverText` wrote down. */
export function serverFromText(text: string): ServerRef {
  if (text === workspaceText) return { kind: "workspaceGraphs" };
  if (text.startsWith(chatPrefix)) return { kind: "chatBackend", url: text.slice(chatPrefix.length) };
  if (text.startsWith(agentPrefix)) return { kind: "managedAgent", agentId: text.slice(agentPrefix.length) };
  return URL.canParse(text) ? { kind: "agentServer", url: text } : { kind: "deployment", deploymentId: text };
}

/** The server that a value names, if it names one: as `server`, or as `serverId` the way `serverText` writes it. */
export function connectedServerIn(value: unknown): ConnectedServer | undefined {
  if (typeof value !== "object" || value === null) return undefined;
  const { connectionId, server, serverId } = value as Readonly<Record<string, unknown>>;
  if (typeof connectionId !== "string") return undefined;
  if (typeof serverId === "string") return { connectionId, server: serverFromText(serverId) };
  return isServerRef(server) ? { connectionId, server } : undefined;
}

/** One text for one server of one connection. */
export function serverKey({ connectionId, server }: ConnectedServer): string {
  return `${connectionId} ${serverText(server)}`;
}

/** Whether both are the same server, reached by the same connection. */
export function isSameServer(a: ConnectedServer, b: ConnectedServer): boolean {
  return serverKey(a) === serverKey(b);
}

/** One text for one thread of one server. */
export function threadKey(thread: ConnectedServer & { readonly threadId: string }): string {
  return `${serverKey(thread)} ${thread.threadId}`;
}

/** Whether both are the same thread; one that is still to be made is no other's. */
export function isSameThread(
  a: ConnectedServer & { readonly threadId?: string | undefined },
  b: ConnectedServer & { readonly threadId?: string | undefined },
): boolean {
  return a.threadId !== undefined && a.threadId === b.threadId && isSameServer(a, b);
}

/** Where the server is, where its name is not known. */
export function serverAddress(server: ServerRef): string {
  switch (server.kind) {
    case "deployment":
      return server.deploymentId;
    case "agentServer":
    case "chatBackend":
      return server.url;
    case "managedAgent":
      return server.agentId;
    case "workspaceGraphs":
      return "the workspace's graphs";
    default:
      return server satisfies never;
  }
}

function isServerRef(value: unknown): value is ServerRef {
  if (typeof value !== "object" || value === null) return false;
  const { kind, deploymentId, url, agentId } = value as Readonly<Record<string, unknown>>;
  if (kind === "workspaceGraphs") return true;
  const texts = { deployment: deploymentId, agentServer: url, chatBackend: url, managedAgent: agentId };
  return typeof kind === "string" && typeof (texts as Readonly<Record<string, unknown>>)[kind] === "string";
}

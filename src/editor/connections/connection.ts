/** A connection as it stands in the settings: where a platform or server is, and never its key. */

import { refIn, textIn } from "../kit/ask/meant.ts";
import { connectedServerIn } from "./serverRef.ts";
import type { ConnectedServer } from "./serverRef.ts";

/** What is at the other end. */
export type ConnectionKind = "platform" | "agentServer" | "protocol" | "localPlatform" | "workspaceGraphs";

/** Which spelling of the interface the server uses; "standard" is the specification's. */
export type Dialect = "standard" | "langsmith";

/** How the secret of a connection is sent: as `X-Api-Key`, or as a bearer token in `Authorization`. */
export type AuthScheme = "apiKey" | "bearer";

/** What a protected connection asks for before something there is changed; "nothing" is marked, and asks no more than others. */
export type Strictness = "word" | "click" | "nothing";

/** The colors that every theme has. */
export type ConnectionColor = "red" | "orange" | "yellow" | "green" | "blue" | "purple";

/** One entry of the setting. */
export interface ConnectionSetting {
  /** Made once and never changed; keys in secret storage are bound to it. */
  readonly id: string;
  readonly name: string;
  readonly kind: ConnectionKind;
  /** The main API host of a platform, the server's address otherwise; absent for what runs on this machine. */
  readonly url?: string;
  readonly controlPlaneUrl?: string;
  /** Agent servers of a platform that are known by address. */
  readonly agentServers?: readonly { readonly name: string; readonly url: string }[];
  readonly workspaceId?: string;
  readonly dialect?: Dialect;
  /** "apiKey" unless given; the secret itself is in secret storage either way. */
  readonly auth?: AuthScheme;
  /** Production: marked wherever it appears, and what changes something there asks as strictly as this says. */
  readonly protected?: Strictness;
  /** The color of its mark; a protected one is red unless given. */
  readonly color?: ConnectionColor;
  /** Where a person sees the platform in a browser, when it can't be derived from the other addresses. */
  readonly consoleUrl?: string;
  /** Sent with each request; values may be `${env:NAME}`. Secrets do not belong here. */
  readonly headers?: Readonly<Record<string, string>>;
}

/** Whether it is started by this editor: its addresses are other ones after each start, and none of them is in the settings. */
export function runsHere({ kind }: Pick<ConnectionSetting, "kind">): boolean {
  return kind === "localPlatform" || kind === "workspaceGraphs";
}

/** Whether it has deployments and managed agents, and is no single server. */
export function isPlatform({ kind }: Pick<ConnectionSetting, "kind">): boolean {
  return kind === "platform" || kind === "localPlatform";
}

/** A connection that is ready to be used: addresses are known and valid. */
export interface Connection extends ConnectionSetting {
  readonly url: string;
}

/** One agent server that a connection reaches; a deployment has exactly one. */
export interface AgentServerRef extends ConnectedServer {
  readonly name: string;
  readonly url: string;
}

/** One deployment of a platform. */
export interface DeploymentRef {
  readonly connectionId: string;
  readonly deploymentId: string;
}

/** One revision of a deployment. */
export interface RevisionRef extends DeploymentRef {
  readonly revisionId: string;
}

/** One thread on one server: enough to find it again after a window reload. */
export interface ThreadRef extends ConnectedServer {
  readonly threadId: string;
}

/** The thread that a row, a row under a key or another caller names; undefined from the palette. */
export function threadOf(value: unknown): ThreadRef | undefined {
  return refIn(value, (named) => {
    const server = connectedServerIn(named);
    return server && threadOn(server, textIn(named, "threadId"));
  });
}

/** The thread of that id on a server; undefined where none is known yet. */
export function threadOn(
  { connectionId, server }: ConnectedServer,
  threadId: string | undefined,
): ThreadRef | undefined {
  return threadId === undefined ? undefined : { connectionId, server, threadId };
}

/** A thread, or the server that one is to be made on with its first run. */
export interface ThreadTarget extends ConnectedServer {
  readonly threadId?: string | undefined;
  /** Whether the thread is made for a test run; only managed agents know the difference. */
  readonly testRun?: boolean | undefined;
  /** The assistant that is chosen at first; another one may be. */
  readonly assistantId?: string | undefined;
}

/** A revision that a person watches, as it is remembered over a reload. */
export interface WatchedRevision extends RevisionRef {
  /** The deployment's name. */
  readonly name: string;
  /** Epoch milliseconds. */
  readonly startedAt: number;
}

/**
 * Attempts to connect to tool servers: several at once, each waited for until it ends. Their ids outlast a reload of
 * the window; tokens never come here.
 */

import * as vscode from "vscode";
import { isGone } from "../../api/errors.ts";
import type { AuthSession } from "../../api/managedAgents/authSessions.ts";
import type { Connections } from "../connections/connections.ts";
import type { Platforms } from "../connections/platforms.ts";
import type { ActivityEnd, ActivityLog } from "../kit/activityLog.ts";
import { KeptList } from "../kit/keptList.ts";
import { WATCHED } from "../kit/remembered.ts";
import { type WatchEnded, Watches } from "../kit/watches.ts";
import { type AuthEnd, type AuthOutcome, endOf, sentence } from "./authState.ts";
import { adviceFor } from "../kit/remedies.ts";

/** One tool server of one platform. */
export interface ToolServerRef {
  readonly connectionId: string;
  readonly toolServerId: string;
}

/** What is remembered of an attempt. */
export interface AuthAttempt extends ToolServerRef {
  readonly serverName: string;
  readonly sessionId: string;
  /** In milliseconds since 1970. */
  readonly startedAt: number;
  /** Absent while it waits. */
  readonly end?: AuthEnd;
}

/** What begins an attempt. */
export interface AttemptOrder extends ToolServerRef {
  readonly serverName: string;
  readonly providerId: string;
  /** Ask the person again although access was granted before. */
  readonly anew: boolean;
}

interface Needs {
  readonly activity: Pick<ActivityLog, "begin">;
  readonly connections: Pick<Connections, "get">;
  readonly context: Pick<vscode.ExtensionContext, "workspaceState">;
  readonly platforms: Pick<Platforms, "managedAgents">;
}

const keptMs = 24 * 60 * 60_000;
const mostEnded = 200;
const waitSeconds = 20;

/** The last attempt for each tool server. */
export class AuthAttempts implements vscode.Disposable {
  readonly #platforms: Needs["platforms"];
  readonly #watches: Watches<AuthAttempt, AuthSession>;
  /** The ends of the last day. */
  readonly #ended: KeptList<AuthAttempt>;
  readonly #addresses = new Map<string, string>();
  readonly #changed = new vscode.EventEmitter<ToolServerRef>();
  /** An attempt began or ended. */
  readonly onDidChange = this.#changed.event;

  /** An attempt is waited for as long as `limitMs`. */
  constructor({ activity, connections, context, platforms }: Needs, limitMs = 5 * 60_000) {
    const memory = context.workspaceState;
    this.#platforms = platforms;
    this.#ended = new KeptList<AuthAttempt>(memory, "authAttempts.ended", toolServerKey, mostEnded);
    this.#watches = new Watches<AuthAttempt, AuthSession>(
      {
        memoryName: WATCHED.signIns,
        keyOf: toolServerKey,
        read: (attempt, signal, leftMs) => this.#session(attempt, signal, leftMs),
        isOver: (session) => endOf(session) !== undefined,
        // The platform holds each question open for a while.
        moved: () => true,
        pauses: { minMs: 1000, maxMs: 10_000 },
        deadlineMs: () => limitMs,
        row: ({ connectionId, serverName }) => ({
          title: `Connecting “${serverName}”`,
          connection: connections.get(connectionId)?.name,
          step: waitingStep,
        }),
        stepText: () => waitingStep,
        endText: ({ serverName }, ended) => {
          if (ended.end === "refused") return { how: "failed", message: adviceFor(ended.error).message };
          const end = authEndOf(ended);
          return { how: activityEnds[end.outcome], message: sentence(serverName, end) };
        },
        changed: (attempt, state, before) => {
          if (state.kind === "ended") this.#end({ ...attempt, end: authEndOf(state) });
          else if (before === undefined) this.#changed.fire(attempt);
        },
      },
      { activity, memory },
    );
    this.#watches.resume();
  }

  /** The last attempt for a server, waiting or ended. */
  of(server: ToolServerRef): AuthAttempt | undefined {
    const key = toolServerKey(server);
    const waiting = this.waiting.find((attempt) => toolServerKey(attempt) === key);
    if (waiting !== undefined) return waiting;
    const ended = this.#ended.get(key);
    return ended !== undefined && ended.startedAt > Date.now() - keptMs ? ended : undefined;
  }

  /** Where the person agrees, as long as this window knows it. */
  addressOf(server: ToolServerRef): string | undefined {
    return this.#addresses.get(toolServerKey(server));
  }

  /** Those that have not ended. */
  get waiting(): readonly AuthAttempt[] {
    return this.#watches.open;
  }

  /**
   * Begins an attempt, in place of an earlier one for the same server. Gives the end at once when access that was
   * granted before will do. Throws what the platform answers.
   */
  async begin(order: AttemptOrder, signal?: AbortSignal): Promise<AuthEnd | "waiting"> {
    const { connectionId, toolServerId, serverName, providerId, anew } = order;
    const { authSessions } = await this.#platforms.managedAgents(connectionId);
    const strategy = anew ? "CREATE" : "REUSE";
    const session = await authSessions.start({ provider_id: providerId, scopes: [], strategy }, { signal });
    const { id: sessionId = "", verification_url: address } = session;
    const attempt = { connectionId, toolServerId, serverName, sessionId, startedAt: Date.now() };
    const end = endOf(session);
    if (end !== undefined) {
      this.#end({ ...attempt, end });
      return end;
    }
    if (sessionId === "" || address === undefined) {
      return { outcome: "failed", said: "the platform named no sign-in page" };
    }
    this.cancel(attempt);
    this.#addresses.set(toolServerKey(attempt), address);
    this.#watches.begin(attempt);
    return "waiting";
  }

  /** Waits for the server's attempt until it ends in any way. Rejects when the platform can't be asked. */
  async wait(server: ToolServerRef): Promise<AuthEnd> {
    const ended = await this.#watches.ended(toolServerKey(server));
    if (ended?.end === "refused") throw ended.error;
    return ended === undefined ? { outcome: "cancelled" } : authEndOf(ended);
  }

  /** Waits no more for a server's attempt; the session itself ends on the platform by its own time. */
  cancel(server: ToolServerRef): void {
    this.#watches.cancel(toolServerKey(server));
  }

  /** Asks once more about an attempt that was given up; false when there is none. */
  again(server: ToolServerRef): boolean {
    const attempt = this.of(server);
    if (attempt === undefined || attempt.sessionId === "") return false;
    const { connectionId, toolServerId, serverName, sessionId } = attempt;
    this.#watches.begin({ connectionId, toolServerId, serverName, sessionId, startedAt: Date.now() });
    return true;
  }

  dispose(): void {
    this.#watches.dispose();
    this.#changed.dispose();
  }

  async #session(attempt: AuthAttempt, signal: AbortSignal, leftMs: number): Promise<AuthSession> {
    const { authSessions } = await this.#platforms.managedAgents(attempt.connectionId);
    try {
      return await authSessions.get(attempt.sessionId, {
        waitSeconds: Math.min(waitSeconds, leftMs / 1000),
        signal,
      });
    } catch (error) {
      if (isGone(error)) return { status: "CONNECTION_REQUIRED", error: "session_expired" };
      throw error;
    }
  }

  #end(attempt: AuthAttempt): void {
    this.#addresses.delete(toolServerKey(attempt));
    void this.#ended.keep(attempt);
    this.#changed.fire(attempt);
  }
}

const waitingStep = "Waiting for you to sign in in the browser";

function authEndOf({ end, answer }: WatchEnded<AuthSession>): AuthEnd {
  const outcomes = {
    deadline: "timedOut",
    cancelled: "cancelled",
    refused: "failed",
    gone: "failed",
  } as const;
  if (end !== "over") return { outcome: outcomes[end] };
  return (answer && endOf(answer)) ?? { outcome: "failed" };
}

const activityEnds: Readonly<Record<AuthOutcome, ActivityEnd>> = {
  connected: "done",
  cancelled: "stopped",
  refused: "failed",
  expired: "failed",
  timedOut: "failed",
  failed: "failed",
};

/** One text for one tool server of one platform. */
export function toolServerKey({ connectionId, toolServerId }: ToolServerRef): string {
  return `${connectionId} ${toolServerId}`;
}

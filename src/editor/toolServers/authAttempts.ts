/**
 * Attempts to connect to tool servers: several at once, each waited for until it ends. Their ids outlast a reload of
 * the window; tokens never come here.
 */

import * as vscode from "vscode";
import { ApiError } from "../../api/errors.ts";
import type { AuthSession } from "../../api/managedAgents/authSessions.ts";
import type { Platforms } from "../connections/platforms.ts";
import { endOf } from "./authState.ts";
import type { AuthEnd } from "./authState.ts";

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
  readonly context: Pick<vscode.ExtensionContext, "workspaceState">;
  readonly platforms: Pick<Platforms, "managedAgents">;
}

const memoryKey = "authAttempts";
const keptMs = 24 * 60 * 60_000;
const pauseMs = 1000;
const longestPauseMs = 10_000;
const waitSeconds = 20;

/** The last attempt for each tool server. */
export class AuthAttempts implements vscode.Disposable {
  /** How long an attempt is waited for. */
  readonly limitMs: number;
  readonly #services: Needs;
  readonly #changed = new vscode.EventEmitter<ToolServerRef>();
  /** An attempt began or ended. */
  readonly onDidChange = this.#changed.event;
  readonly #resumed = new vscode.EventEmitter<AuthAttempt>();
  /** An attempt of before a reload is waited for again. */
  readonly onDidResume = this.#resumed.event;
  readonly #waiting = new Map<string, AbortController>();
  readonly #addresses = new Map<string, string>();
  #attempts: readonly AuthAttempt[];

  constructor(services: Needs, limitMs = 5 * 60_000) {
    this.#services = services;
    this.limitMs = limitMs;
    const kept = services.context.workspaceState.get<readonly AuthAttempt[]>(memoryKey, []);
    this.#attempts = kept.filter(({ startedAt }) => startedAt > Date.now() - keptMs);
  }

  /** The last attempt for a server, waiting or ended. */
  of(server: ToolServerRef): AuthAttempt | undefined {
    return this.#attempts.find((attempt) => isSame(attempt, server));
  }

  /** Where the person agrees, as long as this window knows it. */
  addressOf(server: ToolServerRef): string | undefined {
    const attempt = this.of(server);
    return attempt?.end === undefined ? this.#addresses.get(keyOf(server)) : undefined;
  }

  /** Those that have not ended. */
  get waiting(): readonly AuthAttempt[] {
    return this.#attempts.filter(({ end }) => end === undefined);
  }

  /** Those that were waited for when the window was reloaded. */
  get unfinished(): readonly AuthAttempt[] {
    return this.waiting.filter((attempt) => !this.#waiting.has(keyOf(attempt)));
  }

  /**
   * Begins an attempt, in place of an earlier one for the same server. Gives the end at once when access that was
   * granted before will do. Throws what the platform answers.
   */
  async begin(order: AttemptOrder, signal?: AbortSignal): Promise<AuthEnd | "waiting"> {
    const { connectionId, toolServerId, serverName, providerId, anew } = order;
    const { authSessions } = await this.#services.platforms.managedAgents(connectionId);
    const strategy = anew ? "CREATE" : "REUSE";
    const session = await authSessions.start({ provider_id: providerId, scopes: [], strategy }, { signal });
    const server = { connectionId, toolServerId };
    const end = endOf(session);
    if (end !== undefined) {
      this.#keep({ ...server, serverName, sessionId: session.id ?? "", startedAt: Date.now(), end });
      return end;
    }
    if (session.id === undefined || session.verification_url === undefined) {
      return { outcome: "failed", said: "the platform named no sign-in page" };
    }
    this.cancel(server);
    this.#addresses.set(keyOf(server), session.verification_url);
    this.#keep({ ...server, serverName, sessionId: session.id, startedAt: Date.now() });
    return "waiting";
  }

  /** Waits for the server's attempt until it ends in any way. Rejects when the platform can't be asked. */
  async wait(server: ToolServerRef): Promise<AuthEnd> {
    const attempt = this.of(server);
    if (attempt === undefined) return { outcome: "cancelled" };
    if (attempt.end !== undefined) return attempt.end;
    const cancelling = new AbortController();
    this.#waiting.get(keyOf(server))?.abort();
    this.#waiting.set(keyOf(server), cancelling);
    try {
      const end = await this.#ask(attempt, cancelling.signal);
      if (this.of(server)?.sessionId === attempt.sessionId) this.#keep({ ...attempt, end });
      return end;
    } catch (error) {
      const isGoing = error instanceof vscode.CancellationError;
      if (!isGoing && this.of(server)?.sessionId === attempt.sessionId) {
        this.#keep({ ...attempt, end: { outcome: "failed" } });
      }
      throw error;
    } finally {
      if (this.#waiting.get(keyOf(server)) === cancelling) this.#waiting.delete(keyOf(server));
    }
  }

  /** Waits no more for a server's attempt; the session itself ends on the platform by its own time. */
  cancel(server: ToolServerRef): void {
    const attempt = this.of(server);
    if (attempt === undefined || attempt.end !== undefined) return;
    this.#waiting.get(keyOf(server))?.abort();
    this.#keep({ ...attempt, end: { outcome: "cancelled" } });
  }

  /** Looks once more at an attempt that was given up; false when there is none. */
  again(server: ToolServerRef): boolean {
    const attempt = this.of(server);
    if (attempt === undefined || attempt.sessionId === "") return false;
    const { connectionId, toolServerId, serverName, sessionId } = attempt;
    this.#keep({ connectionId, toolServerId, serverName, sessionId, startedAt: Date.now() });
    return true;
  }

  /** Goes on with what was waited for before the window was reloaded. */
  resume(): void {
    for (const attempt of this.unfinished) this.#resumed.fire(attempt);
  }

  dispose(): void {
    // The window goes: what it waits for goes on after a reload.
    for (const waiting of this.#waiting.values()) waiting.abort(new vscode.CancellationError());
    this.#changed.dispose();
    this.#resumed.dispose();
  }

  async #ask(attempt: AuthAttempt, signal: AbortSignal): Promise<AuthEnd> {
    const deadline = attempt.startedAt + this.limitMs;
    for (let pause = pauseMs; ; pause = Math.min(2 * pause, longestPauseMs)) {
      const left = deadline - Date.now();
      if (left <= 0) return { outcome: "timedOut" };
      try {
        const end = endOf(await this.#look(attempt, Math.min(waitSeconds, left / 1000), signal));
        if (end !== undefined) return end;
        pause = pauseMs / 2;
      } catch (error) {
        if (!signal.aborted && !passes(error)) throw error;
      }
      if (!signal.aborted) await delay(Math.min(pause, Math.max(0, deadline - Date.now())), signal);
      if (signal.reason instanceof vscode.CancellationError) throw signal.reason;
      if (signal.aborted) return { outcome: "cancelled" };
    }
  }

  async #look(attempt: AuthAttempt, seconds: number, signal: AbortSignal): Promise<AuthSession> {
    const { authSessions } = await this.#services.platforms.managedAgents(attempt.connectionId);
    try {
      return await authSessions.get(attempt.sessionId, { waitSeconds: seconds, signal });
    } catch (error) {
      const isGone = error instanceof ApiError && error.kind === "notFound";
      if (isGone) return { status: "CONNECTION_REQUIRED", error: "session_expired" };
      throw error;
    }
  }

  #keep(attempt: AuthAttempt): void {
    this.#attempts = [attempt, ...this.#attempts.filter((other) => !isSame(other, attempt))];
    if (attempt.end !== undefined) this.#addresses.delete(keyOf(attempt));
    void this.#services.context.workspaceState.update(memoryKey, this.#attempts);
    this.#changed.fire(attempt);
  }
}

/** Whether asking again may help: the network is away, or the platform is busy. */
function passes(error: unknown): boolean {
  if (!(error instanceof ApiError)) return false;
  return ["dns", "refused", "unreachable", "timeout", "cut", "rateLimited", "server"].includes(error.kind);
}

async function delay(ms: number, signal: AbortSignal): Promise<void> {
  if (signal.aborted) return;
  await new Promise<void>((resolve) => {
    const done = (): void => {
      clearTimeout(timer);
      signal.removeEventListener("abort", done);
      resolve();
    };
    const timer = setTimeout(done, ms);
    signal.addEventListener("abort", done);
  });
}

function isSame(one: ToolServerRef, other: ToolServerRef): boolean {
  return keyOf(one) === keyOf(other);
}

function keyOf({ connectionId, toolServerId }: ToolServerRef): string {
  return `${connectionId} ${toolServerId}`;
}

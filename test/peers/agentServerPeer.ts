import assert from "node:assert/strict";
import { AgentServer } from "../../src/api/agentServer/index.ts";
import type { RunStream } from "../../src/api/agentServer/index.ts";
import type { JsonObject, StreamMode, ThreadState } from "../../src/api/agentServer/wire.ts";
import { ApiError } from "../../src/api/errors.ts";
import { Http } from "../../src/api/http.ts";
import type { Exchange } from "../../src/api/http.ts";
import type { SseEvent } from "../../src/api/exchange.ts";
import { startFeedbackService } from "../support/feedbackService.ts";
import type { FeedbackService } from "../support/feedbackService.ts";
import { startAgentServer } from "./server.ts";

/** A real agent server with its feedback service, and our client of it. */
export interface AgentServerPeer {
  readonly url: string;
  readonly api: AgentServer;
  readonly service: FeedbackService;
  /** Every exchange of the client. */
  readonly exchanges: readonly Exchange[];
  stop(): Promise<void>;
}

/** An id that no thread, run or assistant has. */
export const nowhere = "00000000-0000-7000-8000-000000000000";
/** The stream modes that a run panel asks for. */
export const modes: readonly StreamMode[] = ["messages-tuple", "updates", "values", "custom"];

let starting: Promise<AgentServerPeer> | undefined;

/** The server that all test files of a process share; it ends with the last of them. */
export function agentServerPeer(): Promise<AgentServerPeer> {
  starting ??= start();
  return starting;
}

after(async () => (await starting)?.stop());

async function start(): Promise<AgentServerPeer> {
  const service = await startFeedbackService();
  const server = await startAgentServer({ LANGSMITH_ENDPOINT: service.url, LANGSMITH_API_KEY: "unused" });
  const exchanges: Exchange[] = [];
  const http = new Http({ baseUrl: server.url, onExchange: (exchange) => exchanges.push(exchange) });
  const stop = async () => {
    await server.stop();
    await service.stop();
  };
  return { url: server.url, api: new AgentServer(http), service, exchanges, stop };
}

/** The input in which a person says something. */
export function say(content: string, rest: JsonObject = {}): JsonObject {
  return { messages: [{ role: "user", content }], ...rest };
}

/** The failure of a call that must fail. */
export async function rejection(promise: Promise<unknown>): Promise<ApiError> {
  return promise.then(
    () => assert.fail("did not fail"),
    (error: unknown) => (error instanceof ApiError ? error : assert.fail(String(error))),
  );
}

/** A stream to its end. */
export async function read({ events }: RunStream): Promise<readonly SseEvent[]> {
  const seen: SseEvent[] = [];
  for await (const batch of events) seen.push(...batch);
  return seen;
}

/** Reads a stream to its end; `working` resolves when one of its nodes says something. */
export function reading({ events }: RunStream): {
  readonly working: Promise<undefined>;
  readonly ended: Promise<readonly SseEvent[]>;
} {
  const { promise, resolve, reject } = Promise.withResolvers<undefined>();
  const toTheEnd = async (): Promise<readonly SseEvent[]> => {
    const seen: SseEvent[] = [];
    for await (const batch of events) {
      seen.push(...batch);
      if (seen.some(({ event }) => event === "messages")) resolve(undefined);
    }
    reject(new Error(`No node said anything: ${JSON.stringify(seen)}`));
    return seen;
  };
  return { working: promise, ended: toTheEnd() };
}

/** Texts of the messages in a thread's state. */
export function texts({ values }: ThreadState): readonly unknown[] {
  return (values["messages"] as readonly { readonly content: unknown }[]).map(({ content }) => content);
}

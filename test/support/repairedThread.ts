/** A thread of the sample agent that counts its executions, and how its course is changed from a test. */

import type { AgentServer } from "../../src/api/agentServer/index.ts";
import type { JsonObject } from "../../src/api/agentServer/wire.ts";
import { carryOut } from "../../src/run/repair/carryOut.ts";
import type { Plan } from "../../src/run/repair/plan.ts";
import type { CourseThread } from "../../src/run/repair/threadPosition.ts";
import { runToEnd } from "./runToEnd.ts";

const { signal } = new AbortController();

/** One thread on a server. */
export class RepairedThread {
  readonly course: CourseThread;
  readonly #server: AgentServer;
  readonly #assistantId: string;

  constructor(server: AgentServer, threadId: string, assistantId: string) {
    this.#server = server;
    this.#assistantId = assistantId;
    this.course = { server, threadId, signal };
  }

  static async make(server: AgentServer, assistantId = "pipeline"): Promise<RepairedThread> {
    return new RepairedThread(server, (await server.threads.create()).thread_id, assistantId);
  }

  /** Says something and waits for the run's end, however it ends. */
  async say(content: string, rest: JsonObject = {}): Promise<void> {
    await this.run({ input: { messages: [{ role: "user", content }], ...rest } });
  }

  async run(body: JsonObject): Promise<void> {
    const { threadId } = this.course;
    const given = {
      assistant_id: this.#assistantId,
      config: { configurable: { token_delay_ms: 0 } },
      ...body,
    };
    await runToEnd(this.#server, threadId, given);
  }

  /** Carries a plan out, and waits for the end of its run. */
  async follow(plan: Plan): Promise<void> {
    const { run } = await carryOut(this.course, plan);
    await this.run({ ...run });
  }

  async values(): Promise<JsonObject> {
    return (await this.#server.threads.state(this.course.threadId)).values;
  }

  /** How often each step was executed, as the state tells. */
  async executions(): Promise<JsonObject> {
    return (await this.values())["executions"] as JsonObject;
  }

  /** What was said, from the beginning. */
  async texts(): Promise<readonly unknown[]> {
    return ((await this.values())["messages"] as readonly JsonObject[]).map(({ content }) => content);
  }
}

/** The words of a refusal. */
export async function refusal(work: Promise<unknown> | (() => unknown)): Promise<string> {
  try {
    await (typeof work === "function" ? work() : work);
  } catch (error) {
    const { message, remedy } = error as Error & { readonly remedy?: string };
    return [message, remedy].filter((part) => part !== undefined).join(" ");
  }
  throw new Error("It was not refused.");
}

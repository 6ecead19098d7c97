/** What two agent servers are compared by: what their threads and streams tell, without ids and times. */

import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { startServer } from "../../../src/emulator/server.ts";
import { agentServerPeer } from "../agentServerPeer.ts";
import type { Json, SdkClient, SdkEvent } from "./client.ts";
import { sdkClient } from "./client.ts";

/** An agent server, as the platform's own client sees it. */
export interface Compared {
  readonly url: string;
  readonly apiKey: string;
  readonly client: SdkClient;
  stop(): Promise<void>;
}

/** The real agent server and the Local Platform: what starts them. */
export const servers: Readonly<Record<string, () => Promise<Compared>>> = {
  "the real agent server": async () => {
    const { url } = await agentServerPeer();
    const stop = () => Promise.resolve();
    return { url, apiKey: "unused", client: await sdkClient(url, "unused"), stop };
  },
  "the Local Platform": async () => {
    const directory = await mkdtemp(join(tmpdir(), "compared-"));
    const server = await startServer({ port: 0, directory });
    const { deploymentUrl: url, apiKey } = server.ready;
    const stop = async () => {
      await server.close();
      await rm(directory, { recursive: true, force: true });
    };
    return { url, apiKey, client: await sdkClient(url, apiKey), stop };
  },
};

/** A checkpoint in a line: `loop 3: charge ok` tells what came next at step 3, and how that ended. */
export function checkpointLine(state: Json): string {
  const { source, step } = state.metadata ?? {};
  const tasks = (state.tasks as unknown as readonly Json[]).map(
    (task) => `${text(task.name)} ${ending(task)}`,
  );
  return [`${text(source)} ${text(step)}:`, ...tasks].join(" ");
}

/** The history of a thread, oldest first, a line per checkpoint. */
export async function historyLines(client: SdkClient, threadId: string): Promise<string[]> {
  return (await client.threads.getHistory(threadId, { limit: 100 })).map(checkpointLine).reverse();
}

/** The texts of a state's messages. */
export function texts(state: Json | undefined): string[] {
  const messages = state?.messages as unknown as readonly Json[] | undefined;
  return (messages ?? []).map(({ content }) => text(content));
}

/** A stream in a line per event: its name, and of updates and interrupts what they are about. */
export async function eventLines(stream: AsyncIterable<SdkEvent>): Promise<string[]> {
  const lines: string[] = [];
  for await (const { event, data } of stream) {
    const asked = data.__interrupt__ as unknown as readonly unknown[] | undefined;
    const about =
      asked === undefined ? Object.keys(event === "updates" ? data : {}) : [`asks ${asked.length}`];
    lines.push([event, ...about].join(" "));
  }
  return lines;
}

function ending(task: Json): string {
  if (JSON.stringify(task.error) !== "null") return "failed";
  if (JSON.stringify(task.interrupts) !== "[]") return "asked";
  return JSON.stringify(task.result) === "null" ? "waits" : "ok";
}

/** A value of an answer as text. */
export function text(value: unknown): string {
  return typeof value === "string" ? value : JSON.stringify(value);
}

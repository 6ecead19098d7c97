/** Starts the chat backend that is built on the embeddable server of the pinned peer. */

import { join } from "node:path";
import { startProcessGroup } from "../host/processGroup.ts";
import type { PeerServer } from "./server.ts";

const home = join(import.meta.dirname, "langgraph");

export async function startChatBackend(): Promise<PeerServer> {
  const ready = Promise.withResolvers<string>();
  const group = startProcessGroup(process.execPath, [join(home, "chatBackend.mts")], {
    cwd: home,
    env: { LANGSMITH_TRACING: "false", LANGCHAIN_TRACING_V2: "false" },
    onLine: (line) => {
      if (line.startsWith("{")) ready.resolve((JSON.parse(line) as { url: string }).url);
    },
  });
  void group.exited.then(() => ready.reject(new Error(`The backend did not start:\n${group.lastLines()}`)));
  return { url: await ready.promise, stop: () => group.stop() };
}

/** Starts the chat backend that is built on the embeddable server of the pinned peer. */

import { join } from "node:path";
import { startProcessGroup } from "../host/processGroup.ts";
import { noteForeignServer } from "../support/foreign.ts";
import type { PeerServer } from "./server.ts";

const home = join(import.meta.dirname, "langgraph");
/** What the server leaves to an application: it is code of `chatBackend.mts`. */
const written = ["GET /api/threads", "POST /api/threads/{thread_id}/state"];

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
  const url = await ready.promise;
  noteForeignServer(url, written);
  return { url, stop: () => group.stop() };
}

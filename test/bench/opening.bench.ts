/** Opening a thread of the real agent server: how long it takes, and what goes over the wire, beside the platform's SDK. */

import { AgentServer } from "../../src/api/agentServer/index.ts";
import type { Json } from "../../src/api/agentServer/wire.ts";
import { Http } from "../../src/api/http.ts";
import { installPeer } from "../peers/install.ts";
import { sdkClient } from "../peers/sdk/client.ts";
import { startAgentServer } from "../peers/server.ts";
import { relayTo } from "../support/countingRelay.ts";
import { idle, liveSession } from "../support/liveSession.ts";
import { runToEnd } from "../support/runToEnd.ts";
import { join } from "node:path";
import { type Figures, median, projectFolder, report, versionOf } from "./report.ts";

interface Kind {
  readonly what: string;
  readonly graph: string;
  readonly inputs: readonly Json[];
}

interface Opened {
  readonly ms: number;
  readonly bytes: number;
  readonly requests: number;
  readonly rows: number;
}

const say = (content: string) => ({ messages: [{ role: "user", content }] });
const kinds: readonly Kind[] = [
  { what: "30 runs", graph: "chat", inputs: Array.from({ length: 30 }, (_, n) => say(`Turn ${n}`)) },
  { what: "5,000 messages", graph: "long", inputs: [say("Fill it")] },
  { what: "a state of 5 MB", graph: "big", inputs: [say("Load it")] },
];
const rounds = 5;

await installPeer();
const server = await startAgentServer();
await using relay = await relayTo(server.url);
let requests = 0;
const api = new AgentServer(new Http({ baseUrl: relay.url, onExchange: () => (requests += 1) }));
const sdk = await sdkClient(relay.url, "none");

const figures: Figures[] = [];
for (const { what, graph, inputs } of kinds) {
  const thread = await threadOf(graph, inputs);
  const clients = { extension: () => withExtension(thread), sdk: () => withSdk(thread) };
  const measured = { extension: [] as Opened[], sdk: [] as Opened[] };
  for (let round = 0; round < rounds; round += 1)
    for (const client of ["extension", "sdk"] as const) measured[client].push(await clients[client]());
  for (const client of ["extension", "sdk"] as const) {
    const all = measured[client];
    figures.push({
      thread: what,
      client,
      ms: median(all.map(({ ms }) => ms)),
      slowest: Math.max(...all.map(({ ms }) => ms)),
      "kB received": median(all.map(({ bytes }) => bytes)) / 1000,
      requests: median(all.map(({ requests: sent }) => sent)),
      rows: all[0]?.rows ?? 0,
    });
  }
}
await server.stop();
const peers = join(projectFolder, "test/peers/langgraph");
report("Opening a thread of the live agent server", figures, [
  "The SDK reads ten checkpoints, as its React hook does; its rows are the messages of the newest.",
  [versionOf(peers, "@langchain/langgraph-sdk"), versionOf(peers, "@langchain/langgraph-api")].join(", "),
]);

async function threadOf(graph: string, inputs: readonly Json[]): Promise<string> {
  const { thread_id: id } = await api.threads.create();
  for (const input of inputs) await runToEnd(api, id, { assistant_id: graph, input });
  return id;
}

async function withExtension(thread: string): Promise<Opened> {
  relay.reset();
  requests = 0;
  const start = performance.now();
  const session = liveSession(api, thread);
  await session.load();
  await idle(session);
  const ms = performance.now() - start;
  const rows = session.entries.length;
  session.dispose();
  return { ms, bytes: relay.received, requests, rows };
}

async function withSdk(thread: string): Promise<Opened> {
  relay.reset();
  const start = performance.now();
  const [newest] = await sdk.threads.getHistory(thread, { limit: 10 });
  const ms = performance.now() - start;
  const messages = newest?.["values"]?.["messages"] as unknown as readonly unknown[] | undefined;
  return { ms, bytes: relay.received, requests: 1, rows: messages?.length ?? 0 };
}

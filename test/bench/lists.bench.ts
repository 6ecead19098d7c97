/** What a look at 51 threads with states of 200 kB costs on a real agent server: requests, bytes on the wire, time. */

import { AgentServer } from "../../src/api/agentServer/index.ts";
import { Http } from "../../src/api/http.ts";
import { Turns } from "../../src/api/turns.ts";
import type { Platforms } from "../../src/editor/connections/platforms.ts";
import type { AgentServers } from "../../src/editor/threads/servers/agentServers.ts";
import { ThreadHosts } from "../../src/editor/threads/servers/threadHosts.ts";
import { ServerThreads } from "../../src/editor/threads/serverThreads.ts";
import { ThreadBeginnings } from "../../src/editor/threads/threadBeginnings.ts";
import { installPeer } from "../peers/install.ts";
import { startAgentServer } from "../peers/server.ts";
import { relayTo } from "../support/countingRelay.ts";
import { runToEnd } from "../support/runToEnd.ts";
import { type Figures, median, report } from "./report.ts";

const many = 51;
const stateBytes = 200_000;
const rounds = 5;

await installPeer();
const server = await startAgentServer();
const relay = await relayTo(server.url);
let requests = 0;
const onExchange = (): void => void (requests += 1);
const api = new AgentServer(new Http({ baseUrl: relay.url, turns: new Turns(), onExchange }));
const direct = new AgentServer(new Http({ baseUrl: server.url }));

for (let number = 0; number < many; number += 1) {
  const { thread_id: id } = await direct.threads.create();
  const input = { messages: [{ role: "user", content: `Talk ${String(number)}` }] };
  await runToEnd(direct, id, { assistant_id: "chat", input });
  const large = { messages: [{ role: "user", content: "x".repeat(stateBytes) }] };
  await fetch(`${server.url}/threads/${id}/state`, {
    method: "POST",
    headers: { "content-type": "application/json" },
    body: JSON.stringify({ values: large, as_node: "model" }),
  });
}

const place = { connectionId: "bench", server: { kind: "agentServer", url: server.url } } as const;
const clients = { client: () => api } as unknown as AgentServers;
const hosts = new ThreadHosts(clients, {} as unknown as Platforms);
const options = { filter: {}, grouped: false, pageSize: 51 };
const listed = new ServerThreads(api.threads, options);
const whole = ["thread_id", "status", "metadata", "created_at", "updated_at", "values"] as const;

report(
  `A look at ${String(many)} threads with states of ${String(stateBytes / 1000)} kB`,
  [
    await measured("first look at the list", () => new ServerThreads(api.threads, options).load()),
    await measured("a poll", async () => {
      if (!listed.loaded) await listed.load();
      await listed.poll();
    }),
    await measured("titles of all, once per change", () => {
      const beginnings = new ThreadBeginnings(hosts, () => undefined);
      return beginnings.ask(place, listed.rows(), new AbortController().signal);
    }),
    await measured("whether one thread changed", () => api.threads.row(listed.rows()[0]?.id ?? "")),
    await measured("beside it: the list with states", () =>
      api.threads.search({ limit: many, select: whole }),
    ),
  ],
  [`The bar: less than 1 kB a thread in a list.`],
);

await relay[Symbol.asyncDispose]();
await server.stop();

/** The second and later rounds: the first one also connects. */
async function measured(what: string, work: () => Promise<unknown>): Promise<Figures> {
  const times: number[] = [];
  await work();
  relay.reset();
  requests = 0;
  for (let round = 0; round < rounds; round += 1) {
    const began = performance.now();
    await work();
    times.push(performance.now() - began);
  }
  const bytes = relay.received / rounds;
  return {
    what,
    requests: requests / rounds,
    bytes: Math.round(bytes),
    "bytes a thread": Math.round(bytes / many),
    ms: median(times),
  };
}

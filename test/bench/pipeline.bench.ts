/** Events per second from the socket to the page's messages, beside the platform's own SDK and curl; and memory. */

import { join } from "node:path";
import { installPeer } from "../peers/install.ts";
import { startAgentServer } from "../peers/server.ts";
import { startRecording, streamWith, streamWithCurl } from "./processes.ts";
import { median, projectFolder, report, versionOf } from "./report.ts";
import type { Measured } from "./streamClient.ts";

type Client = "extension" | "sdk" | "curl";

const clients: readonly Client[] = ["extension", "sdk", "curl"];
const peers = join(projectFolder, "test/peers/langgraph");

await installPeer();
const versions = [
  versionOf(peers, "@langchain/langgraph-sdk"),
  versionOf(peers, "@langchain/langgraph-api"),
  versionOf(projectFolder, "undici"),
  versionOf(projectFolder, "eventsource-parser"),
].join(", ");

for (const [kind, events] of [
  ["custom", 200_000],
  ["tokens", 50_000],
] as const) {
  const server = await startRecording(kind, events);
  const rounds = await measure(server.url, events, 5);
  await server.stop();
  compare(`Pipeline: ${events.toLocaleString("en")} ${kind} events served statically`, rounds);
}

const live = 50_000;
const server = await startAgentServer();
await measure(server.url, 1000, 1);
compare(
  `Pipeline: ${live.toLocaleString("en")} events of the live agent server`,
  await measure(server.url, live, 9),
);
await server.stop();

const memories = [];
for (const kind of ["custom", "tokens"] as const) {
  const recording = await startRecording(kind, 100_000);
  const { peakMb, heapMb, messages = 0 } = await streamWith("extension", recording.url, 100_000);
  await recording.stop();
  memories.push({ events: `100,000 ${kind}`, "peak RSS MB": peakMb, "heap after MB": heapMb, messages });
}
report("Memory of the host's part of one run", memories);

/** Takes turns, so that a slow moment of the machine meets all of them. */
async function measure(
  url: string,
  events: number,
  rounds: number,
): Promise<ReadonlyMap<Client, readonly Measured[]>> {
  const measured = new Map<Client, Measured[]>(clients.map((client) => [client, []]));
  for (let round = 0; round < rounds; round += 1) {
    for (const client of clients) {
      const one =
        client === "curl" ? await streamWithCurl(url, events) : await streamWith(client, url, events);
      measured.get(client)?.push(one);
    }
  }
  return measured;
}

function compare(title: string, measured: ReadonlyMap<Client, readonly Measured[]>): void {
  const rates = new Map(
    [...measured].map(([client, rounds]) => [
      client,
      median(rounds.map(({ events, ms }) => (events * 1000) / ms)),
    ]),
  );
  const own = rates.get("extension") ?? NaN;
  const rows = [...measured].map(([client, rounds]) => ({
    client,
    events: rounds[0]?.events ?? 0,
    ms: median(rounds.map(({ ms }) => ms)),
    "fastest to slowest": spread(rounds.map(({ ms }) => ms)),
    "events/s": rates.get(client) ?? NaN,
    "extension is": `${(own / (rates.get(client) ?? NaN)).toFixed(2)} ×`,
    "processor ms": client === "curl" ? "" : median(rounds.map(({ cpuMs }) => cpuMs)),
    "peak RSS MB": client === "curl" ? "" : median(rounds.map(({ peakMb }) => peakMb)),
  }));
  report(title, rows, [versions]);
}

function spread(ms: readonly number[]): string {
  return [Math.min(...ms), Math.max(...ms)].map((one) => one.toFixed(0)).join(" to ");
}

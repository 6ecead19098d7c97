/** The Local Platform beside the real agent server: runs and events per second, memory, start-up, listings. */

import { execFileSync } from "node:child_process";
import { join } from "node:path";
import { DatabaseSync } from "node:sqlite";
import { Agent, request } from "undici";
import { installPeer } from "../peers/install.ts";
import { startAgentServer } from "../peers/server.ts";
import { startLocalPlatform, withDirectory } from "./localPlatformProcess.ts";
import type { MeasuredPlatform } from "./localPlatformProcess.ts";
import { median, projectFolder, report, versionOf } from "./report.ts";

/** A server that is measured, with the key that it asks for. */
interface Target {
  readonly url: string;
  readonly key: string;
}

/** What one client does so often at a time on each server. */
interface Work {
  readonly title: string;
  readonly unit: string;
  readonly bar: number;
  readonly measure: (target: Target, isLocal: boolean) => Promise<number>;
}

const rounds = 5;
const roundMs = 2000;
/** The agent server looks for new runs only now and then: with few runs at a time it mostly waits. */
const [few, many] = [8, 100];
const floodEvents = 50_000;
const streams = 500;
const storedThreads = 100_000;
const dispatcher = new Agent({ connections: streams, bodyTimeout: 0, headersTimeout: 0 });

await installPeer();
execFileSync("npm", ["run", "build"], {
  cwd: projectFolder,
  stdio: "ignore",
  shell: process.platform === "win32",
});
const version = versionOf(join(projectFolder, "test/peers/langgraph"), "@langchain/langgraph-api");

const startedAt = performance.now();
const agentServer = await startAgentServer();
const agentServerStartMs = performance.now() - startedAt;
await withDirectory(async (directory) => {
  const local = await startLocalPlatform(directory);
  await compare(local, { url: agentServer.url, key: "none" });
  await local.stop();
});
await agentServer.stop();
await reportStart();
await reportMemory();
await reportListings();
await dispatcher.close();

async function compare(local: MeasuredPlatform, peer: Target): Promise<void> {
  const own = { url: local.url, key: local.ready.apiKey };
  const message = { messages: [{ role: "user", content: "Hello, how are you?" }] };
  const quick = { config: { configurable: { token_delay_ms: 0 } } };
  const step = { assistant_id: "flood", input: { messages: [], events: 1 }, ...quick };
  const answer = (isLocal: boolean) => ({
    assistant_id: isLocal ? "echo" : "chat",
    input: message,
    ...quick,
  });
  const runs = [few, many].flatMap((atOnce): Work[] => [
    {
      title: `runs of one step, ${atOnce} at a time`,
      unit: "runs/s",
      bar: 2,
      measure: (target) => runRate(target, step, atOnce),
    },
    {
      title: `runs with a short answer, ${atOnce} at a time`,
      unit: "runs/s",
      bar: 2,
      measure: (target, isLocal) => runRate(target, answer(isLocal), atOnce),
    },
  ]);
  const works: readonly Work[] = [
    ...runs,
    { title: "custom events of one run", unit: "events/s", bar: 1, measure: eventRate },
  ];
  const rows = [];
  for (const { title, unit, bar, measure } of works) {
    const rates = { local: [] as number[], peer: [] as number[] };
    await measure(own, true);
    await measure(peer, false);
    for (let round = 0; round < rounds; round += 1) {
      rates.local.push(await measure(own, true));
      rates.peer.push(await measure(peer, false));
    }
    const [localRate, peerRate] = [median(rates.local), median(rates.peer)];
    rows.push({
      work: title,
      unit,
      "Local Platform": localRate,
      "agent server": peerRate,
      "Local Platform is": `${(localRate / peerRate).toFixed(2)} ×`,
      bar: `${bar} ×`,
    });
  }
  report("Local Platform beside the agent server", rows, [
    `${version}; runs are waited for; medians of ${rounds} rounds in turn`,
  ]);
}

/** Runs per second of POST /runs/wait. */
async function runRate(target: Target, run: object, atOnce: number): Promise<number> {
  let runs = 0;
  const start = performance.now();
  const client = async (): Promise<void> => {
    while (performance.now() - start < roundMs) {
      const answer = await post(target, "/runs/wait", run);
      if ("__error__" in ((await answer.json()) as object)) throw new Error("a run failed");
      runs += 1;
    }
  };
  await Promise.all(Array.from({ length: atOnce }, client));
  return (runs * 1000) / (performance.now() - start);
}

/** Events per second of one run that writes as fast as it can. */
async function eventRate(target: Target): Promise<number> {
  const input = { messages: [], events: floodEvents };
  const start = performance.now();
  const { frames } = await stream(target, { assistant_id: "flood", input, stream_mode: "custom" });
  const ms = performance.now() - start;
  if (frames < floodEvents) throw new Error(`only ${frames} of ${floodEvents} events came`);
  return (frames * 1000) / ms;
}

async function reportStart(): Promise<void> {
  const starts: number[] = [];
  for (let round = 0; round < rounds; round += 1) {
    await withDirectory(async (directory) => {
      const platform = await startLocalPlatform(directory);
      starts.push(platform.startMs);
      await platform.stop();
    });
  }
  const row = { "Local Platform ms": median(starts), "slowest ms": Math.max(...starts), "bar ms": 500 };
  report("Start-up to ready", [{ ...row, "agent server ms": agentServerStartMs }], [version]);
}

async function reportMemory(): Promise<void> {
  const text = Array.from({ length: 100 }, (_, word) => `word${word}`).join(" ");
  const works = {
    "tokens, 20 ms apart": {
      assistant_id: "echo",
      input: { messages: [{ role: "user", content: text }] },
      config: { configurable: { token_delay_ms: 20 } },
      stream_mode: ["messages-tuple", "values"],
      stream_resumable: true,
    },
    "5,000 events at full speed": {
      assistant_id: "flood",
      input: { messages: [], events: 5000 },
      stream_mode: "custom",
      stream_resumable: true,
    },
  };
  const rows = [];
  for (const [title, run] of Object.entries(works)) {
    rows.push(await withDirectory((directory) => manyStreams(directory, title, run)));
  }
  report(`${streams} concurrent streams`, rows);
}

async function manyStreams(
  directory: string,
  title: string,
  run: object,
): Promise<Record<string, string | number>> {
  const platform = await startLocalPlatform(directory);
  const target = { url: platform.url, key: platform.ready.apiKey };
  const before = platform.peakMb();
  const start = performance.now();
  let open = 0;
  let allOpen = (): void => undefined;
  // Nobody reads before all streams are open: the platform holds what it may not send yet.
  const gate = new Promise<void>((resolve) => (allOpen = resolve));
  const ended = await Promise.all(
    Array.from({ length: streams }, async () => {
      const streamed = await stream(target, run, () => {
        open += 1;
        if (open === streams) allOpen();
        return gate;
      });
      return streamed.frames;
    }),
  );
  const ms = performance.now() - start;
  const frames = ended.reduce((sum, count) => sum + count, 0);
  const peak = platform.peakMb();
  await platform.stop();
  return {
    "each stream": title,
    "open at once": open,
    frames,
    "frames/s": (frames * 1000) / ms,
    "RSS MB before": before,
    "peak RSS MB": peak,
    "bar MB": 400,
  };
}

async function reportListings(): Promise<void> {
  await withDirectory(async (directory) => {
    const empty = await startLocalPlatform(directory);
    await empty.stop();
    storeThreads(directory, empty.ready.deploymentId);
    const platform = await startLocalPlatform(directory);
    const target = { url: platform.url, key: platform.ready.apiKey };
    const last = storedThreads - 50;
    const searches = {
      "first page": {},
      "page by status": { status: "interrupted" },
      "last page by status": { status: "interrupted", offset: storedThreads / 4 - 50 },
      "page in the middle": { offset: storedThreads / 2 },
      "last page": { offset: last },
      "last page by creation": { offset: last, sort_by: "created_at", sort_order: "asc" },
    };
    const rows = [];
    for (const [page, search] of Object.entries(searches)) {
      const times: number[] = [];
      for (let round = 0; round < 25; round += 1) {
        const start = performance.now();
        const answer = await post(target, "/threads/search", { limit: 50, ...search });
        const threads = (await answer.json()) as readonly unknown[];
        times.push(performance.now() - start);
        if (threads.length !== 50) throw new Error(`${page}: ${threads.length} threads`);
      }
      rows.push({ page, ms: median(times), "slowest ms": Math.max(...times), "bar ms": 20 });
    }
    await platform.stop();
    report(`Pages of 50 among ${storedThreads.toLocaleString("en")} stored threads, over HTTP`, rows);
  });
}

/** Fills the store of a stopped platform; through its interface that would take minutes. */
function storeThreads(directory: string, deploymentId: string): void {
  const db = new DatabaseSync(join(directory, "platform.db"));
  const insert = db.prepare("INSERT INTO threads VALUES (?, ?, ?, ?, ?, ?, ?, '{}', ?, '{}')");
  const statuses = ["idle", "interrupted", "error", "idle"];
  const begin = Date.now() - storedThreads * 1000;
  db.exec("BEGIN");
  for (let i = 0; i < storedThreads; i += 1) {
    const at = new Date(begin + i * 1000).toISOString();
    const values = { messages: [{ type: "human", content: `Question ${i}`, id: crypto.randomUUID() }] };
    const metadata = JSON.stringify({ title: `Thread ${i}`, graph_id: "echo" });
    const status = statuses[i % 4] ?? "idle";
    insert.run(crypto.randomUUID(), deploymentId, at, at, at, status, metadata, JSON.stringify(values));
  }
  db.exec("COMMIT");
  db.close();
}

/** Streams a run on a thread of its own to its end and counts the frames that carry an event. */
async function stream(
  target: Target,
  run: object,
  opened: () => Promise<void> = () => Promise.resolve(),
): Promise<{ readonly frames: number }> {
  const { thread_id: thread } = (await (await post(target, "/threads", {})).json()) as { thread_id: string };
  const body = await post(target, `/threads/${thread}/runs/stream`, run);
  await opened();
  let [frames, rest] = [0, ""];
  for await (const chunk of body) {
    const text = rest + String(chunk);
    let from = 0;
    for (let at = text.indexOf("\nevent: "); at !== -1; at = text.indexOf("\nevent: ", from)) {
      frames += 1;
      from = at + 8;
    }
    rest = text.slice(Math.max(from, text.length - 7));
  }
  return { frames };
}

async function post(target: Target, path: string, body: object): Promise<ResponseBody> {
  const headers = { "content-type": "application/json", "x-api-key": target.key };
  const answer = await request(target.url + path, {
    method: "POST",
    headers,
    body: JSON.stringify(body),
    dispatcher,
  });
  if (answer.statusCode !== 200) throw new Error(`${path}: ${answer.statusCode} ${await answer.body.text()}`);
  return answer.body;
}

type ResponseBody = Awaited<ReturnType<typeof request>>["body"];

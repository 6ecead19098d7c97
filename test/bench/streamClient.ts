/**
 * A process that streams one run and prints what it measured as JSON: `node --expose-gc streamClient.ts
 * extension|sdk URL ASSISTANT EVENTS [FRAME_MS]`. "extension" is the extension's own way from the socket to the page's messages.
 */

import { setTimeout as pause } from "node:timers/promises";
import { AgentServer } from "../../src/api/agentServer/index.ts";
import type { StreamMode } from "../../src/api/agentServer/wire.ts";
import { Http } from "../../src/api/http.ts";
import { Page } from "../../src/editor/runPanel/page.ts";
import type { PanelState, ToWebview } from "../../src/run/panel/messages.ts";
import { RunSession } from "../../src/run/session/session.ts";
import { sdkClient } from "../peers/sdk/client.ts";
import { percentile } from "./report.ts";

export interface Measured {
  readonly events: number;
  readonly ms: number;
  /** Of all threads of the process, its start included. */
  readonly cpuMs: number;
  readonly peakMb: number;
  readonly heapMb: number;
  readonly messages?: number;
  /** From a token's writing at the server to the message for the page, in milliseconds. */
  readonly latency?: {
    readonly first: number;
    readonly p50: number;
    readonly p95: number;
    readonly p99: number;
  };
}

const [client, url = "", assistant = "flood", count = "0", frame = "16"] = process.argv.slice(2);
const input = { messages: [], events: Number(count) };
const streamModes: readonly StreamMode[] = ["custom", "messages-tuple"];
/** So long it takes from a patch to "painted": one frame of a page that is quick. */
const frameMs = Number(frame);

const measured = client === "sdk" ? await withSdk() : await withExtension();
console.log(JSON.stringify(measured));

async function withExtension(): Promise<Measured> {
  const latencies: number[] = [];
  let messages = 0;
  let ended = performance.now();
  const server = new AgentServer(new Http({ baseUrl: url }));
  const { thread_id: threadId } = await server.threads.create();
  const session = new RunSession({
    server,
    threadId,
    clock: {
      now: () => Date.now(),
      sleep: (ms, signal) => pause(ms, undefined, { signal, ref: false }),
      random: () => Math.random(),
    },
    onChange: () => undefined,
    describe: (error) => ({ message: String(error), actions: [] }),
    submitFeedback: () => Promise.resolve(),
  });
  let say: (message: unknown) => void = () => undefined;
  const postMessage = (message: ToWebview): Promise<boolean> => {
    const sent = structuredClone(message);
    messages += 1;
    ended = performance.now();
    noteLatencies(sent, latencies);
    if (sent.type === "patch" || sent.type === "snapshot")
      setTimeout(() => say({ type: "painted", revision: sent.revision }), frameMs);
    return Promise.resolve(true);
  };
  const onDidReceiveMessage = (receive: (message: unknown) => void) => {
    say = receive;
    return { dispose: () => undefined };
  };
  new Page({
    ...{ webview: { postMessage, onDidReceiveMessage }, session, state: () => panelState(session) },
    requests: { handle: () => Promise.resolve() },
    ...{ failed: () => undefined, unknown: () => undefined },
  });
  say({ type: "ready" });
  // Who writes does so on a page that is there.
  await pause(2 * frameMs);
  const start = performance.now();
  const outcome = await session.start({ assistantId: assistant, input: { json: input }, streamModes });
  if (!outcome.accepted) throw new Error(outcome.message);
  const before = { events: 0, at: start };
  while (session.state.kind !== "idle") {
    await pause(5);
    if (session.events > before.events)
      Object.assign(before, { events: session.events, at: performance.now() });
  }
  await pause(3 * frameMs);
  const ms = Math.max(before.at, Math.min(ended, before.at + frameMs)) - start;
  return { events: session.events, ms, messages, ...usage(), ...percentiles(latencies) };
}

async function withSdk(): Promise<Measured> {
  const sdk = await sdkClient(url, "none");
  const { thread_id: thread } = (await sdk.threads.create()) as unknown as { readonly thread_id: string };
  const start = performance.now();
  let [events, ended] = [0, start];
  const body = { input, streamMode: streamModes, streamSubgraphs: true, streamResumable: true };
  for await (const { event } of sdk.runs.stream(thread, assistant, body)) {
    if (event !== "") events += 1;
    ended = performance.now();
  }
  return { events, ms: ended - start, ...usage() };
}

function panelState(session: RunSession): PanelState {
  return {
    title: "Benchmark",
    connection: "Benchmark",
    server: url,
    threadId: session.threadId,
    assistants: [],
    session: session.state,
    unsupported: [],
    events: session.events,
    earlier: "none",
    composer: { assistantId: assistant, streamModes, strategy: undefined, feedbackKeys: [] },
  };
}

/** Tokens carry the time of their writing: `<1700000000000.5>`. */
function noteLatencies(message: ToWebview, latencies: number[]): void {
  if (message.type !== "patch") return;
  const now = performance.timeOrigin + performance.now();
  const texts = [
    ...message.patch.append.map(({ text }) => text),
    ...message.patch.set.map((entry) => (entry.kind === "message" && entry.streaming ? entry.text : "")),
  ];
  for (const text of texts)
    for (const [, at] of text.matchAll(/<([\d.]+)>/g)) latencies.push(now - Number(at));
}

function percentiles(latencies: readonly number[]): Pick<Measured, "latency"> | object {
  if (latencies.length === 0) return {};
  return {
    latency: {
      first: latencies[0] ?? NaN,
      p50: percentile(latencies, 50),
      p95: percentile(latencies, 95),
      p99: percentile(latencies, 99),
    },
  };
}

function usage(): Pick<Measured, "cpuMs" | "peakMb" | "heapMb"> {
  const { user, system } = process.cpuUsage();
  globalThis.gc?.();
  const { heapUsed } = process.memoryUsage();
  return {
    cpuMs: (user + system) / 1000,
    peakMb: process.resourceUsage().maxRSS / 1024,
    heapMb: heapUsed / 2 ** 20,
  };
}

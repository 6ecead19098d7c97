/** One way of reading a recorded stream of tokens, in a process of its own: `node tokenPaths.ts PATH EVENTS ROUNDS`. */

import { createRequire } from "node:module";
import { dirname, join } from "node:path";
import { pathToFileURL } from "node:url";
import { parseEvents } from "../../src/api/exchange.ts";
import { TranscriptFold } from "../../src/run/fold/fold.ts";
import { recordedStream } from "./recording.ts";

const paths = { extension, parsed, sdk, merged, json } as const;
export type TokenPath = keyof typeof paths;

/** One reading of all events. */
export interface TokenRound {
  readonly ms: number;
  /** Of all threads of the process: what else runs on the machine does not count. */
  readonly cpuMs: number;
}

const chunkSize = 64 * 1024;
const frameMs = 16;
const [path = "", count = "0", rounds = "1"] = process.argv.slice(2);
const events = Number(count);
const bytes = Buffer.from(recordedStream("tokens", events));
const texts = path === "json" ? (bytes.toString().match(/(?<=^data: ).*$/gm) ?? []) : [];
const measured: TokenRound[] = [];
for (let round = 0; round <= Number(rounds); round += 1) {
  globalThis.gc?.();
  const [start, before] = [performance.now(), process.cpuUsage()];
  await paths[path as TokenPath]();
  const { user, system } = process.cpuUsage(before);
  // The first round is for the compiler.
  if (round > 0) measured.push({ ms: performance.now() - start, cpuMs: (user + system) / 1000 });
}
console.log(JSON.stringify(measured));

/** What the extension does: events, the kept raw list, the transcript, and a patch per frame. */
async function extension(): Promise<void> {
  const fold = new TranscriptFold();
  fold.open({ runId: "run", assistantId: "chat", status: "running" });
  let painted = performance.now();
  for await (const batch of parseEvents(chunks())) {
    const now = performance.now();
    fold.run("run").apply(batch, now);
    if (now - painted < frameMs) continue;
    fold.ledger.takePatch();
    painted = now;
  }
  const text = fold.entries().find((entry) => entry.kind === "message")?.text ?? "";
  const spaces = text.split(" ").length - 1;
  if (spaces !== events - 1) throw new Error(`${spaces} of ${events - 1} tokens arrived`);
}

/** Only the extension's events. */
async function parsed(): Promise<void> {
  let seen = 0;
  for await (const batch of parseEvents(chunks())) seen += batch.length;
  if (seen !== events) throw new Error(`${seen} of ${events} events arrived`);
}

/** The events of the platform's SDK, whose data is parsed. */
async function sdk(): Promise<void> {
  await read(() => undefined);
}

/** The same with its merging of messages. */
async function merged(): Promise<void> {
  const { MessageTupleManager } = await fromSdk<{ MessageTupleManager: new () => Merger }>("ui/messages.js");
  const merger = new MessageTupleManager();
  await read(({ event, data }) => {
    if (event.startsWith("messages")) merger.add(...data);
  });
}

/** Nothing but JSON.parse on the data of each event. */
function json(): void {
  let seen = 0;
  for (const text of texts) if (JSON.parse(text) !== undefined) seen += 1;
  if (seen !== events) throw new Error(`${seen} of ${events} events were parsed`);
}

interface Merger {
  add(chunk: object, metadata: object): void;
}

interface SdkTuple {
  readonly event: string;
  readonly data: readonly [object, object];
}

async function read(each: (event: SdkTuple) => void): Promise<void> {
  const { BytesLineDecoder, SSEDecoder } = await fromSdk<{
    BytesLineDecoder: () => TransformStream<Uint8Array, Uint8Array>;
    SSEDecoder: () => TransformStream<Uint8Array, SdkTuple>;
  }>("utils/sse.js");
  const stream = ReadableStream.from(chunks()).pipeThrough(BytesLineDecoder()).pipeThrough(SSEDecoder());
  let seen = 0;
  for await (const event of stream) {
    seen += 1;
    each(event);
  }
  if (seen !== events) throw new Error(`${seen} of ${events} events arrived`);
}

async function fromSdk<T>(file: string): Promise<T> {
  const peer = createRequire(new URL("../peers/langgraph/package.json", import.meta.url));
  const home = dirname(peer.resolve("@langchain/langgraph-sdk/package.json"));
  return (await import(pathToFileURL(join(home, "dist", file)).href)) as T;
}

async function* chunks(): AsyncIterable<Uint8Array> {
  for (let at = 0; at < bytes.length; at += chunkSize) {
    await Promise.resolve();
    yield bytes.subarray(at, at + chunkSize);
  }
}

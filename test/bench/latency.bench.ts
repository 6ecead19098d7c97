/**
 * How long a token takes from the server's socket to the message for the page, at 100 tokens a second; the page is
 * played: one that paints 60 times a second, and one that a busy window keeps waiting.
 */

import type { Measured } from "./streamClient.ts";
import { startRecording, streamWith } from "./processes.ts";
import { median, report } from "./report.ts";

const [tokens, perSecond, rounds] = [300, 100, 5];
const server = await startRecording("tokens", tokens, perSecond);
const rows = [];
for (const frameMs of [16, 80]) {
  const measured: Measured[] = [];
  for (let round = 0; round < rounds; round += 1)
    measured.push(await streamWith("extension", server.url, tokens, frameMs));
  const middle = (name: "first" | "p50" | "p95" | "p99") =>
    median(measured.map(({ latency }) => latency?.[name] ?? NaN));
  rows.push({
    "page paints after ms": frameMs,
    "first token ms": middle("first"),
    "median ms": middle("p50"),
    "95 % ms": middle("p95"),
    "99 % ms": middle("p99"),
    messages: median(measured.map(({ messages = 0 }) => messages)),
  });
}
await server.stop();
report(`Token latency at ${perSecond} tokens/s, host side`, rows);

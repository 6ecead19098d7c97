/**
 * How long a token takes from the server's socket to the message for the page, at 100 tokens a second; the page
 * is played, and paints 60 times a second.
 */

import { startRecording, streamWith } from "./processes.ts";
import { report } from "./report.ts";

const [tokens, perSecond] = [1000, 100];
const server = await startRecording("tokens", tokens, perSecond);
const { latency, messages = 0 } = await streamWith("extension", server.url, tokens);
await server.stop();
report(`Token latency at ${perSecond} tokens/s, host side`, [
  {
    "first token ms": latency?.first ?? NaN,
    "median ms": latency?.p50 ?? NaN,
    "95 % ms": latency?.p95 ?? NaN,
    "99 % ms": latency?.p99 ?? NaN,
    messages,
  },
]);

/**
 * How long a token takes from the server's socket to the screen of a real window: the packaged extension in the web
 * server build, its page in a browser, 100 tokens a second. Each token carries the time of its writing.
 */

import { openBenchedWindow } from "./benchedWindow.ts";
import { startRecording } from "./processes.ts";
import { percentile, report } from "./report.ts";

const [tokens, perSecond] = [2000, 100];
/** The first second belongs to the opening of the message. */
const warmUp = perSecond;

/** After each frame that was drawn: which tokens stand on the page that did not before. */
const watching = `
  globalThis.tokensSeen = [];
  let last = 0;
  const { port1, port2 } = new MessageChannel();
  port1.onmessage = () => {
    const now = performance.timeOrigin + performance.now();
    const rows = document.querySelectorAll("article.message.role-ai .markdown > *");
    const text = [...rows].slice(-2).map((row) => row.textContent).join("");
    for (const [, written] of text.matchAll(/<([\\d.]+)>/g)) {
      if (Number(written) <= last) continue;
      last = Number(written);
      tokensSeen.push([last, now]);
    }
  };
  const next = () => {
    port2.postMessage(0);
    requestAnimationFrame(next);
  };
  requestAnimationFrame(next);
`;

const server = await startRecording("tokens", tokens, perSecond);
const window = await openBenchedWindow(server.url);
const { conversation } = window;
try {
  const frame = await window.frame();
  await frame.evaluate(watching);
  await conversation.say("go");
  await conversation.messages("ai").first().waitFor();
  await conversation.idle();
  const seen = await frame.evaluate<[number, number][]>("tokensSeen");
  const latencies = seen.slice(warmUp).map(([written, painted]) => painted - written);
  report(`Token latency at ${perSecond} tokens/s in a real window, from the socket to the screen`, [
    {
      tokens: seen.length,
      "first token ms": (seen[0]?.[1] ?? NaN) - (seen[0]?.[0] ?? NaN),
      "median ms": percentile(latencies, 50),
      "95 % ms": percentile(latencies, 95),
      "99 % ms": percentile(latencies, 99),
    },
  ]);
} finally {
  await window.close();
  await server.stop();
}
process.exit();

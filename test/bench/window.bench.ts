/**
 * How long a token takes from the server's socket to the screen of a real window: the packaged extension in the web
 * server build, its page in a browser, 100 tokens a second. Each token carries the time of its writing.
 */

import { openBenchedWindow } from "./benchedWindow.ts";
import { startRecording } from "./processes.ts";
import { median, percentile, report } from "./report.ts";

/** The first run is the page's very first one; each of the others is the first of a new panel. */
const [rounds, tokens, perSecond] = [12, 200, 100];
/** The first second belongs to the opening of the message. */
const warmUp = perSecond;

/** When each token reached the page, and after each frame that was drawn: which stand on it that did not before. */
const watching = `
  globalThis.tokensSeen = [];
  globalThis.firstArrived = undefined;
  globalThis.firstSeen = Promise.withResolvers();
  let last = 0;
  addEventListener("message", ({ data }) => {
    if (globalThis.firstArrived === undefined && /<[\\d.]+>/.test(JSON.stringify(data)))
      globalThis.firstArrived = performance.timeOrigin + performance.now();
  });
  const { port1, port2 } = new MessageChannel();
  port1.onmessage = () => {
    const now = performance.timeOrigin + performance.now();
    const rows = document.querySelectorAll("article.message.role-ai .markdown > *");
    const text = [...rows].slice(-2).map((row) => row.textContent).join("");
    for (const [, written] of text.matchAll(/<([\\d.]+)>/g)) {
      if (Number(written) <= last) continue;
      last = Number(written);
      tokensSeen.push([last, now]);
      firstSeen.resolve();
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
const firsts: { readonly arrived: number; readonly painted: number }[] = [];
const latencies: number[] = [];
try {
  for (let round = 0; round < rounds; round += 1) {
    if (round > 0) await window.newThread();
    const frame = await window.frame();
    await frame.evaluate(watching);
    await conversation.say("go");
    // No look of the browser's driver before the first token: each makes the page lay out anew.
    await frame.evaluate("firstSeen.promise");
    await conversation.idle();
    const seen = await frame.evaluate<[number, number][]>("tokensSeen");
    const arrived = await frame.evaluate<number>("firstArrived");
    const [[written, painted] = [NaN, NaN]] = seen;
    firsts.push({ arrived: arrived - written, painted: painted - written });
    latencies.push(...seen.slice(warmUp).map(([written, painted]) => painted - written));
  }
  const [first] = firsts;
  report(`Token latency at ${perSecond} tokens/s in a real window, from the socket to the screen`, [
    {
      tokens: latencies.length,
      "first token of the window ms": first?.painted ?? NaN,
      "first token of a panel ms": median(firsts.map(({ painted }) => painted)),
      "of which to the page ms": median(firsts.map(({ arrived }) => arrived)),
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

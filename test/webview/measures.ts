import { idle } from "./demo.ts";
import { hugeRun } from "./hugeRun.ts";
import { PanelPage } from "./panelPage.ts";
import { endBrowser } from "./tab.ts";

/** Elements and texts in the page's document. */
export async function domNodes(panel: PanelPage): Promise<number> {
  return panel.page.evaluate(`(() => {
    const walker = document.createTreeWalker(document, NodeFilter.SHOW_ELEMENT | NodeFilter.SHOW_TEXT);
    let nodes = 0;
    while (walker.nextNode()) nodes++;
    return nodes;
  })()`);
}

/** JavaScript heap in use after a collection, in megabytes. */
export async function heapMegabytes(panel: PanelPage): Promise<number> {
  const session = await panel.page.context().newCDPSession(panel.page);
  await session.send("HeapProfiler.collectGarbage");
  const { usedSize } = await session.send("Runtime.getHeapUsage");
  return usedSize / 1e6;
}

interface Frames {
  readonly perSecond: number;
  readonly median: number;
  readonly p95: number;
}

/** Scrolls the transcript by a row's height per frame for three seconds and tells how the frames went, in milliseconds. */
async function scrollFrames(panel: PanelPage): Promise<Frames> {
  return panel.page.evaluate(`new Promise((resolve) => {
    const scroller = document.querySelector(".scroller");
    const times = [];
    let last = performance.now();
    const started = last;
    let direction = -1;
    const step = (now) => {
      times.push(now - last);
      last = now;
      if (scroller.scrollTop <= 0) direction = 1;
      scroller.scrollTop += direction * 80;
      if (now - started < 3000) requestAnimationFrame(step);
      else {
        times.sort((a, b) => a - b);
        const at = (share) => times[Math.floor(times.length * share)];
        resolve({ perSecond: times.length / 3, median: at(0.5), p95: at(0.95) });
      }
    };
    requestAnimationFrame(step);
  })`);
}

/** Time from a patch's arrival to its acknowledgement after the paint, at 100 tokens a second; median milliseconds. */
async function tokenLatency(panel: PanelPage): Promise<number> {
  await panel.patch({
    set: [{ kind: "message", id: "live", runId: "run", lane: "", role: "ai", text: "", streaming: true }],
  });
  const revision = (await panel.posted("painted")).at(-1)!.revision;
  return panel.page.evaluate(`new Promise((resolve) => {
    const sent = new Map();
    const taken = [];
    let revision = ${revision};
    panelHost.answer = (request) => {
      if (request.type !== "painted") return;
      for (const [number, at] of sent) {
        if (number > request.revision) break;
        taken.push(performance.now() - at);
        sent.delete(number);
      }
    };
    const timer = setInterval(() => {
      revision++;
      sent.set(revision, performance.now());
      const patch = { set: [], append: [{ id: "live", text: "token " }] };
      panelHost.deliver({ type: "patch", revision, patch, events: revision });
      if (taken.length > 300) {
        clearInterval(timer);
        taken.sort((a, b) => a - b);
        resolve(taken[Math.floor(taken.length / 2)]);
      }
    }, 10);
  })`);
}

if (import.meta.main) {
  const panel = new PanelPage();
  await panel.open({ height: 1000 });
  const begun = performance.now();
  await panel.show({ ...idle, events: 100_000 }, hugeRun());
  const shown = performance.now() - begun;
  const frames = await scrollFrames(panel);
  const figures = {
    firstPaintMs: Math.round(shown),
    framesPerSecond: Math.round(frames.perSecond),
    frameMedianMs: Math.round(frames.median * 10) / 10,
    frameP95Ms: Math.round(frames.p95 * 10) / 10,
    domNodes: await domNodes(panel),
    heapMB: Math.round(await heapMegabytes(panel)),
    tokenLatencyMs: Math.round((await tokenLatency(panel)) * 10) / 10,
  };
  console.table(figures);
  console.log(JSON.stringify(figures));
  await endBrowser();
}

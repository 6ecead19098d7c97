/** What the run panel's page costs: one token, by how long the transcript is, a timeline of many steps, and a large graph. */

import type { AssistantGraph } from "../../src/run/panel/messages.ts";
import type { Entry } from "../../src/run/panel/transcript.ts";
import { idle } from "../webview/demo.ts";
import { manySteps } from "../webview/timelineThread.ts";
import { PanelPage } from "../webview/panelPage.ts";
import { endBrowser } from "../webview/tab.ts";
import { median, report } from "./report.ts";

const [tokens, rounds] = [120, 5];
const rows = [];
for (const length of [100, 10_000, 50_000]) {
  const panel = new PanelPage();
  await panel.open({ height: 900 });
  await panel.show(idle, transcript(length));
  const costs: number[] = [];
  for (let round = 0; round < rounds; round++) costs.push(await costOfTokens(panel, `m${length - 1}`));
  rows.push({ rows: length, "ms per token": Number(median(costs).toFixed(2)) });
  await panel.close();
}
const timeline = await costOfTimeline(5000);
const drawings = [await costOfGraph(150, 1), await costOfGraph(150, 2)];
await endBrowser();
report("One token on the page, script, style and layout", rows);
report("A timeline of 5,000 steps", [timeline]);
report("The graph of an agent, from its server's answer until it is drawn", drawings);

/** A conversation of short messages; the last one goes on growing. */
function transcript(length: number): readonly Entry[] {
  return Array.from({ length }, (_, index) => ({
    kind: "message",
    id: `m${index}`,
    runId: "r",
    lane: "",
    role: index % 2 === 0 ? "human" : "ai",
    text: `Message ${index}: what became of the checkout service after the deployment?`,
    streaming: index === length - 1,
  }));
}

/** Milliseconds of the page's main thread for each of some tokens, every one in a frame of its own. */
async function costOfTokens(panel: PanelPage, id: string): Promise<number> {
  const session = await panel.page.context().newCDPSession(panel.page);
  await session.send("Performance.enable");
  const busySeconds = async () => {
    const { metrics } = await session.send("Performance.getMetrics");
    const parts = ["ScriptDuration", "LayoutDuration", "RecalcStyleDuration"];
    return metrics.reduce((sum, { name, value }) => (parts.includes(name) ? sum + value : sum), 0);
  };
  const before = await busySeconds();
  await panel.stream(
    id,
    Array.from({ length: tokens }, (_, token) => ` token${token}`),
  );
  const after = await busySeconds();
  await session.detach();
  return ((after - before) * 1000) / tokens;
}

/** Milliseconds from asking for the timeline until it is drawn, and of the frames while it is zoomed and walked through. */
async function costOfTimeline(steps: number): Promise<Record<string, number>> {
  const panel = new PanelPage();
  await panel.open({ height: 900 });
  await panel.show(idle, manySteps(steps));
  await panel.settled();
  const [drawn, ...frames]: readonly number[] = await panel.page.evaluate(`(async () => {
    const frame = () => new Promise(requestAnimationFrame);
    const chart = () => document.querySelector(".timeline-chart");
    const begun = performance.now();
    panelHost.deliver({ type: "timeline" });
    while (chart() === null) await frame();
    await frame();
    const times = [performance.now() - begun];
    chart().focus();
    for (let press = 0; press < 120; press++) {
      const before = performance.now();
      const key = press % 4 === 0 ? (press < 60 ? "+" : "-") : press < 60 ? "ArrowRight" : "PageDown";
      chart().dispatchEvent(new KeyboardEvent("keydown", { key, bubbles: true, cancelable: true }));
      await frame();
      times.push(performance.now() - before);
    }
    return times;
  })()`);
  await panel.close();
  const sorted = frames.toSorted((a, b) => a - b);
  return {
    steps,
    "ms until it is drawn": Math.round(drawn ?? NaN),
    "ms per frame, median": Math.round(median(sorted)),
    "ms per frame, p95": Math.round(sorted[Math.floor(sorted.length * 0.95)] ?? NaN),
  };
}

/** Milliseconds from telling a graph of so many nodes until all are drawn, where a smaller one was looked at before. */
async function costOfGraph(count: number, waysOn: number): Promise<Record<string, number>> {
  const { assistantId = "" } = idle.composer;
  const panel = new PanelPage();
  const times: number[] = [];
  for (let round = 0; round < rounds; round++) {
    await panel.open({ height: 900 });
    await panel.show(idle, []);
    await panel.page.getByRole("tab", { name: "Graph" }).click();
    await panel.next("graph");
    const told = (nodes: number): string =>
      JSON.stringify({
        ...{ type: "graph", assistantId, isOpened: false },
        graph: { kind: "known", graph: wideGraph(nodes, waysOn) },
      });
    times.push(
      await panel.page.evaluate<number>(`(async () => {
        const frame = () => new Promise(requestAnimationFrame);
        const drawn = async (nodes) => {
          while (document.querySelectorAll(".graph-node").length !== nodes) await frame();
          await frame();
        };
        panelHost.deliver(${told(3)});
        await drawn(3);
        const begun = performance.now();
        panelHost.deliver(${told(count)});
        await drawn(${count});
        return performance.now() - begun;
      })()`),
    );
    await panel.close();
  }
  return {
    nodes: count,
    "ways on from each": waysOn,
    "ms until it is drawn, median": Math.round(median(times)),
  };
}

/** Ranks of five nodes, each of which leads to some of the next rank, and now and then back. */
function wideGraph(count: number, waysOn: number): AssistantGraph {
  const nodes = Array.from({ length: count }, (_, at) => ({ id: `node${at}` }));
  const ways = nodes.flatMap((_, at) =>
    [...[5, 6].slice(0, waysOn), ...(at % 25 === 24 ? [-20] : [])].map((by) => [at, at + by]),
  );
  const edges = ways
    .filter(([, to = 0]) => to < count)
    .map(([from, to], at) => ({ source: `node${from}`, target: `node${to}`, conditional: at % 3 === 0 }));
  return { nodes, edges };
}

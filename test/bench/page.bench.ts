/** What one token costs the run panel's page, by how long the transcript is that it is appended to. */

import type { Entry } from "../../src/run/panel/transcript.ts";
import { idle } from "../webview/demo.ts";
import { PanelPage, startBench } from "../webview/panelPage.ts";
import { median, report } from "./report.ts";

const [tokens, rounds] = [120, 5];
const bench = await startBench();
const rows = [];
for (const length of [100, 10_000, 50_000]) {
  const panel = new PanelPage();
  await panel.open(bench, { height: 900 });
  await panel.show(idle, transcript(length));
  const costs: number[] = [];
  for (let round = 0; round < rounds; round++) costs.push(await costOfTokens(panel, `m${length - 1}`));
  rows.push({ rows: length, "ms per token": Number(median(costs).toFixed(2)) });
  await panel.close();
}
await bench.close();
report("One token on the page, script, style and layout", rows);

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

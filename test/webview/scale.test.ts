import { strict as assert } from "node:assert";

import { idle } from "./demo.ts";
import { hugeRun } from "./hugeRun.ts";
import { domNodes, heapMegabytes } from "./measures.ts";
import { type Bench, PanelPage, startBench, until } from "./panelPage.ts";

const nodeBar = 2000;
const heapBar = 150;

describe("A run of 100,000 events in the run panel", function () {
  this.timeout(60_000);
  let bench: Bench;
  let panel: PanelPage;

  before(async () => {
    bench = await startBench();
  });
  after(() => bench.close());
  beforeEach(async () => {
    panel = await PanelPage.open(bench.browser, bench.server, { height: 1000 });
    await panel.show({ ...idle, events: 100_000 }, hugeRun());
  });
  afterEach(async () => {
    assert.deepEqual(panel.complaints, []);
    await panel.close();
  });

  it(`keeps the page below ${nodeBar} nodes and ${heapBar} MB wherever one reads`, async () => {
    const scroller = panel.page.getByRole("region", { name: "Transcript" });
    await scroller.hover();
    let most = await domNodes(panel);
    for (const key of ["Home", "PageDown", "PageDown", "End", "PageUp", "PageUp"]) {
      await scroller.press(key);
      for (let step = 0; step < 5; step++) {
        await panel.page.waitForTimeout(30);
        most = Math.max(most, await domNodes(panel));
      }
    }
    assert.ok(most < nodeBar, `${most} nodes`);
    const heap = await heapMegabytes(panel);
    assert.ok(heap < heapBar, `${heap} MB`);
  });

  it("lists all events within the same bounds", async () => {
    await panel.page.getByRole("tab", { name: /Events 100,000/ }).click();
    await until("the last page asked for", async () =>
      (await panel.posted("raw")).some((wish) => wish.offset === 99_900),
    );
    assert.ok((await domNodes(panel)) < nodeBar);
    assert.ok((await heapMegabytes(panel)) < heapBar);
  });

  it("draws a token without drawing the other rows again", async () => {
    const text = "Now ";
    await panel.patch({
      set: [{ kind: "message", id: "new", runId: "run", lane: "", role: "ai", text, streaming: true }],
    });
    await panel.page.getByText("Now").waitFor();
    await panel.page.evaluate(`
      window.touched = new Set();
      new MutationObserver((changes) => {
        for (const { target } of changes) {
          const row = (target.nodeType === 1 ? target : target.parentElement)?.closest("[data-row]");
          if (row) window.touched.add(row.dataset.row);
        }
      }).observe(document.querySelector(".scroller"), { subtree: true, childList: true, characterData: true });
    `);
    for (let token = 0; token < 10; token++)
      await panel.patch({ append: [{ id: "new", text: `token ${token} ` }] });
    assert.deepEqual(await panel.page.evaluate("[...window.touched]"), ["new"]);
  });

  it("comes back to the place that was read after the page was away", async () => {
    const scroller = panel.page.getByRole("region", { name: "Transcript" });
    await scroller.focus();
    await panel.page.keyboard.press("Home");
    for (let page = 0; page < 4; page++) {
      await panel.page.keyboard.press("PageDown");
      await panel.page.waitForTimeout(60);
    }
    const place = await restingRow(panel);
    await panel.reload();
    await panel.show({ ...idle, events: 100_000 }, hugeRun());
    await until(`row ${place} at the top`, async () => (await topRow(panel)) === place);
    await panel.page.getByRole("button", { name: "Jump to latest" }).click();
    await panel.page.locator('[data-row="m-4999"]').waitFor();
  });
});

/** The row at the top once scrolling, which the browser animates, has come to rest. */
async function restingRow(panel: PanelPage): Promise<string> {
  let last = "";
  await until("the end of scrolling", async () => {
    const before = last;
    await panel.page.waitForTimeout(150);
    last = await topRow(panel);
    return last === before;
  });
  return last;
}

/** The id of the row that the upper edge of the transcript cuts. */
async function topRow(panel: PanelPage): Promise<string> {
  return panel.page.evaluate(`(() => {
    const { top } = document.querySelector(".scroller").getBoundingClientRect();
    const rows = [...document.querySelectorAll("[data-row]")];
    return rows.find((row) => row.getBoundingClientRect().bottom > top + 12)?.dataset.row ?? "";
  })()`);
}

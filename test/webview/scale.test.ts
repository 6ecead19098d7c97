import { strict as assert } from "node:assert";

import { idle } from "./demo.ts";
import { hugeRun } from "./hugeRun.ts";
import { domNodes, heapMegabytes } from "./measures.ts";
import { type PanelPage, usePanel } from "./panelPage.ts";
import { until } from "../support/until.ts";

const nodeBar = 2000;
const heapBar = 150;

describe("A run of 100,000 events in the run panel", () => {
  const panel = usePanel({ height: 1000 });

  beforeEach(() => panel.show({ ...idle, events: 100_000 }, hugeRun()));

  it(`keeps the page below ${nodeBar} nodes and ${heapBar} MB wherever one reads`, async () => {
    const scroller = panel.page.getByRole("region", { name: "Transcript" });
    await scroller.hover();
    let most = await domNodes(panel);
    for (const key of ["Home", "PageDown", "PageDown", "End", "PageUp", "PageUp"]) {
      await scroller.press(key);
      for (let frame = 0; frame < 10; frame++) {
        await panel.settled();
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
      (await panel.posted("raw")).some((request) => request.offset === 99_900),
    );
    assert.ok((await domNodes(panel)) < nodeBar);
    assert.ok((await heapMegabytes(panel)) < heapBar);
  });

  it("changes nothing on the screen but the row that a token belongs to", async () => {
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

  it("comes back to the position that was read after the page was away", async () => {
    const scroller = panel.page.getByRole("region", { name: "Transcript" });
    await panel.page.getByRole("button", { name: "Jump to Latest" }).waitFor({ state: "hidden" });
    await scroller.evaluate((element: { scrollTop: number }) => (element.scrollTop = 3000));
    const place = await restingPlace(panel);
    await panel.reload();
    await panel.show({ ...idle, events: 100_000 }, hugeRun());
    await until(`row ${place.id} where it was`, async () => {
      const row = (await rowsInSight(panel)).find(({ id }) => id === place.id);
      return row !== undefined && Math.abs(row.top - place.top) < 3;
    });
    await panel.page.getByRole("button", { name: "Jump to Latest" }).click();
    await panel.page.locator('[data-row="m-4997"]').waitFor();
  });
});

interface Place {
  readonly id: string;
  /** Pixels below the upper edge of the transcript. */
  readonly top: number;
}

/** The first row in sight once rows that were measured for the first time move it no more. */
async function restingPlace(panel: PanelPage): Promise<Place> {
  let last: Place | undefined;
  let still = 0;
  await until("the rows at rest", async () => {
    const before = last;
    await panel.settled();
    last = (await rowsInSight(panel))[0];
    still = last !== undefined && last.id === before?.id && last.top === before.top ? still + 1 : 0;
    return still === 5;
  });
  return last!;
}

async function rowsInSight(panel: PanelPage): Promise<readonly Place[]> {
  return panel.page.evaluate(`(() => {
    const { top } = document.querySelector(".scroller").getBoundingClientRect();
    return [...document.querySelectorAll("[data-row]")]
      .map((row) => ({ id: row.dataset.row, top: row.getBoundingClientRect().top - top }))
      .filter((row) => row.top >= 0);
  })()`);
}

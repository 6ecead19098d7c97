import { strict as assert } from "node:assert";

import type { Entry } from "../../src/run/panel/transcript.ts";
import { until } from "../support/until.ts";
import { idle, streaming } from "./demo.ts";
import { domNodes } from "./measures.ts";
import { usePanel } from "./panelPage.ts";
import { manySteps, timelineThread } from "./timelineThread.ts";

const prices = { "claude*": { input: 3, output: 15 } };

describe("The timeline above the transcript", () => {
  const panel = usePanel({ width: 1000, height: 900 });
  const toggle = () => panel.page.getByRole("button", { name: /^Timeline/ });
  const chart = () => panel.page.getByRole("application", { name: /^Timeline chart/ });
  const here = () => panel.page.locator(".timeline-here");
  const focusedRow = () => panel.page.evaluate("document.activeElement.closest('[data-row]')?.dataset.row");
  const reached = (id: string) => until(`the row ${id}`, async () => (await focusedRow()) === id);

  async function show(entries: readonly Entry[] = timelineThread()): Promise<void> {
    await panel.show({ ...idle, prices }, entries);
    await toggle().click();
    await chart().waitFor();
  }

  it("sums up times, tokens and cost, and says what was not reported", async () => {
    await show();
    assert.equal(
      await panel.page.locator(".timeline-sums").innerText(),
      "2 runs · 11 steps · 18 s in steps · 1 h 00 m waiting · tokens 1,842 in · 107 out, 1 call not reported · cost at least $0.0051",
    );
  });

  it("is walked through with keys, from bar to bar and to the next error and question, and leads to the row", async () => {
    await show();
    await chart().focus();
    const leadsTo = async (key: string, text: RegExp) => {
      await chart().press(key);
      await until(`${key} leads to ${text}`, async () => text.test(await here().innerText()));
    };
    await leadsTo(
      "ArrowRight",
      /^model\s*2\.3 s · done · first token 900 ms · tokens 812 in · 64 out · cost \$0\.0034$/,
    );
    await leadsTo("ArrowRight", /^tools\s*8\.8 s/);
    await leadsTo("ArrowDown", /^tools\s*6\.6 s/);
    await leadsTo("e", /^tools\s*6\.1 s · error/);
    await leadsTo("e", /^roll_back\s*3\.9 s · error/);
    await leadsTo("e", /^tools\s*6\.1 s · error/);
    await leadsTo("q", /^waits for a person\s*1 h 00 m/);
    await leadsTo("End", /^no step\s*100 ms/);
    await leadsTo("ArrowLeft", /^roll_back/);
    await chart().press("Enter");
    await reached("roll");
  });

  it("leads to the row of a bar that is clicked, and shows all again after it was zoomed", async () => {
    await show();
    const { x = 0, y = 0, width = 0 } = (await chart().boundingBox()) ?? {};
    // The first step takes the beginning of the axis, below the ruler.
    await panel.page.mouse.click(x + width * 0.04, y + 30);
    await reached("plan");
    assert.match(await here().innerText(), /^model/);
    await chart().press("+");
    await panel.page.getByRole("button", { name: "Show All" }).click();
    await panel.page.getByRole("button", { name: "Show All" }).waitFor({ state: "detached" });
  });

  it("has bars as long as their steps, one behind the other over the whole width", async () => {
    await show(threeSteps());
    const edges = () => panel.page.evaluate<readonly number[]>(leftEdges);
    const isThere = (all: readonly number[]): boolean =>
      all.length === 4 && [0, 0.25, 0.5, 1].every((wanted, at) => Math.abs((all[at] ?? -1) - wanted) < 0.01);
    let seen: readonly number[] = [];
    await until("the bars are drawn", async () => isThere((seen = await edges()))).catch(() =>
      assert.fail(`bars begin at ${seen.join()}`),
    );
  });

  it("shows the part that is drawn over the minimap, moves it from there, and all by a double click", async () => {
    await show(threeSteps());
    const { mouse } = panel.page;
    const map = await panel.page.locator(".timeline-map").boundingBox();
    const { x = 0, y = 0, width = 0, height = 0 } = map ?? {};
    const drag = async (from: number, to: number) => {
      await mouse.move(x + width * from, y + height / 2);
      await mouse.down();
      await mouse.move(x + width * to, y + height / 2, { steps: 4 });
      await mouse.up();
    };
    /** What is at this part of the chart's width, once that is so. */
    const has = (at: number, text: RegExp) => {
      let looks = 0;
      return until(`${text} at ${at}`, async () => {
        const place = (await chart().boundingBox()) ?? { x: 0, y: 0, width: 0 };
        await mouse.move(place.x + place.width * at + (looks++ % 2), place.y + 30);
        return text.test(await here().innerText());
      });
    };
    await has(0.1, /^one/);
    await has(0.9, /^three/);
    await drag(0.5, 1);
    await has(0.1, /^three/);
    await drag(0.75, 0.25);
    await has(0.1, /^one/);
    await has(0.9, /^two/);
    await mouse.dblclick(x + width * 0.9, y + height / 2);
    await has(0.9, /^three/);
    await panel.page.getByRole("button", { name: "Show All" }).waitFor({ state: "detached" });
  });

  it("is a table with the same figures, which keys walk through", async () => {
    await show();
    await panel.page.getByRole("button", { name: "Table" }).press("Enter");
    const row = (at: number) => panel.page.getByRole("row").nth(at);
    await row(1).waitFor();
    const cells = (at: number) => row(at).getByRole("gridcell").allInnerTexts();
    assert.deepEqual(await cells(1), [
      "model",
      "",
      "+300 ms",
      "2.3 s",
      "900 ms",
      "812 in · 64 out",
      "$0.0034",
    ]);
    const [unpriced, unsaid] = [await cells(6), await cells(8)];
    assert.deepEqual(unpriced.slice(-3), ["not reported", "610 in · 12 out", "no price"]);
    assert.deepEqual(unsaid.slice(-3), ["not reported", "not reported", "not reported"]);
    await row(1).focus();
    await panel.page.keyboard.press("End");
    await until("the last row", async () =>
      /^no step/.test(await panel.page.evaluate("document.activeElement.innerText")),
    );
    await panel.page.keyboard.press("Home");
    await until("the first row", async () =>
      /^model/.test(await panel.page.evaluate("document.activeElement.innerText")),
    );
    await panel.page.keyboard.press("Enter");
    await reached("plan");
  });

  it("grows while a step runs, and says how long it runs", async () => {
    const startedAt = Date.now() - 5000;
    const runId = "r";
    await panel.show(streaming, [
      { kind: "run", id: "run:r", runId, assistantId: "a", status: "running", startedAt },
      { kind: "step", id: "s", runId, lane: "", name: "think", status: "running", keys: [], startedAt },
    ]);
    await panel.deliver({ type: "timeline" });
    await chart().waitFor();
    await chart().focus();
    const seconds = async () => Number(/([\d.]+) s · running/.exec(await here().innerText())?.[1]);
    const before = await seconds();
    assert.ok(before >= 5, `${before}`);
    await until("it grew", async () => (await seconds()) > before);
    const endedAt = startedAt + 60_000;
    await panel.patch({
      set: [
        { kind: "run", id: "run:r", runId, assistantId: "a", status: "success", startedAt, endedAt },
        {
          kind: "step",
          id: "s",
          runId,
          lane: "",
          name: "think",
          status: "done",
          keys: [],
          startedAt,
          endedAt,
        },
      ],
    });
    await until("it ended", async () => /^think\s*1 m 00 s · done/.test(await here().innerText()));
    await panel.deliver({ type: "timeline" });
    await chart().waitFor({ state: "detached" });
  });

  it("has what runs as long as it has been running, by the server's clock", async () => {
    const clockAhead = 90_000;
    const startedAt = Date.now() + clockAhead - 5000;
    const runId = "r";
    await panel.show({ ...streaming, clockAhead }, [
      { kind: "run", id: "run:r", runId, assistantId: "a", status: "running", startedAt },
      { kind: "step", id: "s", runId, lane: "", name: "think", status: "running", keys: [], startedAt },
    ]);
    const seconds = (text: string) => Number(/([\d.]+) s/.exec(text)?.[1]);
    const [run, step] = [".run-line", ".step"].map((line) => panel.page.locator(line).first());
    for (const line of [run, step]) {
      const shown = seconds((await line?.innerText()) ?? "");
      assert.ok(shown >= 4.9 && shown < 60, `${shown} s`);
    }
    await panel.deliver({ type: "timeline" });
    await chart().waitFor();
    await chart().focus();
    await until("the step's time", async () => seconds(await here().innerText()) < 60);
    await panel.deliver({ type: "state", state: { ...streaming, clockAhead: clockAhead + 60_000 } });
    await until("the clock is known better", async () => /1 m \d\d s/.test((await run?.innerText()) ?? ""));
    await panel.deliver({ type: "timeline" });
    await chart().waitFor({ state: "detached" });
  });

  it("has no table of times that nobody told, and loads the subgraphs of runs that were not read", async () => {
    const runId = "r";
    await panel.show(idle, [
      { kind: "run", id: "run:r", runId, assistantId: "a", status: "success", unread: true },
      { kind: "step", id: "s", runId, lane: "", name: "think", status: "done", keys: [] },
    ]);
    await toggle().click();
    await panel.page.getByText("The server has no times of these steps.").waitFor();
    const before = (await panel.posted("readRuns")).length;
    await panel.page.getByRole("button", { name: "Load", exact: true }).click();
    assert.deepEqual((await panel.next("readRuns", before)).runIds, [runId]);
  });

  it("shows 5,000 steps with few elements, as chart and as table, and leads to any of them", async () => {
    await show(manySteps(5000));
    assert.match(await panel.page.locator(".timeline-sums").innerText(), /^1 run · 5,000 steps/);
    assert.ok((await domNodes(panel)) < 2000);
    await chart().focus();
    for (const key of ["+", "+", "+", "+", "End", "ArrowLeft"]) await chart().press(key);
    await until("the last but one", async () => /^step 4998\s/.test(await here().innerText()));
    await chart().press("e");
    await until("the first error", async () => /^step 7\s/.test(await here().innerText()));
    await panel.page.getByRole("button", { name: "Table" }).click();
    await panel.page.getByRole("row").nth(1).waitFor();
    assert.ok((await domNodes(panel)) < 2000);
    await panel.page.locator(".span-row.selected").focus();
    await panel.page.keyboard.press("End");
    await panel.page.keyboard.press("Enter");
    await reached("s4999");
  });
});

/** Where full colour begins along the lower part of the first track, below the labels, as parts of the width. */
const leftEdges = `(() => {
  const canvases = [...document.querySelectorAll(".timeline canvas")];
  const canvas = canvases.toSorted((one, other) => other.height - one.height)[0];
  const y = Math.round(36 * devicePixelRatio);
  const { data } = canvas.getContext("2d").getImageData(0, y, canvas.width, 1);
  const isFull = (x) => data[4 * x + 3] > 240;
  const edges = [];
  for (let x = 0; x < canvas.width; x++) if (isFull(x) && !(x > 0 && isFull(x - 1))) edges.push(x / canvas.width);
  return edges;
})()`;

/** A run of three steps, one behind the other: 1, 1 and 2 seconds. */
function threeSteps(): readonly Entry[] {
  const begin = Date.UTC(2026, 4, 4);
  const times = [
    ["one", 0, 1000],
    ["two", 1000, 2000],
    ["three", 2000, 4000],
  ] as const;
  const steps = times.map(([name, from, to]): Entry => ({
    ...{ kind: "step", id: name, runId: "a", lane: "", name, status: "done", keys: [] },
    ...{ startedAt: begin + from, endedAt: begin + to },
  }));
  return [
    {
      ...{ kind: "run", id: "run:a", runId: "a", assistantId: "three", status: "success" },
      ...{ startedAt: begin, endedAt: begin + 4000 },
    },
    ...steps,
  ];
}

import { strict as assert } from "node:assert";

import type { Entry } from "../../src/run/panel/transcript.ts";
import { until } from "../support/until.ts";
import { idle } from "./demo.ts";
import { usePanel } from "./panelPage.ts";

const runId = "r";
const inRun = { runId, lane: "" };
const entries: readonly Entry[] = [
  { kind: "run", id: "run:r", runId, assistantId: "drafts", status: "error", eventsLost: true },
  { kind: "values", id: "input:r", ...inRun, of: "input", keys: ["topic"], text: '{"topic":"Tides"}' },
  {
    ...{ kind: "step", id: "s1", ...inRun, name: "draft", status: "done", keys: ["drafts"] },
    ...{ startedAt: 1000, endedAt: 2250, wrote: '{"drafts":["<script>alert(1)</script>"]}' },
    checkpoints: { before: "a", after: "b" },
  },
  { kind: "message", id: "m", ...inRun, role: "ai", text: "A draft", streaming: false },
  { kind: "step", id: "s2", ...inRun, name: "ask", status: "interrupted", keys: [] },
  {
    ...{ kind: "step", id: "s3", ...inRun, name: "grade", status: "error", keys: [] },
    checkpoints: { before: "b", outcome: { taskId: "t", fields: ["error"] } },
  },
  {
    ...{ kind: "step", id: "s4", ...inRun, name: "publish", status: "stopped", keys: [] },
    unkept: "It wrote nothing.",
  },
  { kind: "notice", id: "n", ...inRun, level: "error", text: "RangeError: line 42", node: "grade" },
  {
    ...{ kind: "lane", id: "l", runId, lane: "tools:1", parent: "", name: "historian" },
    ...{ task: "Find out when tea began", status: "done" },
  },
  { kind: "values", id: "result:r", ...inRun, of: "result", keys: ["score"], text: '{"score":1}' },
];

describe("The steps of a run", () => {
  const panel = usePanel({ height: 900 });
  const row = (id: string) => panel.page.locator(`[data-row="${id}"]`);

  it("say their node, how long it took, what it wrote, and how it ended", async () => {
    await panel.show(idle, entries);
    await row("s1").waitFor();
    assert.match(await row("s1").innerText(), /^draft\s+1\.3 s\s+drafts$/);
    assert.match(await row("s2").innerText(), /^ask\s+asked$/);
    assert.match(await row("s3").innerText(), /^grade\s+error\s+Retry\s+Skip…$/);
    assert.match(await row("n").innerText(), /RangeError: line 42\s+in grade/);
    assert.match(await row("l").innerText(), /historian\s+done\s+Find out when tea began/);
    assert.match(await row("run:r").innerText(), /events not kept/);
  });

  it("open to what they wrote, and to the states before and after them", async () => {
    await panel.show(idle, entries);
    await row("s1").getByRole("button").first().press("Enter");
    await panel.settled();
    assert.match(await row("s1").innerText(), /"<script>alert\(1\)<\/script>"/);
    await row("s1").getByRole("button", { name: "Compare the State Before and After" }).press("Enter");
    const checkpoints = { before: "a", after: "b" };
    const asked = { type: "compareStep", name: "draft", lane: "", checkpoints };
    assert.deepEqual(await panel.next("compareStep"), asked);
  });

  it("lead to their code where the workspace has it, and nowhere else", async () => {
    const code = (name: string) => panel.page.getByRole("button", { name: `Open Code of ${name}` });
    await panel.show(idle, entries);
    await row("s1").waitFor();
    assert.equal(await code("draft").count(), 0);
    await panel.show({ ...idle, hasSource: true }, entries);
    await code("draft").press("Enter");
    const source = { of: "node", path: ["draft"], runId };
    assert.deepEqual(await panel.next("openSource"), { type: "openSource", source });
    await row("n").getByRole("button", { name: "Open Code of grade" }).waitFor();
    await row("l").getByRole("button", { name: "Open Code of tools" }).press("Enter");
    await panel.next("openSource", 1);
    const around = { of: "node", path: ["tools"], runId };
    assert.deepEqual((await panel.posted("openSource")).at(-1), { type: "openSource", source: around });
  });

  it("that did not get through open to what they left, or say that nothing is kept", async () => {
    await panel.show(idle, entries);
    await row("s3").getByRole("button").first().press("Enter");
    await panel.settled();
    const compare = { name: "Compare the State Before with What the Step Left" };
    await row("s3").getByRole("button", compare).press("Enter");
    const checkpoints = { before: "b", outcome: { taskId: "t", fields: ["error"] } };
    const asked = { type: "compareStep", name: "grade", lane: "", checkpoints };
    assert.deepEqual(await panel.next("compareStep"), asked);
    await row("s4").getByRole("button").first().press("Enter");
    await panel.settled();
    assert.match(await row("s4").innerText(), /It wrote nothing\./);
  });

  it("offer what can be done at the left edge of what they opened to, and Retry below it", async () => {
    await panel.show(idle, entries);
    await row("s3").getByRole("button").first().press("Enter");
    await panel.settled();
    const left = async (name: string) => (await row("s3").getByRole("button", { name }).boundingBox())!;
    const [compare, retry, head] = [await left("Compare"), await left("Retry"), await left("grade")];
    assert.ok(compare.x - head.x < 40 && retry.x - head.x < 40, JSON.stringify([compare, retry, head]));
    assert.ok(retry.y > compare.y);
  });

  it("show what the run was given and what its state held in the end", async () => {
    await panel.show(idle, entries);
    assert.match(await row("input:r").innerText(), /^Input\s+\{"topic":"Tides"\}/);
    await row("result:r").getByRole("button").first().press("Enter");
    await panel.settled();
    assert.match(await row("result:r").innerText(), /State at the end[^]*"score":1/);
  });

  it("of runs are asked for when they come in sight, once, and with the run before them", async () => {
    const turns = Array.from({ length: 40 }, (_, turn): readonly Entry[] => {
      const id = `turn${turn}`;
      const text = Array.from({ length: 20 }, () => `Turn ${turn}`).join("\n\n");
      return [
        { kind: "run", id: `run:${id}`, runId: id, assistantId: "a", status: "success", unread: true },
        { kind: "message", id: `m${id}`, runId: id, lane: "", role: "ai", text, streaming: false },
      ];
    });
    const unread = turns.flat();
    await panel.show(idle, unread);
    await row("mturn39").waitFor();
    await panel.settled();
    const asked = async () => (await panel.posted("readRuns")).flatMap(({ runIds }) => runIds);
    await until("the last runs are asked for", async () => (await asked()).includes("turn39"));
    const first = await asked();
    assert.ok(first.includes("turn38") && first.length < 10, first.join());
    await panel.page.evaluate(`document.querySelector(".scroller").scrollTop = 0`);
    await until("the first run is asked for", async () => (await asked()).includes("turn0"));
    const all = await asked();
    assert.equal(new Set(all).size, all.length);
    assert.ok(!all.includes("turn20"), all.join());
  });

  it("of earlier runs are loaded when asked for", async () => {
    await panel.show({ ...idle, earlier: "more" }, entries);
    const more = panel.page.getByRole("button", { name: "Load Earlier Steps" });
    await more.press("Enter");
    assert.deepEqual(await panel.next("readEarlier"), { type: "readEarlier" });
    await panel.show({ ...idle, earlier: "reading" }, entries);
    assert.equal(await panel.page.getByRole("button", { name: "Loading earlier steps…" }).isDisabled(), true);
    await panel.show(idle, entries);
    assert.equal(await panel.page.locator(".earlier").count(), 0);
  });
});

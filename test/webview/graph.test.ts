import { strict as assert } from "node:assert";

import type { GraphReading } from "../../src/run/panel/agent.ts";
import type { Entry } from "../../src/run/panel/transcript.ts";
import { idle, streaming } from "./demo.ts";
import { graph, ranGraph as ran } from "./graphDemo.ts";
import { usePanel } from "./panelPage.ts";
import { until } from "../support/until.ts";

const told = { kind: "known", graph } as const;

describe("The graph of a run", () => {
  const panel = usePanel({ height: 900 });
  const row = (node: string) => panel.page.locator(`[data-node="${node}"]`);
  const open = async (entries: readonly Entry[], assistantId = "researcher") => {
    await panel.show(idle, entries);
    await panel.page.getByRole("tab", { name: "Graph" }).click();
    const asked = await panel.next("graph");
    assert.deepEqual(asked, { type: "graph", assistantId, isOpened: false });
  };
  const tell = async (of: GraphReading = told, isOpened = false) => {
    await panel.deliver({ type: "graph", assistantId: "researcher", isOpened, graph: of });
    await panel.settled();
  };

  it("says of each node whether it ran, how often, how long and what it cost", async () => {
    await open(ran);
    await tell();
    const rows = await panel.page.locator(".graph-row").allInnerTexts();
    assert.deepEqual(
      rows.map((text) => text.replace(/\s+/g, " ")),
      [
        "plan done 250 ms 340 tokens Show Step of plan",
        "search done 2 times 1.2 s Show Step of search",
        "write error Show Step of write",
        "publish did not run",
      ],
    );
    const drawn = await panel.page.evaluate<string[]>(`[...document.querySelectorAll(".graph-node")].map(
      (node) => node.querySelector("title").textContent + ": " + node.getAttribute("class"))`);
    assert.deepEqual(drawn, [
      "plan: graph-node done",
      "search: graph-node done",
      "write: graph-node error",
      "publish: graph-node idle",
    ]);
    assert.equal(await panel.page.locator(".graph-way").count(), graph.edges.length);
  });

  it("follows a run", async () => {
    await open(ran);
    await tell();
    const running: Entry = { ...ran[5]!, status: "running" } as Entry;
    await panel.patch({ set: [running] });
    await panel.settled();
    assert.match(await row("write").innerText(), /running/);
    await panel.patch({ set: [{ ...ran[5]!, status: "done", startedAt: 0, endedAt: 90 } as Entry] });
    await panel.settled();
    assert.match(await row("write").innerText(), /done\s+90 ms/);
  });

  it("leads from a node to its newest step, by keyboard and by pointer", async () => {
    await open(ran);
    await tell();
    await panel.page.locator(".graph-node", { hasText: "search" }).click();
    await panel.settled();
    assert.match(
      await panel.page.evaluate<string>("document.activeElement.textContent"),
      /Show Step of search/,
    );
    await panel.page.keyboard.press("Enter");
    await panel.page.locator('[data-row="s3"]').waitFor();
    assert.equal(await panel.page.getByRole("tab", { selected: true }).innerText(), "Transcript");
  });

  it("leads from a node of a subgraph to its code", async () => {
    await panel.show({ ...idle, hasSource: true }, ran);
    await panel.page.getByRole("tab", { name: "Graph" }).click();
    await panel.next("graph");
    await tell({ kind: "known", graph: { nodes: [{ id: "team:writer" }], edges: [] } });
    await row("team:writer").getByRole("button", { name: "Open Code of writer" }).click();
    const source = { of: "node", path: ["team", "writer"], assistantId: "researcher" };
    assert.deepEqual(await panel.next("openSource"), { type: "openSource", source });
  });

  it("is saved as a picture that stands alone, and says no more than a picture can", async () => {
    await open(ran);
    const named = '<script>alert(1)</script> & "x" \u0000\u202e ]]>';
    await tell({
      kind: "known",
      graph: { nodes: graph.nodes, edges: [...graph.edges, { source: "plan", target: named }] },
    });
    await panel.page.getByRole("button", { name: "Save as SVG…" }).press("Enter");
    const { name, format, text } = await panel.next("saveGraph");
    assert.deepEqual([name, format], ["researcher", "svg"]);
    const said = await panel.page.evaluate<Readonly<Record<string, unknown>>>(`(() => {
      const parsed = new DOMParser().parseFromString(${JSON.stringify(text)}, "image/svg+xml");
      const all = [...parsed.querySelectorAll("*")];
      const texts = (name) => [...parsed.querySelectorAll(name)].map((one) => one.textContent);
      return {
        elements: [...new Set(all.map((one) => one.localName))].sort().join(),
        attributes: [...new Set(all.flatMap((one) => one.getAttributeNames()))].sort().join(),
        titles: texts("title"),
        texts: texts("text"),
        colours: [...new Set(all.map((one) => one.getAttribute("stroke")).filter(Boolean))].sort(),
      };
    })()`);
    assert.deepEqual(said, {
      elements: "defs,g,marker,path,rect,svg,text,title",
      attributes:
        "d,fill,font-family,font-size,height,id,marker-end,markerHeight,markerUnits,markerWidth,orient,refX,refY,rx,stroke,stroke-dasharray,stroke-width,text-anchor,viewBox,width,x,xmlns,y",
      titles: ["plan", "search", "write", "publish", '<script>alert(1)</script> & "x" [U+0000][U+202E] ]]>'],
      texts: [
        ...["start", "plan", "250 ms", "search", "2× · 1.2 s", "write", "error", "publish", "end"],
        `${named.slice(0, 12)}…& "x" [U+0000][U+202E] ]]>`,
      ],
      colours: ["#1a7f37", "#59636e", "#cf222e"],
    });
  });

  it("is saved for Mermaid, also where it is too large to be drawn", async () => {
    await open(ran);
    const nodes = Array.from({ length: 500 }, (_, at) => ({ id: `n${at}` }));
    await tell({ kind: "known", graph: { nodes, edges: [] } });
    await panel.page.getByRole("button", { name: "Save as Mermaid…" }).press("Enter");
    const { format, text } = await panel.next("saveGraph");
    assert.equal(format, "mmd");
    assert.match(text, /^flowchart TD\n {2}n0\["n0"\]\n/);
    assert.equal(await panel.page.getByRole("button", { name: "Save as SVG…" }).count(), 0);
  });

  it("is shown from elsewhere, of the agent that is named, with the focus on its tab", async () => {
    await panel.show(idle, []);
    await panel.deliver({ type: "showGraph", assistantId: "approval" });
    assert.deepEqual(await panel.next("graph"), {
      type: "graph",
      assistantId: "approval",
      isOpened: false,
    });
    await until("its tab has the focus", async () =>
      panel.page.evaluate<boolean>(`document.activeElement.id === "tab-graph"`),
    );
    assert.equal(await panel.page.getByRole("tab", { selected: true }).innerText(), "Graph");
  });

  it("asks again with each run, and for its subgraphs when they are wanted", async () => {
    await open(ran);
    await tell();
    await panel.patch({
      set: [{ kind: "run", id: "run:2", runId: "2", assistantId: "researcher", status: "running" }],
    });
    await panel.next("graph", 1);
    assert.match(await row("plan").innerText(), /did not run/);
    await panel.page.getByRole("button", { name: "All Runs" }).click();
    assert.match(await row("plan").innerText(), /done/);
    await panel.page.getByRole("button", { name: "Open Subgraphs" }).click();
    assert.equal((await panel.next("graph", 2)).isOpened, true);
  });

  it("stays while its subgraphs are read, and takes no late answer about how they were wanted before", async () => {
    await open(ran);
    await tell();
    const button = panel.page.getByRole("button", { name: "Open Subgraphs" });
    const answer = async (isOpened: boolean, id: string): Promise<void> => {
      const graph = { kind: "known", graph: { nodes: [{ id }], edges: [] } } as const;
      await panel.deliver({ type: "graph", assistantId: "researcher", isOpened, graph });
    };
    await button.click();
    await panel.next("graph", 1);
    assert.match(await row("plan").innerText(), /done/);
    assert.equal(await panel.page.evaluate<string>("document.activeElement.innerText"), "Open Subgraphs");
    await button.click();
    await panel.next("graph", 2);
    await answer(false, "closed");
    await row("closed").waitFor();
    await answer(true, "opened");
    await answer(false, "again");
    await row("again").waitFor();
    assert.equal(await row("opened").count(), 0);
    await button.click();
    await panel.next("graph", 3);
    const unknown = { kind: "unknown", message: "The graph could not be read: too deep" } as const;
    await panel.deliver({ type: "graph", assistantId: "researcher", isOpened: true, graph: unknown });
    await panel.page.getByRole("button", { name: "Close Subgraphs" }).click();
    assert.equal((await panel.next("graph", 4)).isOpened, false);
  });

  it("says in words why there is none, and asks again", async () => {
    await panel.show(streaming, []);
    await panel.page.getByRole("tab", { name: "Graph" }).click();
    const { assistantId } = await panel.next("graph");
    const unknown = { kind: "unknown", message: "The graph could not be read: <b>Gone</b>" } as const;
    await panel.deliver({ type: "graph", assistantId, isOpened: false, graph: unknown });
    await panel.page.getByText("could not be read: <b>Gone</b>").waitFor();
    await panel.page.getByRole("button", { name: "Try Again" }).click();
    await panel.next("graph", 1);
  });

  it("is a list alone where it is too large to be drawn", async () => {
    await open(ran);
    const nodes = Array.from({ length: 2000 }, (_, at) => ({ id: `<i>${at}</i>` }));
    await tell({ kind: "known", graph: { nodes, edges: [] } });
    assert.equal(await panel.page.locator("svg.graph-svg").count(), 0);
    await panel.page.getByText("too large to be drawn").waitFor();
    assert.equal(await panel.page.locator(".graph-row").count(), 1000);
    await panel.page.getByText("And 1,003 more nodes.").waitFor();
  });
});

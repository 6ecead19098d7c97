import { deepEqual, equal, match } from "node:assert/strict";

import type { NodeMark } from "../../../src/run/panel/graphMarks.ts";
import { mermaidOf } from "../../../src/webview/graph/mermaid.ts";

/** What the lines of these flowcharts may be: nothing that a graph says leaves its quotes. */
const lines = [
  /^ {2}n\d+(?:\(\["(?:start|end)"\]\)|\["(?:[\p{L}\p{N} ._]|#\d+;)*(?:<br\/>[\w .,·×]+)?"\])$/u,
  /^ {2}n\d+ (?:-->|-\.->) n\d+$/,
  /^ {2}classDef [a-z]+ [\w:#,-]+(?: 3)?$/,
  /^ {2}class n\d+ [a-z]+$/,
];

const marked = (status: NodeMark["status"], times: number, ms?: number): NodeMark => ({
  ...{ status, times, ms, tokens: undefined, step: "s", runningSince: undefined },
});

describe("A graph as a Mermaid flowchart", () => {
  it("has a box for each node, and its ways, with what ran", () => {
    const marks = new Map<string, NodeMark>([
      ["call_model", marked("done", 2, 1500)],
      ["tools", marked("error", 1)],
    ]);
    const edges = [
      { source: "__start__", target: "call_model" },
      { source: "call_model", target: "tools", conditional: true },
      { source: "call_model", target: "__end__", conditional: true },
      { source: "tools", target: "call_model" },
      { source: "tools", target: "call_model" },
    ];
    const nodes = ["__start__", "call_model", "tools", "__end__"].map((id) => ({ id }));
    deepEqual(mermaidOf({ nodes, edges }, marks).split("\n"), [
      "flowchart TD",
      '  n0(["start"])',
      '  n1["call_model<br/>2× · 1.5 s"]',
      '  n2["tools<br/>error"]',
      '  n3(["end"])',
      "  n0 --> n1",
      "  n1 -.-> n2",
      "  n1 -.-> n3",
      "  n2 --> n1",
      "  classDef done stroke:#1a7f37,stroke-width:2px",
      "  classDef error stroke:#cf222e,stroke-width:3px",
      "  class n1 done",
      "  class n2 error",
      "",
    ]);
  });

  it("keeps what nodes are called within their quotes, whatever that is", () => {
    const names = [
      ...["end", "subgraph x", "%%{init: {}}%%", "`md`", "#quot;", "a;b|c", "]] --> n1", "\ud800", "\u202ex"],
      ...[
        'a"]; click n0 href "javascript:alert(1)"',
        "<script>alert(1)</script>",
        "a\nclick n0 call f()",
        "größe",
      ],
    ];
    const mark = marked("waiting", 1234, 90_000);
    const edges = names.map((id, at) => ({ source: names[at - 1] ?? "__start__", target: id }));
    const text = mermaidOf({ nodes: [], edges }, new Map(names.map((id) => [id, mark])));
    const [first, ...rest] = text.trimEnd().split("\n");
    equal(first, "flowchart TD");
    equal(rest.length, names.length + 1 + edges.length + 1 + names.length);
    for (const line of rest) equal(lines.filter((shape) => shape.test(line)).length, 1, line);
    match(text, /"a#34;#93;#59; click n0 href/);
    match(text, /"#91;U#43;202E#93;x</);
  });
});

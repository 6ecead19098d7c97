/** The graph of the agent that runs in the thread: as a drawing, and as a list with the same facts. */

import { useEffect, useMemo, useRef, useState } from "preact/hooks";

import type { Entry } from "../../run/panel/transcript.ts";
import { nodeMarks } from "../../run/panel/graphMarks.ts";
import type { GraphReading } from "../../run/panel/agent.ts";
import type { PanelState } from "../../run/panel/messages.ts";
import { Button } from "../controls/button.tsx";
import { Literal } from "../controls/literal.tsx";
import { post, useReceived } from "../kit/host.ts";
import { plural } from "../kit/measures.ts";
import { memory } from "../kit/memory.ts";
import { Drawn } from "./drawn.tsx";
import { drawingOf, isEndNode, nodeIds } from "./layout.ts";
import { mermaidOf } from "./mermaid.ts";
import { NodeList } from "./nodeList.tsx";
import { svgOf } from "./svg.ts";

interface GraphViewProps {
  readonly state: PanelState;
  readonly entries: readonly Entry[];
  /** Leads to an entry of the transcript. */
  readonly onStep: (entry: string) => void;
}

/** What the graph is made of, and what of it ran; asked for anew with each run, as its source may have changed. */
export function GraphView({ state, entries, onStep }: GraphViewProps) {
  const [isOpened, setOpened] = useState(false);
  const [runs, setRuns] = useState<"newest" | "all">("newest");
  const [selected, select] = useState<string>();
  const list = useRef<HTMLUListElement | null>(null);
  const lastRun = useMemo(() => entries.findLast((entry) => entry.kind === "run"), [entries]);
  const draft = memory.get("draft").assistantId;
  const assistantId = lastRun?.assistantId ?? draft ?? state.composer.assistantId;
  const reading = useGraph(assistantId, isOpened, lastRun?.runId);
  const marks = useMemo(() => nodeMarks(entries, runs), [entries, runs]);
  const graph = reading?.kind === "known" ? reading.graph : undefined;
  const drawing = useMemo(() => graph && drawingOf(graph), [graph]);
  const nodes = useMemo(() => (graph ? nodeIds(graph).filter((id) => !isEndNode(id)) : []), [graph]);
  if (assistantId === undefined) return <Words>No agent is chosen yet, so there is no graph.</Words>;
  if (reading === undefined) return <Words>Reading the graph…</Words>;
  if (reading.kind === "unknown")
    return (
      <Words>
        <Literal text={reading.message} />{" "}
        <Button icon="refresh" onClick={() => post({ type: "graph", assistantId, isOpened })}>
          Try Again
        </Button>
      </Words>
    );
  const name = state.assistants.find(({ id }) => id === assistantId)?.name ?? assistantId;
  const choose = (id: string): void => {
    select(id);
    list.current?.querySelector<HTMLElement>(`[data-node="${CSS.escape(id)}"] button`)?.focus();
  };
  return (
    <div class="graph">
      <div class="graph-tools">
        <Literal as="h1" class="graph-name" text={name} />
        <span class="fact">{plural(nodes.length, "node")}</span>
        <Button pressed={isOpened} onClick={() => setOpened(!isOpened)}>
          Open Subgraphs
        </Button>
        <Button pressed={runs === "all"} onClick={() => setRuns(runs === "all" ? "newest" : "all")}>
          All Runs
        </Button>
        {drawing !== undefined && (
          <Button
            onClick={() => post({ type: "saveGraph", name, format: "svg", text: svgOf(drawing, marks) })}
          >
            Save as SVG…
          </Button>
        )}
        <Button
          onClick={() =>
            post({ type: "saveGraph", name, format: "mmd", text: mermaidOf(reading.graph, marks) })
          }
        >
          Save as Mermaid…
        </Button>
      </div>
      <div class="graph-parts">
        {drawing === undefined ? (
          <Words>This graph is too large to be drawn; the list has all of it.</Words>
        ) : (
          <Drawn drawing={drawing} marks={marks} selected={selected} onSelect={choose} />
        )}
        <NodeList
          list={list}
          nodes={nodes}
          assistantId={assistantId}
          marks={marks}
          selected={selected}
          onStep={onStep}
        />
      </div>
    </div>
  );
}

function Words({ children }: { readonly children: preact.ComponentChildren }) {
  return (
    <p class="none centred" role="status">
      {children}
    </p>
  );
}

/** The graph as its server tells it; undefined until it does. */
function useGraph(
  assistantId: string | undefined,
  isOpened: boolean,
  runId: string | undefined,
): GraphReading | undefined {
  const [read, setRead] = useState<{ readonly of: string; readonly graph: GraphReading }>();
  const wanted = JSON.stringify([assistantId, isOpened]);
  useReceived((message) => {
    if (message.type !== "graph") return;
    const { assistantId, isOpened, graph } = message;
    setRead((before) => {
      const of = JSON.stringify([assistantId, isOpened]);
      // The same graph again is not drawn anew.
      return before?.of === of && JSON.stringify(before.graph) === JSON.stringify(graph)
        ? before
        : { of, graph };
    });
  }, []);
  useEffect(() => {
    if (assistantId !== undefined) post({ type: "graph", assistantId, isOpened });
  }, [assistantId, isOpened, runId]);
  return read?.of === wanted ? read.graph : undefined;
}

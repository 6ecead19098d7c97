/** The graph of the agent that runs in the thread: as a drawing, and as a list with the same facts. */

import type { RefObject } from "preact";
import { useEffect, useMemo, useRef, useState } from "preact/hooks";

import type { Entry } from "../../run/panel/transcript.ts";
import { type NodeMark, nodeMarks } from "../../run/panel/graphMarks.ts";
import type { GraphReading } from "../../run/panel/agent.ts";
import type { PanelState } from "../../run/panel/messages.ts";
import { Button } from "../controls/button.tsx";
import { Literal } from "../controls/literal.tsx";
import { OpenCode } from "../controls/openCode.tsx";
import { post, useReceived } from "../kit/host.ts";
import { count, duration, plural } from "../kit/measures.ts";
import { memory } from "../kit/memory.ts";
import { Status, useElapsed } from "../transcript/status.tsx";
import { Drawn } from "./drawn.tsx";
import { drawingOf, isEndNode, nodeIds } from "./layout.ts";
import { mermaidOf } from "./mermaid.ts";
import { svgOf } from "./svg.ts";

/** The most nodes that have a row. */
const mostRows = 1000;

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
        {isOpened && <Button onClick={() => setOpened(false)}>Close Subgraphs</Button>}
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

interface NodeListProps {
  readonly list: RefObject<HTMLUListElement | null>;
  readonly nodes: readonly string[];
  readonly assistantId: string;
  readonly marks: ReadonlyMap<string, NodeMark>;
  readonly selected: string | undefined;
  readonly onStep: (entry: string) => void;
}

/** All that the drawing shows, in words, with what can be done about each node. */
function NodeList({ list, nodes, assistantId, marks, selected, onStep }: NodeListProps) {
  // What ran and is not drawn, such as a node of a subgraph that is not opened, is listed, too.
  const others = [...marks.keys()].filter((id) => !nodes.includes(id));
  const all = [...nodes, ...others];
  return (
    <ul ref={list} class="graph-list" aria-label="Nodes">
      {all.slice(0, mostRows).map((id) => (
        <NodeRow
          key={id}
          id={id}
          assistantId={assistantId}
          mark={marks.get(id)}
          isSelected={id === selected}
          onStep={onStep}
        />
      ))}
      {all.length > mostRows && <li class="fact">And {plural(all.length - mostRows, "more node")}.</li>}
    </ul>
  );
}

interface NodeRowProps {
  readonly id: string;
  readonly assistantId: string;
  readonly mark: NodeMark | undefined;
  readonly isSelected: boolean;
  readonly onStep: (entry: string) => void;
}

function NodeRow({ id, assistantId, mark, isSelected, onStep }: NodeRowProps) {
  const { status, times = 0, ms, tokens, step, runningSince } = mark ?? {};
  const running = runningSince === undefined ? {} : { startedAt: runningSince };
  const elapsed = useElapsed(runningSince !== undefined, running);
  const time = elapsed ?? (ms === undefined ? undefined : duration(ms));
  return (
    <li class={isSelected ? "graph-row selected" : "graph-row"} data-node={id}>
      <Literal class="graph-row-name" text={id} />
      {status === undefined ? <span class="fact">did not run</span> : <Status status={status} />}
      {times > 1 && <span class="fact">{count(times)} times</span>}
      {time !== undefined && <span class="fact">{time}</span>}
      {tokens !== undefined && <span class="fact">{plural(tokens, "token")}</span>}
      {step !== undefined && (
        <Button kind="link" onClick={() => onStep(step)}>
          Show Step<span class="hidden-visually"> of {id}</span>
        </Button>
      )}
      <OpenCode source={{ of: "node", path: id.split(":"), assistantId }} />
    </li>
  );
}

/** The graph as its server tells it; undefined until it does. */
function useGraph(
  assistantId: string | undefined,
  isOpened: boolean,
  runId: string | undefined,
): GraphReading | undefined {
  const [read, setRead] = useState<{ readonly of: string | undefined; readonly graph: GraphReading }>();
  useReceived(
    (message) => {
      // What comes late of another agent, or of the subgraphs as they were wanted before, is of no use any more.
      if (message.type !== "graph" || message.assistantId !== assistantId || message.isOpened !== isOpened)
        return;
      const { graph } = message;
      setRead((before) =>
        // The same graph again is not drawn anew.
        before?.of === assistantId && JSON.stringify(before.graph) === JSON.stringify(graph)
          ? before
          : { of: assistantId, graph },
      );
    },
    [assistantId, isOpened],
  );
  useEffect(() => {
    if (assistantId !== undefined) post({ type: "graph", assistantId, isOpened });
  }, [assistantId, isOpened, runId]);
  // While its subgraphs are opened or closed it stays, with the button that was pressed.
  return read !== undefined && read.of === assistantId ? read.graph : undefined;
}

import type { RefObject } from "preact";

import type { NodeMark } from "../../run/panel/graphMarks.ts";
import { Button } from "../controls/button.tsx";
import { OpenCode } from "../controls/openCode.tsx";
import { Literal } from "../controls/literal.tsx";
import { count, duration, plural } from "../kit/measures.ts";
import { Status, useElapsed } from "../transcript/status.tsx";

interface NodeListProps {
  readonly list: RefObject<HTMLUListElement | null>;
  readonly nodes: readonly string[];
  readonly assistantId: string;
  readonly marks: ReadonlyMap<string, NodeMark>;
  readonly selected: string | undefined;
  readonly onStep: (entry: string) => void;
}

/** So many nodes have a row. */
const mostRows = 1000;

/** All that the drawing shows, in words, with what can be done about each node. */
export function NodeList({ list, nodes, assistantId, marks, selected, onStep }: NodeListProps) {
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

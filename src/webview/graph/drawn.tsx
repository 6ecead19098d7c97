import { useLayoutEffect, useRef, useState } from "preact/hooks";

import type { NodeMark } from "../../run/panel/graphMarks.ts";
import { IconButton } from "../controls/button.tsx";
import { visibleText } from "../kit/visibleText.ts";
import type { Drawing, PlacedEdge, PlacedNode } from "./layout.ts";
import { factsOf, isTaken, pathOf } from "./svg.ts";

interface DrawnProps {
  readonly drawing: Drawing;
  readonly marks: ReadonlyMap<string, NodeMark>;
  readonly selected: string | undefined;
  readonly onSelect: (node: string) => void;
}

const [least, most] = [0.2, 2];

/** The graph as a picture for eyes and pointers; what it says, the list beside it says, too. */
export function Drawn({ drawing, marks, selected, onSelect }: DrawnProps) {
  const frame = useRef<HTMLDivElement>(null);
  const [zoom, setZoom] = useState(1);
  const { width, height } = drawing;
  useLayoutEffect(() => {
    const { clientWidth = width, clientHeight = height } = frame.current ?? {};
    setZoom(Math.max(0.5, Math.min(1, clientWidth / width, clientHeight / height)));
  }, [width, height]);
  const by = (factor: number) => () => setZoom((now) => Math.min(most, Math.max(least, now * factor)));
  return (
    <div class="graph-drawing">
      <div ref={frame} class="graph-frame">
        <svg
          width={width * zoom}
          height={height * zoom}
          viewBox={`0 0 ${width} ${height}`}
          aria-hidden="true"
          class="graph-svg"
        >
          <defs>
            <marker
              id="arrow"
              viewBox="0 0 8 8"
              refX="7"
              refY="4"
              markerUnits="userSpaceOnUse"
              markerWidth="9"
              markerHeight="9"
              orient="auto"
            >
              <path d="M0,0.5 L7,4 L0,7.5" class="graph-arrow" />
            </marker>
          </defs>
          {drawing.edges.map((edge) => (
            <Way key={`${edge.source}\n${edge.target}`} edge={edge} marks={marks} />
          ))}
          {drawing.nodes.map((node) => (
            <Box
              key={node.id}
              node={node}
              mark={marks.get(node.id)}
              isSelected={node.id === selected}
              onSelect={onSelect}
            />
          ))}
        </svg>
      </div>
      <div class="graph-zoom">
        <IconButton icon="zoom-in" label="Zoom In" onClick={by(1.25)} />
        <IconButton icon="zoom-out" label="Zoom Out" onClick={by(0.8)} />
      </div>
    </div>
  );
}

function Way({ edge, marks }: { readonly edge: PlacedEdge; readonly marks: DrawnProps["marks"] }) {
  const style = `graph-way${edge.conditional ? " conditional" : ""}${isTaken(edge, marks) ? " ran" : ""}`;
  return <path class={style} d={pathOf(edge.points)} marker-end="url(#arrow)" />;
}

interface BoxProps {
  readonly node: PlacedNode;
  readonly mark: NodeMark | undefined;
  readonly isSelected: boolean;
  readonly onSelect: (node: string) => void;
}

function Box({ node, mark, isSelected, onSelect }: BoxProps) {
  const { id, x, y, width, height, label, isEnd } = node;
  const facts = factsOf(mark);
  const box = <rect x={x - width / 2} y={y - height / 2} width={width} height={height} rx={isEnd ? 12 : 4} />;
  if (isEnd)
    return (
      <g class="graph-end">
        {box}
        <text x={x} y={y + 4}>
          {label}
        </text>
      </g>
    );
  return (
    <g
      class={`graph-node ${mark?.status ?? "idle"}${isSelected ? " selected" : ""}`}
      onClick={() => onSelect(id)}
    >
      <title>{visibleText(id)}</title>
      {box}
      <text x={x} y={facts === "" ? y + 4 : y - 4}>
        {visibleText(label)}
      </text>
      {facts !== "" && (
        <text class="graph-facts" x={x} y={y + 13}>
          {facts}
        </text>
      )}
    </g>
  );
}

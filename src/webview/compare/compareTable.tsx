import { useEffect, useRef } from "preact/hooks";
import { Virtualizer, type VirtualizerHandle } from "virtua";

import type { ComparedRow, StepFacts } from "../../run/compare/comparison.ts";
import { Literal } from "../controls/literal.tsx";
import { tokensText } from "../timeline/figures.ts";
import { differenceText, keyOf, nameOf, timeText } from "./rowText.ts";

const rowHeight = 24;
const titles = ["Step", "Differs in", "Left", "Tokens", "Right", "Tokens"] as const;

interface TableProps {
  readonly rows: readonly ComparedRow[];
  /** Where both went different ways first. */
  readonly first: ComparedRow | undefined;
  readonly selected: string | undefined;
  readonly onSelect: (key: string) => void;
  readonly onOpen: (row: ComparedRow) => void;
}

/** The steps of both sides, those that belong together in one row; keys walk through it, Enter opens the states. */
export function CompareTable({ rows, first, selected, onSelect, onOpen }: TableProps) {
  const grid = useRef<HTMLDivElement>(null);
  const list = useRef<VirtualizerHandle>(null);
  const at = Math.max(
    0,
    rows.findIndex((row) => keyOf(row) === selected),
  );
  // The grid has the focus, and names the row that is meant: rows out of sight are not drawn.
  useEffect(() => list.current?.scrollToIndex(at, { align: "nearest" }), [at]);
  const onKey = (event: KeyboardEvent) => {
    const steps = new Map([
      ["ArrowDown", at + 1],
      ["ArrowUp", at - 1],
      ["PageDown", at + 10],
      ["PageUp", at - 10],
      ["Home", 0],
      ["End", rows.length - 1],
    ]);
    const to = steps.get(event.key);
    const row = rows[to === undefined ? at : Math.min(Math.max(0, to), rows.length - 1)];
    if (row === undefined) return;
    if (to !== undefined) onSelect(keyOf(row));
    else if (event.key === "Enter") onOpen(row);
    else return;
    event.preventDefault();
  };
  return (
    <div
      ref={grid}
      class="compare-table"
      role="grid"
      aria-label="Steps of both sides"
      aria-rowcount={rows.length + 1}
      aria-activedescendant={`compared-${at}`}
      tabIndex={0}
      onKeyDown={onKey}
    >
      <div role="rowgroup">
        <div class="compare-row compare-head" role="row" aria-rowindex={1}>
          {titles.map((title, index) => (
            <span key={index} role="columnheader">
              {title}
            </span>
          ))}
        </div>
      </div>
      <div class="scroller" role="rowgroup">
        <Virtualizer ref={list} data={rows} itemSize={rowHeight} bufferSize={200}>
          {(row: ComparedRow, index: number) => (
            <div
              key={keyOf(row)}
              id={`compared-${index}`}
              class={`compare-row${row.isDifferent ? " different" : ""}${index === at ? " selected" : ""}`}
              role="row"
              aria-rowindex={index + 2}
              aria-selected={index === at}
              onClick={() => {
                onSelect(keyOf(row));
                grid.current?.focus({ preventScroll: true });
              }}
              onDblClick={() => onOpen(row)}
            >
              <span role="gridcell" class="compare-name">
                {row.lane.length > 0 && <Literal class="fact" text={`${row.lane.join(" › ")} › `} />}
                <Literal text={nameOf(row)} />
              </span>
              <span role="gridcell" class="compare-difference">
                {row === first && <strong>First: </strong>}
                {differenceText(row)}
              </span>
              <Figures row={row} step={row.left} />
              <Figures row={row} step={row.right} />
            </div>
          )}
        </Virtualizer>
      </div>
    </div>
  );
}

/** What a step took; what a run was given took nothing. */
function Figures({ row, step }: { readonly row: ComparedRow; readonly step: StepFacts | undefined }) {
  const isPlain = step === undefined || step.status === "done" || step.isOn;
  const time = step === undefined ? "—" : row.kind === "step" ? timeText(step) : "";
  return (
    <>
      <span role="gridcell">{isPlain ? time : <Literal text={`${time} (${step.status})`} />}</span>
      <span role="gridcell" class="compare-tokens">
        {step === undefined ? "" : tokensText(step.spent)}
      </span>
    </>
  );
}

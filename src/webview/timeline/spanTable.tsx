import { useRef } from "preact/hooks";
import { Virtualizer, type VirtualizerHandle } from "virtua";

import { laneName, type Span, type Timeline } from "../../run/timeline/timeline.ts";
import { Literal } from "../controls/literal.tsx";
import { duration } from "../kit/measures.ts";
import { labelOf } from "./drawing.ts";
import { costText, tokensText, unreported } from "./figures.ts";

const rowHeight = 24;

interface SpanTableProps {
  readonly timeline: Timeline;
  readonly spans: readonly Span[];
  readonly now: number;
  readonly selected: string | undefined;
  readonly onSelect: (id: string) => void;
  readonly onRow: (id: string) => void;
}

/** The timeline's figures, for keyboards and screen readers, and for who looks for the most. */
export function SpanTable({ timeline, spans, now, selected, onSelect, onRow }: SpanTableProps) {
  const body = useRef<HTMLDivElement>(null);
  const list = useRef<VirtualizerHandle>(null);
  const begin = timeline.runs.find(({ from }) => from !== undefined)?.from ?? 0;
  const indexOf = (id: string | undefined): number =>
    Math.max(
      0,
      spans.findIndex((span) => span.id === id),
    );
  const at = indexOf(selected);
  // Keys come faster than rows are drawn: each goes on from where the one before it led to.
  const latest = useRef(selected);
  latest.current = selected;
  const goTo = (index: number): void => {
    const next = Math.min(Math.max(0, index), spans.length - 1);
    const span = spans[next];
    if (span === undefined) return;
    latest.current = span.id;
    onSelect(span.id);
    // A row that goes out of sight must not take the focus with it.
    body.current?.focus({ preventScroll: true });
    list.current?.scrollToIndex(next, { align: "nearest" });
    focusOnceThere(body.current, () => (latest.current === span.id ? span.id : undefined));
  };
  const onKey = (event: KeyboardEvent) => {
    const here = indexOf(latest.current);
    const steps = new Map([
      ["ArrowDown", here + 1],
      ["ArrowUp", here - 1],
      ["PageDown", here + 10],
      ["PageUp", here - 10],
      ["Home", 0],
      ["End", spans.length - 1],
    ]);
    const next = steps.get(event.key);
    const span = spans[here];
    if (next !== undefined) goTo(next);
    else if (event.key === "Enter" && span !== undefined) onRow(span.row);
    else return;
    event.preventDefault();
  };
  return (
    <div class="span-table" role="grid" aria-label="Steps over time" aria-rowcount={spans.length + 1}>
      <div role="rowgroup">
        <div class="span-row span-head" role="row" aria-rowindex={1}>
          {["Step", "Lane", "Start", "Time", "First token", "Tokens", "Cost"].map((title) => (
            <span key={title} role="columnheader" class={`span-${title.toLowerCase().replace(" ", "-")}`}>
              {title}
            </span>
          ))}
        </div>
      </div>
      <div ref={body} class="scroller" role="rowgroup" tabIndex={-1} onKeyDown={onKey}>
        <Virtualizer ref={list} data={spans} itemSize={rowHeight} bufferSize={200}>
          {(span: Span, index: number) => (
            <div
              key={span.id}
              class={`span-row${index === at && selected !== undefined ? " selected" : ""}`}
              role="row"
              aria-rowindex={index + 2}
              aria-selected={span.id === selected}
              data-span={span.id}
              tabIndex={index === at ? 0 : -1}
              onFocus={() => {
                if (span.id !== selected) onSelect(span.id);
              }}
              onClick={() => onRow(span.row)}
            >
              <Literal role="gridcell" class="span-step" text={nameOf(span)} />
              <Literal role="gridcell" class="span-lane" text={laneName(timeline, span.runId, span.lane)} />
              <span role="gridcell" class="span-start">
                {span.from === undefined ? unreported : `+${duration(span.from - begin)}`}
              </span>
              <span role="gridcell" class="span-time">
                {timeText(span, now)}
              </span>
              <span role="gridcell" class="span-first-token">
                {firstTokenText(span)}
              </span>
              <span role="gridcell" class="span-tokens">
                {tokensText(span.spent)}
              </span>
              <span role="gridcell" class="span-cost">
                {costText(span.spent)}
              </span>
            </div>
          )}
        </Virtualizer>
      </div>
    </div>
  );
}

/** How long it took, or takes so far. */
export function timeText({ from, to, isOn }: Span, now: number): string {
  const end = to ?? (isOn ? now : undefined);
  return from === undefined || end === undefined ? unreported : duration(end - from);
}

/** When its first model call answered; empty where no model was called. */
export function firstTokenText({ firstTokens: [first], spent, kind }: Span): string {
  if (kind !== "step" || spent.calls === 0) return "";
  return first === undefined ? unreported : duration(first);
}

/** The name, and how it stands where that is not "done". */
function nameOf(span: Span): string {
  const { kind, status } = span;
  const isPlain = status === "done" || kind === "wait" || kind === "gap";
  return isPlain ? labelOf(span) : `${labelOf(span)} (${status})`;
}

/** The most frames that a row may take until it is drawn. */
const longestWay = 30;

/** Focuses the row of a span once it is drawn, unless something else is wanted by then. */
function focusOnceThere(
  body: HTMLElement | null,
  wanted: () => string | undefined,
  frames = longestWay,
): void {
  requestAnimationFrame(() => {
    const id = wanted();
    if (id === undefined || body === null || !body.contains(document.activeElement)) return;
    const row = body.querySelector<HTMLElement>(`[data-span="${CSS.escape(id)}"]`);
    if (row !== null) row.focus({ preventScroll: true });
    else if (frames > 0) focusOnceThere(body, wanted, frames - 1);
  });
}

/** A thread over time, above its transcript: what ran when, what it took, and the way from a bar to its row. */

import { useEffect, useMemo, useReducer, useState } from "preact/hooks";

import { axisOf } from "../../run/timeline/axis.ts";
import { type Span, type Timeline as Times, timelineOf } from "../../run/timeline/timeline.ts";
import { lanesOf, timed } from "../../run/timeline/tracks.ts";
import type { Prices } from "../../run/panel/messages.ts";
import type { Entry } from "../../run/panel/transcript.ts";
import { Button } from "../controls/button.tsx";
import { Literal } from "../controls/literal.tsx";
import { post } from "../kit/host.ts";
import { duration, plural } from "../kit/measures.ts";
import { memory } from "../kit/memory.ts";
import { serverNow } from "../kit/serverTime.ts";
import { Chart } from "./chart.tsx";
import { labelOf } from "./drawing.ts";
import { costText, tokensText } from "./figures.ts";
import type { Range } from "./layout.ts";
import { firstTokenText, SpanTable, timeText } from "./spanTable.tsx";

/** How often what goes on is drawn longer. */
const tickMs = 250;
const noPrices: Prices = {};

interface TimelineProps {
  /** The same array while only text is appended. */
  readonly entries: readonly Entry[];
  readonly prices: Prices | undefined;
  /** Leads the reader to a row of the transcript. */
  readonly onRow: (id: string) => void;
}

export function Timeline({ entries, prices = noPrices, onRow }: TimelineProps) {
  const timeline = useMemo(() => timelineOf(entries, prices), [entries, prices]);
  const now = useNow(timeline.spans.some(({ isOn }) => isOn) || timeline.runs.some(({ isOn }) => isOn));
  const lanes = useMemo(() => lanesOf(timeline, now), [timeline, now]);
  const axis = useMemo(() => axisOf(busyTimes(timeline, now)), [timeline, now]);
  const [range, setRange] = useState<Range>();
  const [selected, select] = useState<string>();
  const isTable = memory.get("timeline") === "table";
  const span = timeline.spans.find(({ id }) => id === selected);
  return (
    <section class="timeline" aria-label="Timeline">
      <div class="timeline-line">
        <Sums timeline={timeline} now={now} />
        <UnreadRuns entries={entries} />
        <div class="timeline-actions">
          {range !== undefined && !isTable && (
            <Button kind="link" onClick={() => setRange(undefined)}>
              Show All
            </Button>
          )}
          <Button pressed={isTable} onClick={() => memory.set("timeline", isTable ? "chart" : "table")}>
            Table
          </Button>
        </div>
      </div>
      {axis.length === 0 && !isTable ? (
        <p class="none">The server has no times of these steps. The table lists them.</p>
      ) : isTable ? (
        <SpanTable
          timeline={timeline}
          spans={timeline.spans}
          {...{ now, selected, onRow }}
          onSelect={select}
        />
      ) : (
        <Chart
          runs={timeline.runs}
          {...{ lanes, axis, range, selected, onRow }}
          onRange={setRange}
          onSelect={select}
        />
      )}
      {!isTable && <Here span={span} now={now} />}
    </section>
  );
}

/** What the reader is at. */
function Here({ span, now }: { readonly span: Span | undefined; readonly now: number }) {
  const facts =
    span === undefined
      ? []
      : [
          timeText(span, now),
          ...(span.kind === "step" ? [span.status] : []),
          ...(firstTokenText(span) === "" ? [] : [`first token ${firstTokenText(span)}`]),
          ...(tokensText(span.spent) === "" ? [] : [`tokens ${tokensText(span.spent)}`]),
          ...(costText(span.spent) === "" ? [] : [`cost ${costText(span.spent)}`]),
        ];
  return (
    <p class="timeline-here" role="status">
      {span === undefined ? (
        <span class="fact">Point at a bar, or go there with the arrow keys.</span>
      ) : (
        <>
          <Literal class="step-name" text={labelOf(span)} /> <span class="fact">{facts.join(" · ")}</span>
        </>
      )}
    </p>
  );
}

/** What all runs took. */
function Sums({ timeline, now }: { readonly timeline: Times; readonly now: number }) {
  const { runs, spans, spent } = timeline;
  const ran = (kinds: readonly Span["kind"][], lane?: string): number =>
    lengthOf(
      spans.flatMap((span) =>
        kinds.includes(span.kind) && (lane === undefined || span.lane === lane)
          ? (timed(span, now) ?? [])
          : [],
      ),
    );
  const waited = ran(["wait"]);
  const sums = [
    plural(runs.length, "run"),
    plural(spans.filter(({ kind }) => kind === "step").length, "step"),
    `${duration(ran(["step"]))} in steps`,
    ...(waited > 0 ? [`${duration(waited)} waiting`] : []),
    ...(spent.calls > 0 ? [`tokens ${tokensText(spent)}`, `cost ${costText(spent)}`] : []),
  ];
  return <p class="timeline-sums">{sums.join(" · ")}</p>;
}

/** More is read of runs when they come in sight; in a timeline all of them are. */
function UnreadRuns({ entries }: Pick<TimelineProps, "entries">) {
  const runIds = useMemo(
    () => entries.flatMap((entry) => (entry.kind === "run" && entry.unread === true ? [entry.runId] : [])),
    [entries],
  );
  if (runIds.length === 0) return null;
  return (
    <span class="timeline-unread">
      <span class="fact">The subgraphs of {plural(runIds.length, "run")} are not loaded.</span>
      <Button kind="link" onClick={() => post({ type: "readRuns", runIds })}>
        Load
      </Button>
    </span>
  );
}

/** When something was on: a run, or a step of one that does not say when it began. */
function busyTimes({ runs, spans }: Times, now: number): readonly { from: number; to: number }[] {
  const ran = runs.flatMap(({ from, to, isOn }) => {
    const end = to ?? (isOn ? now : undefined);
    return from === undefined || end === undefined || end < from ? [] : [{ from, to: end }];
  });
  const stepped = spans.flatMap((span) => (span.kind === "wait" ? [] : (timed(span, now) ?? [])));
  return [...ran, ...stepped.map(({ from, to }) => ({ from, to }))];
}

/** How long at least one of them was on. */
function lengthOf(spans: readonly { readonly from: number; readonly to: number }[]): number {
  let [sum, until] = [0, -Infinity];
  for (const { from, to } of spans.toSorted((a, b) => a.from - b.from)) {
    sum += Math.max(0, to - Math.max(from, until));
    until = Math.max(until, to);
  }
  return sum;
}

/** The server's time, anew while something runs. */
function useNow(isRunning: boolean): number {
  const [, tick] = useReducer<number, undefined>((count) => count + 1, 0);
  const [still, setStill] = useState(serverNow);
  useEffect(() => {
    if (!isRunning) return;
    const timer = setInterval(() => tick(undefined), tickMs);
    return () => {
      clearInterval(timer);
      setStill(serverNow());
    };
  }, [isRunning]);
  return isRunning ? Math.floor(serverNow() / tickMs) * tickMs + tickMs : still;
}

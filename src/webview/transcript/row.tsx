import { memo } from "preact/compat";
import { useRef } from "preact/hooks";

import type { Entry } from "../../run/panel/transcript.ts";
import type { Row } from "../../run/panel/rows.ts";
import { LongText } from "../controls/longText.tsx";
import { FeedbackBar } from "../feedback/feedbackBar.tsx";
import { InterruptCard } from "../interrupt/interruptCard.tsx";
import { useKeptFocus } from "../keptFocus.ts";
import { Custom } from "./custom.tsx";
import { Lane } from "./lane.tsx";
import type { LaneSummary } from "./lanes.ts";
import { Message } from "./message.tsx";
import { Notice } from "./notice.tsx";
import { Run } from "./run.tsx";
import { Tool } from "./tool.tsx";

interface RowProps {
  readonly row: Row;
  /** The lane this row belongs to or heads. */
  readonly summary: LaneSummary | undefined;
  /** The lanes of the run that this row begins. */
  readonly lanes: readonly LaneSummary[];
  /** Changes when a card is opened or closed. */
  readonly opened: readonly string[];
  /** The run's error is told by a notice of its own. */
  readonly errorTold: boolean;
  readonly onLane: (laneId: string) => void;
  readonly onEvent: (index: number) => void;
}

/** One row of the transcript, set in under its lane's rail. */
export const TranscriptRow = memo(
  function TranscriptRow(props: RowProps) {
    const { row, summary } = props;
    const element = useRef<HTMLDivElement>(null);
    useKeptFocus(element, () => element.current);
    const rail = summary === undefined ? "" : ` railed lane-colour-${summary.colour}`;
    const head = row.entry.kind === "lane" ? " lane-head" : "";
    return (
      <div
        ref={element}
        class={`row depth-${Math.min(row.depth, 4)}${rail}${head}`}
        data-row={row.entry.id}
        tabIndex={-1}
      >
        <Content {...props} />
      </div>
    );
  },
  (before, after) =>
    before.row.entry === after.row.entry &&
    before.row.depth === after.row.depth &&
    before.row.collapsed === after.row.collapsed &&
    before.opened === after.opened &&
    before.errorTold === after.errorTold &&
    sameSummary(before, after),
);

function Content({ row, summary, lanes, errorTold, onLane, onEvent }: RowProps) {
  const entry: Entry = row.entry;
  switch (entry.kind) {
    case "run":
      return <Run run={entry} lanes={lanes} onLane={onLane} errorTold={errorTold} />;
    case "message":
      return <Message message={entry} />;
    case "tool":
      return <Tool tool={entry} />;
    case "lane":
      return summary === undefined ? null : <Lane summary={summary} folded={row.collapsed === true} />;
    case "custom":
      return <Custom custom={entry} onEvent={onEvent} />;
    case "notice":
      return <Notice notice={entry} />;
    case "interrupt":
      return <InterruptCard interrupt={entry} />;
    case "feedback":
      return <FeedbackBar feedback={entry} />;
    default:
      return <LongText text={JSON.stringify(entry satisfies never)} label="an entry of an unknown kind" />;
  }
}

/** A run shows its lanes' states and a lane its own counts; the other rows only their lane's colour. */
function sameSummary(before: RowProps, after: RowProps): boolean {
  switch (after.row.entry.kind) {
    case "run":
      return (
        before.lanes.length === after.lanes.length &&
        before.lanes.every((lane, index) => lane.lane === after.lanes[index]?.lane)
      );
    case "lane":
      return (
        before.summary?.messages === after.summary?.messages &&
        before.summary?.tools === after.summary?.tools &&
        before.summary?.latest === after.summary?.latest
      );
    default:
      return before.summary?.colour === after.summary?.colour;
  }
}

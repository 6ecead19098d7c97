import { Icon } from "../controls/icon.tsx";
import { Literal } from "../controls/literal.tsx";
import { elapsed, plural } from "../measures.ts";
import { memory } from "../memory.ts";
import { visibleText } from "../visibleText.ts";
import { useClock } from "./clock.ts";
import type { LaneSummary } from "./lanes.ts";
import { Status } from "./status.tsx";

interface LaneProps {
  readonly summary: LaneSummary;
  readonly folded: boolean;
}

/** The head of a subagent's lane; folded, it goes on telling the latest of what is hidden. */
export function Lane({ summary, folded }: LaneProps) {
  const { lane, messages, tools, latest } = summary;
  const now = useClock(lane.status === "running" && lane.startedAt !== undefined);
  const time = elapsed(lane.startedAt, lane.endedAt, now);
  return (
    <button
      type="button"
      class="lane"
      aria-expanded={!folded}
      title={visibleText(lane.lane)}
      onClick={() => memory.toggle("folded", lane.id)}
    >
      <Icon name={folded ? "chevron-right" : "chevron-down"} />
      <span class="lane-dot" aria-hidden="true" />
      <span class="lane-name">
        <Literal text={lane.name} />
      </span>
      <Status status={lane.status} />
      {time !== undefined && <span class="fact">{time}</span>}
      {messages > 0 && <span class="fact">{plural(messages, "message")}</span>}
      {tools > 0 && <span class="fact">{plural(tools, "tool call")}</span>}
      {folded && <span class="preview">{visibleText(latest)}</span>}
    </button>
  );
}

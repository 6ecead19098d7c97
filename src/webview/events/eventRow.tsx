import { memo } from "preact/compat";

import { eventLine } from "../../run/raw/eventLine.ts";
import type { RawEvent } from "../../run/panel/messages.ts";
import { Icon } from "../controls/icon.tsx";
import { LongText } from "../controls/longText.tsx";
import { count, timeOfDay } from "../measures.ts";
import { visibleText } from "../visibleText.ts";

interface EventRowProps {
  readonly event: RawEvent | undefined;
  readonly open: boolean;
  readonly onToggle: (index: number) => void;
}

/** One received event on one line; opened, its data. */
export const EventRow = memo(function EventRow({ event, open, onToggle }: EventRowProps) {
  if (event === undefined) {
    return (
      <div class="event">
        <div class="event-line waiting">
          <span class="event-index">…</span>
        </div>
      </div>
    );
  }
  return (
    <div class={`event${open ? " open" : ""}`}>
      <button type="button" class="event-line" aria-expanded={open} onClick={() => onToggle(event.index)}>
        <Icon name={open ? "chevron-down" : "chevron-right"} />
        <span class="event-index">{count(event.index)}</span>
        <span class="event-time">{timeOfDay(event.at)}</span>
        <span class="event-name">{visibleText(event.event)}</span>
        <span class="event-id">{visibleText(event.id ?? "")}</span>
        <span class="preview code">{visibleText(event.data.slice(0, 300))}</span>
      </button>
      {open && (
        <div class="event-body">
          <LongText
            text={event.data}
            label={`data of event ${event.index}`}
            copy={{ label: "Copy event as JSON", text: () => eventLine(event) }}
          />
        </div>
      )}
    </div>
  );
});

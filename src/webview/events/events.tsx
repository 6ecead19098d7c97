import { memo } from "preact/compat";
import { useCallback, useEffect, useLayoutEffect, useMemo, useReducer, useRef, useState } from "preact/hooks";
import { Virtualizer, type VirtualizerHandle } from "virtua";

import type { RawEvent } from "../../run/panel/messages.ts";
import { eventLine } from "../../run/raw/eventLine.ts";
import { Button } from "../controls/button.tsx";
import { Icon } from "../controls/icon.tsx";
import { LongText } from "../controls/longText.tsx";
import { post, useReceived } from "../kit/host.ts";
import { count, plural, timeOfDay } from "../kit/measures.ts";
import { memory } from "../kit/memory.ts";
import { visibleText } from "../kit/visibleText.ts";
import { Following, useToggling } from "../transcript/followedList.ts";
import { EventPages } from "./eventPages.ts";

const rowHeight = 24;

interface EventsProps {
  /** How many events the host has. */
  readonly total: number;
  /** The index of an event to show first. */
  readonly target: number | undefined;
  /** The event is shown, or was let go. */
  readonly onTarget: () => void;
}

/** Every event as it was received, with search; only the pages in sight are fetched from the host. */
export function Events({ total, target, onTarget }: EventsProps) {
  const search = memory.get("search");
  const pages = usePages(search, total);
  const list = useEventList(pages, target, onTarget);
  const [open, setOpen] = useState<ReadonlySet<number>>(new Set());
  const toggle = useCallback((index: number) => {
    setOpen((before) => {
      const after = new Set(before);
      if (!after.delete(index)) after.add(index);
      return after;
    });
  }, []);
  const data = useMemo(() => ({ length: pages.total }), [pages.total]);
  return (
    <div class="list-frame events">
      <SearchLine search={search} pages={pages} total={total} />
      <div class="event-columns" aria-hidden="true">
        <span class="event-index">#</span>
        <span class="event-time">Time</span>
        <span class="event-name">Event</span>
        <span class="event-id">ID</span>
        <span>Data</span>
      </div>
      <div
        ref={list.scroller}
        class="scroller"
        role="region"
        aria-label="Received events"
        tabIndex={0}
        onClickCapture={list.pressed}
      >
        <Virtualizer
          ref={list.handle}
          data={data}
          itemSize={rowHeight}
          onScroll={list.scrolled}
          onResize={list.resized}
        >
          {(_: unknown, row: number) => {
            const event = pages.at(row);
            return (
              <EventRow
                key={row}
                event={event}
                open={event !== undefined && open.has(event.index)}
                onToggle={toggle}
              />
            );
          }}
        </Virtualizer>
        {pages.total === 0 && !pages.searching && (
          <p class="none centred">
            {search === "" ? "No events received yet." : `No event contains “${search}”.`}
          </p>
        )}
      </div>
    </div>
  );
}

interface SearchLineProps {
  readonly search: string;
  readonly pages: Pick<EventPages, "total" | "searching" | "dropped">;
  readonly total: number;
}

function SearchLine({ search, pages, total }: SearchLineProps) {
  const { total: found, searching, dropped } = pages;
  const [text, setText] = useState(search);
  useEffect(() => {
    const timer = setTimeout(() => {
      if (text !== memory.get("search")) memory.set("search", text);
    }, 150);
    return () => clearTimeout(timer);
  }, [text]);
  const events = plural(total, "event");
  return (
    <div class="search-line" role="search">
      <input
        class="input"
        type="search"
        aria-label="Search in events"
        placeholder="Search in names and data"
        value={text}
        onInput={(event) => setText(event.currentTarget.value)}
      />
      <span class="fact" role="status">
        {searching ? "Searching…" : search === "" ? events : `${count(found)} of ${events}`}
        {dropped > 0 && ` · ${count(dropped)} oldest dropped`}
      </span>
      <Button
        icon="copy"
        title="Copy the events shown as JSON lines"
        disabled={found === 0}
        onClick={() => post({ type: "copyEvents", search })}
      >
        Copy All
      </Button>
    </div>
  );
}

function usePages(search: string, total: number): EventPages {
  const [, redraw] = useReducer<number, undefined>((count) => count + 1, 0);
  const pages = useMemo(
    () => new EventPages((text, offset, limit) => post({ type: "raw", search: text, offset, limit })),
    [],
  );
  useReceived(
    (message) => {
      if (message.type === "rawPage" && pages.receive(message)) redraw(undefined);
    },
    [pages],
  );
  useLayoutEffect(() => pages.find(search), [pages, search]);
  useLayoutEffect(() => {
    pages.grew(total);
    redraw(undefined);
  }, [pages, total, search]);
  return pages;
}

function useEventList(pages: EventPages, target: number | undefined, onTarget: () => void) {
  const scroller = useRef<HTMLDivElement>(null);
  const handle = useRef<VirtualizerHandle>(null);
  const following = useRef(new Following(target === undefined));
  const fetchInSight = useCallback(() => {
    const list = handle.current;
    const element = scroller.current;
    if (list === null || element === null || pages.total === 0) return;
    const first = list.findItemIndex(element.scrollTop);
    const last = list.findItemIndex(element.scrollTop + element.clientHeight);
    pages.want(Math.max(0, first - 10), Math.min(pages.total - 1, last + 10));
  }, [pages]);
  const stay = useCallback(() => {
    const element = scroller.current;
    if (element !== null && following.current.on) element.scrollTop = element.scrollHeight;
    fetchInSight();
  }, [fetchInSight]);
  const scrolled = useCallback(
    (offset: number) => {
      const element = scroller.current;
      if (element !== null) following.current.scrolled(offset, element.clientHeight, element.scrollHeight);
      fetchInSight();
    },
    [fetchInSight],
  );
  const toggling = useToggling(following, scroller, scrolled, stay);
  useLayoutEffect(stay);
  useLayoutEffect(() => {
    // How many were let go, and so in which row it is, is known with the first page.
    if (target === undefined || pages.at(0) === undefined) return;
    const row = Math.max(0, target - pages.dropped);
    if (row >= pages.total) return;
    handle.current?.scrollToIndex(row, { align: "center" });
    onTarget();
  });
  return { scroller, handle, scrolled, ...toggling };
}

interface EventRowProps {
  readonly event: RawEvent | undefined;
  readonly open: boolean;
  readonly onToggle: (index: number) => void;
}

/** One received event on one line; opened, its data. */
const EventRow = memo(function EventRow({ event, open, onToggle }: EventRowProps) {
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
            copy={{ label: "Copy Event as JSON", text: () => eventLine(event) }}
          />
        </div>
      )}
    </div>
  );
});

import { useCallback, useLayoutEffect, useMemo, useRef, useState } from "preact/hooks";
import { Virtualizer, type VirtualizerHandle } from "virtua";

import { rows, type Row } from "../../run/panel/rows.ts";
import type { Entry } from "../../run/panel/transcript.ts";
import { Button } from "../controls/button.tsx";
import { plural } from "../measures.ts";
import { memory } from "../memory.ts";
import { Following } from "./following.ts";
import { laneKey, summarizeLanes, type LaneSummary } from "./lanes.ts";
import { useLeading, type Leading } from "./leading.ts";
import { moveFocus } from "./rowFocus.ts";
import { TranscriptRow } from "./row.tsx";

interface TranscriptProps {
  readonly entries: readonly Entry[];
  readonly leading: Leading;
  readonly onEvent: (index: number) => void;
}

/** The conversation as a list of which only what is in sight exists; it follows its end while the reader is there. */
export function Transcript({ entries, leading, onEvent }: TranscriptProps) {
  const folded = memory.get("folded");
  const opened = memory.get("opened");
  const shown = useMemo(() => rows(entries, new Set(folded)), [entries, folded]);
  const lanes = useMemo(() => summarizeLanes(entries), [entries]);
  const told = useMemo(() => toldErrors(entries), [entries]);
  const lanesOfRun = useMemo(() => grouped(lanes), [lanes]);
  const list = useFollowedList(shown);
  const onLane = useCallback(
    (laneId: string) => {
      if (memory.get("folded").includes(laneId)) memory.toggle("folded", laneId);
      list.goTo(laneId);
    },
    [list.goTo],
  );
  useLeading(leading, entries, lanes, list.goTo);
  return (
    <div class="list-frame">
      <div
        ref={list.scroller}
        class="scroller"
        role="region"
        aria-label="Transcript"
        tabIndex={0}
        onKeyDown={(event) => moveFocus(event, list.goTo, shown)}
      >
        <Virtualizer
          ref={list.handle}
          data={shown}
          itemSize={72}
          startMargin={edge}
          bufferSize={400}
          onScroll={list.scrolled}
          onResize={list.resized}
        >
          {(row: Row) => (
            <TranscriptRow
              key={row.entry.id}
              row={row}
              summary={summaryOf(lanes, row.entry)}
              lanes={row.entry.kind === "run" ? (lanesOfRun.get(row.entry.runId) ?? none) : none}
              opened={opened}
              errorTold={row.entry.kind === "run" && told.has(`${row.entry.runId} ${row.entry.error ?? ""}`)}
              onLane={onLane}
              onEvent={onEvent}
            />
          )}
        </Virtualizer>
      </div>
      {list.unseen !== undefined && (
        <div class="jump">
          <Button icon="arrow-down" kind="primary" onClick={list.toEnd}>
            {list.unseen > 0 ? `Jump to latest (${plural(list.unseen, "new row")})` : "Jump to latest"}
          </Button>
        </div>
      )}
    </div>
  );
}

const none: readonly LaneSummary[] = [];
/** The empty space above the first row, as the style sheet has it. */
const edge = 8;

/** Keeps the list at its end while it is followed, else at the remembered place. */
function useFollowedList(shown: readonly Row[]) {
  const scroller = useRef<HTMLDivElement>(null);
  const handle = useRef<VirtualizerHandle>(null);
  const following = useRef(new Following(memory.get("place") === undefined));
  const restored = useRef(false);
  const wanted = useRef<string>(undefined);
  const [seen, setSeen] = useState<number>();
  const latest = useRef(shown);
  latest.current = shown;

  const stay = useCallback(() => {
    const element = scroller.current;
    if (element !== null && following.current.on) element.scrollTop = element.scrollHeight;
  }, []);
  const scrolled = useCallback((offset: number) => {
    const list = handle.current;
    const element = scroller.current;
    if (list === null || element === null || !restored.current) return;
    const changed = following.current.scrolled(offset, element.clientHeight, element.scrollHeight);
    if (changed) setSeen(following.current.on ? undefined : latest.current.length);
    const index = list.findItemIndex(offset);
    const id = latest.current[index]?.entry.id;
    const place = id === undefined ? undefined : { id, offset: offset - edge - list.getItemOffset(index) };
    memory.set("place", following.current.on ? undefined : place);
  }, []);
  const goTo = useCallback((id: string) => {
    wanted.current = id;
    following.current.on = false;
    setSeen(latest.current.length);
    reach(wanted, latest.current, handle.current, scroller.current);
  }, []);
  const toEnd = useCallback(() => {
    following.current.on = true;
    memory.set("place", undefined);
    setSeen(undefined);
    // The list's own jump ends one that may still be under way; a plain scroll would be overruled by it.
    handle.current?.scrollToIndex(latest.current.length - 1, { align: "end" });
    stay();
    scroller.current?.focus();
  }, [stay]);

  useLayoutEffect(() => {
    if (shown.length === 0) return;
    if (!restored.current) {
      restored.current = true;
      const place = memory.get("place");
      const index = place === undefined ? -1 : shown.findIndex((row) => row.entry.id === place.id);
      if (place !== undefined && index >= 0) {
        handle.current?.scrollToIndex(index, { align: "start", offset: place.offset });
        setSeen(shown.length);
      } else following.current.on = true;
    }
    reach(wanted, shown, handle.current, scroller.current);
    stay();
  }, [shown, stay]);
  return { scroller, handle, scrolled, resized: stay, goTo, toEnd, unseen: unseenRows(seen, shown.length) };
}

function unseenRows(seen: number | undefined, length: number): number | undefined {
  return seen === undefined ? undefined : Math.max(0, length - seen);
}

/** Scrolls to a wanted row and focuses it once it exists, for a row out of sight has no element yet. */
function reach(
  wanted: { current: string | undefined },
  shown: readonly Row[],
  handle: VirtualizerHandle | null,
  scroller: HTMLElement | null,
): void {
  const id = wanted.current;
  if (id === undefined) return;
  const index = shown.findIndex((row) => row.entry.id === id);
  if (index < 0) return;
  wanted.current = undefined;
  handle?.scrollToIndex(index, { align: "nearest" });
  let tries = 10;
  const focus = () => {
    const row = scroller?.querySelector<HTMLElement>(`[data-row="${CSS.escape(id)}"]`);
    if (row !== null && row !== undefined) row.focus({ preventScroll: true });
    else if (tries-- > 0) requestAnimationFrame(focus);
  };
  focus();
}

function grouped(lanes: ReadonlyMap<string, LaneSummary>): ReadonlyMap<string, readonly LaneSummary[]> {
  const groups = new Map<string, LaneSummary[]>();
  for (const summary of lanes.values()) {
    const { runId } = summary.lane;
    if (runId === undefined) continue;
    const group = groups.get(runId);
    if (group === undefined) groups.set(runId, [summary]);
    else group.push(summary);
  }
  return groups;
}

/** The errors that notices tell, each behind the id of its run. */
function toldErrors(entries: readonly Entry[]): ReadonlySet<string> {
  const told = new Set<string>();
  for (const entry of entries) {
    if (entry.kind === "notice" && entry.level === "error") told.add(`${entry.runId ?? ""} ${entry.text}`);
  }
  return told;
}

function summaryOf(lanes: ReadonlyMap<string, LaneSummary>, entry: Entry): LaneSummary | undefined {
  return "lane" in entry && entry.lane !== "" ? lanes.get(laneKey(entry.runId, entry.lane)) : undefined;
}

import type { VNode } from "preact";
import { useCallback, useEffect, useMemo, useRef, useState } from "preact/hooks";

import type { Earlier } from "../../run/panel/messages.ts";
import { type Match, patternOf, type Sought, TranscriptSearch } from "../../run/panel/search.ts";
import type { Entry } from "../../run/panel/transcript.ts";
import { post } from "../kit/host.ts";
import { plural } from "../kit/measures.ts";
import { memory } from "../kit/memory.ts";
import { FindBar, type Found } from "../search/findBar.tsx";
import { mark, reveal, unmark } from "../search/marks.ts";
import type { useFollowedList } from "./followedList.ts";
import { unfoldAround } from "./landmarks.ts";
import type { LaneSummary } from "./lanes.tsx";
import { firstInSight } from "./rowFocus.ts";

/** Whether the reader searches: `asked` grows each time that the caret is wanted in the box, and is 0 for no search. */
export interface Finding {
  readonly asked: number;
  readonly onClose: () => void;
}

interface Searched {
  readonly entries: readonly Entry[];
  readonly newest: (entry: Entry) => Entry;
  readonly lanes: ReadonlyMap<string, LaneSummary>;
  readonly list: ReturnType<typeof useFollowedList>;
  readonly earlier: Earlier;
  readonly unreadRuns: ReadonlySet<string>;
}

/** How long the page may be kept by reading entries, in milliseconds. */
const slice = 8;
/** How often texts that grow are searched again, in milliseconds. */
const pause = 1000;
/** A match this far into a text may be after its cut. */
const farIn = 7_000;
const nothing: Found = { total: 0, at: undefined, isReading: false };

/** Searches all entries while the reader wants that; gives the bar, and the row that is to show its text uncut. */
export function useSearch(
  { asked, onClose }: Finding,
  { entries, newest, lanes, list, earlier, unreadRuns }: Searched,
): { readonly bar: VNode | undefined; readonly uncut: string | undefined } {
  const [sought, setSought] = useState<Sought>({ text: "", matchCase: false });
  const [found, setFound] = useState(nothing);
  const [current, setCurrent] = useState<Match>();
  const [uncut, setUncut] = useState<string>();
  const isOn = asked > 0;
  const pattern = useMemo(() => (isOn ? patternOf(sought) : undefined), [isOn, sought]);
  const search = useMemo(() => pattern && new TranscriptSearch(sought, pattern), [pattern]);
  const latest = useRef({ newest, current, lanes });
  latest.current = { newest, current, lanes };
  const isNew = useRef(true);
  const wantsReveal = useRef(false);
  const { scroller, goTo } = list;

  const leadTo = useCallback(
    (match: Match | undefined) => {
      setCurrent(match);
      setFound((before) => ({ ...before, at: match?.index }));
      if (match === undefined || search === undefined) return;
      const { card, at = 0 } = search.placeOf(match) ?? {};
      unfoldAround(match.entry, latest.current.lanes);
      if (card !== undefined && !memory.get("opened").includes(card)) memory.toggle("opened", card);
      setUncut(at > farIn ? match.entry.id : undefined);
      goTo(match.entry.id, "nearest", () => {
        wantsReveal.current = true;
        scroller.current?.dispatchEvent(new Event("arrived"));
      });
    },
    [search, goTo, scroller],
  );

  useEffect(() => {
    isNew.current = true;
    setCurrent(undefined);
    setFound(nothing);
  }, [search]);

  useEffect(() => {
    if (search === undefined) return;
    let timer: ReturnType<typeof setTimeout> | undefined;
    const begin = () => {
      search.take(entries, latest.current.newest);
      goOn();
    };
    const goOn = () => {
      const end = performance.now() + slice;
      const isReading = search.read(() => performance.now() > end);
      setFound((before) => ({ ...before, total: search.total, isReading }));
      timer = setTimeout(isReading ? goOn : begin, isReading ? 0 : pause);
      if (isReading || !isNew.current) return;
      isNew.current = false;
      const id = scroller.current === null ? undefined : firstInSight(scroller.current);
      leadTo(search.next(1, id === undefined ? undefined : { id, nth: -1 }));
    };
    begin();
    return () => clearTimeout(timer);
  }, [search, entries, leadTo, scroller]);

  useEffect(() => {
    const element = scroller.current;
    if (pattern === undefined || element === null) return;
    let frame: number | undefined;
    const draw = () => {
      frame = undefined;
      const here = mark(element, pattern, current && { id: current.entry.id, nth: current.nth });
      if (here === undefined || !wantsReveal.current) return;
      wantsReveal.current = false;
      reveal(here, element);
    };
    const redraw = () => {
      frame ??= requestAnimationFrame(draw);
    };
    const observer = new MutationObserver(redraw);
    observer.observe(element, { childList: true, characterData: true, subtree: true });
    element.addEventListener("arrived", redraw);
    redraw();
    return () => {
      observer.disconnect();
      element.removeEventListener("arrived", redraw);
      if (frame !== undefined) cancelAnimationFrame(frame);
      unmark();
    };
  }, [pattern, current, scroller]);

  const onNext = (direction: 1 | -1) =>
    leadTo(search?.next(direction, current && { id: current.entry.id, nth: current.nth }));
  const close = () => {
    onClose();
    setUncut(undefined);
    const id = current?.entry.id;
    if (id === undefined) scroller.current?.focus();
    else goTo(id);
  };
  if (!isOn) return { bar: undefined, uncut: undefined };
  const bar = (
    <FindBar
      within="transcript"
      sought={sought}
      found={found}
      asked={asked}
      missing={missingOf(earlier, unreadRuns)}
      onSought={setSought}
      onNext={onNext}
      onClose={close}
    />
  );
  return { bar, uncut };
}

/** What of the thread is not here, and so not searched. */
function missingOf(earlier: Earlier, unreadRuns: ReadonlySet<string>) {
  if (unreadRuns.size > 0) {
    const runs = plural(unreadRuns.size, "earlier run");
    const read = () => post({ type: "readRuns", runIds: [...unreadRuns] });
    return { text: `Not searched: some steps of ${runs}.`, verb: "Load Them", read };
  }
  if (earlier === "none") return undefined;
  const text = "Not searched: steps of earlier runs.";
  if (earlier === "reading") return { text, verb: "Loading…" };
  return { text, verb: "Load Them", read: () => post({ type: "readEarlier" }) };
}

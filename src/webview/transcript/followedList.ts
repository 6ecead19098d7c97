/** A list that follows its end while the reader is there, and else keeps its position. */

import { useCallback, useLayoutEffect, useRef, useState } from "preact/hooks";
import type { VirtualizerHandle } from "virtua";

import type { Row } from "../../run/panel/transcriptCopy.ts";
import { useReceived } from "../kit/host.ts";
import { memory } from "../kit/memory.ts";
import { hidesTyping } from "./heldRow.ts";

/** The empty space above the first row, as the style sheet has it. */
export const edge = 8;
/** So many pixels before its end a list counts as read to the end. */
const atEnd = 16;

/** Decides whether a list that grows at its end should follow it: only when the reader is there. */
export class Following {
  #offset = 0;
  #size = 0;
  /** Whether the end is followed. */
  on: boolean;
  /** What was opened or closed, until its row has been measured anew. */
  #toggled: { readonly button: Element; readonly revealed: Element | null } | undefined;

  constructor(on: boolean) {
    this.on = on;
  }

  /**
   * Takes a scroll position in pixels. Reaching the end follows it; only moving up lets go of it, for content
   * that grows below a still position is no reason to stay.
   */
  scrolled(offset: number, viewport: number, size: number): void {
    const movedUp = offset < this.#offset - 1 && size >= this.#size;
    if (size - viewport - offset < atEnd) this.on = true;
    else if (movedUp) this.on = false;
    this.#offset = offset;
    this.#size = size;
    this.#toggled = undefined;
  }

  /** Takes a press in the list: what it opens at the end is seen from its head on, and the end is let go of. */
  pressed({ target }: Event): void {
    const button = target instanceof Element ? target.closest("[aria-expanded]") : null;
    if (button === null) return;
    const opens = this.on && button.ariaExpanded === "false";
    this.#toggled = { button, revealed: opens ? button.closest("[data-row], .event") : null };
    if (opens) this.on = false;
  }

  /**
   * Rows were measured anew: of what was opened, as much comes into sight as leaves its head there. Returns whether
   * something was opened or closed.
   */
  resized(list: Element): boolean {
    if (this.#toggled === undefined) return false;
    const { button, revealed } = this.#toggled;
    const { top, bottom } = list.getBoundingClientRect();
    const hidden = (revealed?.getBoundingClientRect().bottom ?? bottom) - bottom;
    const above = button.getBoundingClientRect().top - top;
    if (button.isConnected && hidden > 0) list.scrollTop += Math.min(hidden, above);
    return true;
  }
}

/** Keeps the list at its end while it is followed, else at the remembered position; `grown` changes as rows grow. */
export function useFollowedList(shown: readonly Row[], grown: unknown) {
  const scroller = useRef<HTMLDivElement>(null);
  const handle = useRef<VirtualizerHandle>(null);
  const following = useRef(new Following(memory.get("position") === undefined));
  const restored = useRef(false);
  const wanted = useRef<Wanted>(undefined);
  const reaching = useRef(false);
  /** When somebody was led elsewhere in the list. */
  const jumpedAt = useRef(-Infinity);
  const [seen, setSeen] = useState<number>();
  const latest = useRef(shown);
  latest.current = shown;

  const stay = useCallback(() => {
    const element = scroller.current;
    if (element === null || !following.current.on) return;
    if (hidesTyping(element)) {
      following.current.on = false;
      setSeen((before) => before ?? latest.current.length);
    } else element.scrollTop = element.scrollHeight;
  }, []);
  const scrolled = useCallback((offset: number) => {
    const list = handle.current;
    const element = scroller.current;
    if (list === null || element === null || !restored.current) return;
    // On the way to a row the end is only passed.
    if (reaching.current) return;
    following.current.scrolled(offset, element.clientHeight, element.scrollHeight);
    setSeen((before) => (following.current.on ? undefined : (before ?? latest.current.length)));
    const index = list.findItemIndex(offset);
    const id = latest.current[index]?.entry.id;
    const position = id === undefined ? undefined : { id, offset: offset - edge - list.getItemOffset(index) };
    memory.set("position", following.current.on ? undefined : position);
  }, []);
  const toggling = useToggling(following, scroller, scrolled, stay);
  const goTo = useCallback((id: string, align: Wanted["align"] = "nearest", then?: () => void) => {
    wanted.current = { id, align, then };
    jumpedAt.current = performance.now();
    following.current.on = false;
    setSeen(latest.current.length);
    reach(wanted, reaching, latest.current, handle.current, scroller.current);
  }, []);
  const follow = useCallback(() => {
    following.current.on = true;
    memory.set("position", undefined);
    setSeen(undefined);
    // The list repeats a jump as rows are measured, also after rows were added. Another one ends it, and a plain scroll does
    // not: so it is to the end as it will be, and only where it has to be.
    const mayJump = reaching.current || performance.now() - jumpedAt.current < longestWayMs;
    if (mayJump) handle.current?.scrollTo(Number.MAX_SAFE_INTEGER);
    stay();
  }, [stay]);
  const toEnd = useCallback(() => {
    follow();
    scroller.current?.focus();
  }, [follow]);
  // Another jump of the list's own, since one to the end may still be under way.
  const toStart = useCallback(() => {
    const element = scroller.current;
    if (element !== null && element.scrollHeight - element.clientHeight >= atEnd) {
      following.current.on = false;
      setSeen(latest.current.length);
    }
    jumpedAt.current = performance.now();
    handle.current?.scrollToIndex(0, { align: "start", offset: -edge });
  }, []);
  // Who sends something wants to see what comes of it.
  useReceived(
    ({ type }) => {
      if (type === "accepted" || type === "follow") follow();
    },
    [follow],
  );

  useLayoutEffect(() => {
    if (shown.length === 0) return;
    if (!restored.current) {
      restored.current = true;
      const position = memory.get("position");
      const index = position === undefined ? -1 : shown.findIndex((row) => row.entry.id === position.id);
      if (position !== undefined && index >= 0) {
        jumpedAt.current = performance.now();
        handle.current?.scrollToIndex(index, { align: "start", offset: position.offset });
        setSeen(shown.length);
      } else following.current.on = true;
    }
    reach(wanted, reaching, shown, handle.current, scroller.current);
    stay();
  }, [shown, grown, stay]);
  const unseen = seen === undefined ? undefined : Math.max(0, shown.length - seen);
  return { scroller, handle, scrolled, ...toggling, goTo, toStart, toEnd, unseen };
}

/** What a followed list does as something in it is opened or closed: once it is pressed, and once rows were measured. */
export function useToggling(
  following: { readonly current: Following },
  scroller: { readonly current: HTMLElement | null },
  scrolled: (offset: number) => void,
  stay: () => void,
) {
  const pressed = useCallback((event: Event) => following.current.pressed(event), []);
  const resized = useCallback(() => {
    const element = scroller.current;
    if (element !== null && following.current.resized(element)) scrolled(element.scrollTop);
    stay();
  }, [scrolled, stay]);
  return { pressed, resized };
}

/** A row that a reader is led to. */
interface Wanted {
  readonly id: string;
  /** Where it is to stand, should it have to be scrolled to. */
  readonly align: "nearest" | "start";
  /** Called when it stands there, instead of giving it the focus. */
  readonly then: (() => void) | undefined;
}

/** Rows on the way are measured as they come into sight. */
const longestWayMs = 2000;
/** For how many frames in a row it keeps the focus. */
const stillEnough = 3;

/** Scrolls to a wanted row and focuses it once it exists, for a row out of sight has no element yet. */
function reach(
  wanted: { current: Wanted | undefined },
  reaching: { current: boolean },
  shown: readonly Row[],
  handle: VirtualizerHandle | null,
  scroller: HTMLElement | null,
): void {
  if (wanted.current === undefined) return;
  const { id, align, then } = wanted.current;
  const index = shown.findIndex((row) => row.entry.id === id);
  if (index < 0) return;
  wanted.current = undefined;
  reaching.current = true;
  handle?.scrollToIndex(index, { align });
  const givenUpAt = performance.now() + longestWayMs;
  let [wasFocused, still] = [false, 0];
  const focus = () => {
    const row = scroller?.querySelector<HTMLElement>(`[data-row="${CSS.escape(id)}"]`) ?? undefined;
    const active = document.activeElement;
    // Somebody went elsewhere meanwhile; a row that the list took away, as it measures others, leaves the focus to nobody.
    const isLeft = wasFocused && active !== row && active !== document.body;
    if (row !== undefined && (then !== undefined || active === row)) still += 1;
    else if (row !== undefined && !isLeft) {
      row.focus({ preventScroll: true });
      [wasFocused, still] = [true, 0];
    }
    if (still === stillEnough && align === "start" && row !== undefined && !isAtTop(row, scroller)) {
      still = 0;
      handle?.scrollToIndex(index, { align });
    }
    if (!isLeft && still < stillEnough && performance.now() < givenUpAt) requestAnimationFrame(focus);
    else {
      reaching.current = false;
      then?.();
    }
  };
  focus();
}

/** Whether it stands as high as it can: what is on the list's last screen stays below. */
function isAtTop(row: HTMLElement, scroller: HTMLElement | null): boolean {
  if (scroller === null || scroller.scrollTop + scroller.clientHeight >= scroller.scrollHeight - 1)
    return true;
  return Math.abs(row.getBoundingClientRect().top - scroller.getBoundingClientRect().top) < 2 * edge;
}

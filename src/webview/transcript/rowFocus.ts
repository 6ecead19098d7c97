import type { Row } from "../../run/panel/transcriptCopy.ts";

const step = 60;

/** How a list brings its reader somewhere. */
interface Moves {
  readonly goTo: (id: string) => void;
  readonly toStart: () => void;
}

/**
 * Arrow keys in the transcript: from row to row, and through a row that is taller than the view; Home shows its start;
 * Escape leaves a control for its row, and a row for the whole. Keys inside a text box belong to the text box.
 */
export function moveFocus(event: KeyboardEvent, { goTo, toStart }: Moves, shown: readonly Row[]): void {
  const scroller = event.currentTarget;
  const { target } = event;
  if (!(scroller instanceof HTMLElement) || !(target instanceof HTMLElement)) return;
  const row = target.closest<HTMLElement>("[data-row]");
  if (event.key === "Escape" && row !== null) {
    (row === target ? scroller : row).focus({ preventScroll: true });
    return;
  }
  if (target.matches("textarea, input, select, pre") || event.altKey || event.ctrlKey || event.metaKey)
    return;
  if (event.key === "Home" && !event.shiftKey) {
    event.preventDefault();
    toStart();
    return;
  }
  const direction = event.key === "ArrowDown" ? 1 : event.key === "ArrowUp" ? -1 : 0;
  if (direction === 0) return;
  event.preventDefault();
  if (row === null) {
    const first = firstInSight(scroller);
    if (first !== undefined) goTo(first);
    return;
  }
  if (reachesPast(row, scroller, direction)) {
    scroller.scrollBy({ top: direction * step });
    return;
  }
  const index = shown.findIndex((other) => other.entry.id === row.dataset["row"]) + direction;
  const next = shown[index];
  if (next !== undefined) goTo(next.entry.id);
}

/** The id of the first row that a reader sees. */
export function firstInSight(scroller: HTMLElement): string | undefined {
  const { top, bottom } = scroller.getBoundingClientRect();
  const inSight = [...scroller.querySelectorAll<HTMLElement>("[data-row]")]
    .map((row) => ({ id: row.dataset["row"], box: row.getBoundingClientRect() }))
    .filter(({ box }) => box.bottom > top + 8 && box.top < bottom - 8)
    .sort((a, b) => a.box.top - b.box.top);
  return inSight[0]?.id;
}

function reachesPast(row: HTMLElement, scroller: HTMLElement, direction: number): boolean {
  const box = row.getBoundingClientRect();
  const view = scroller.getBoundingClientRect();
  return direction > 0 ? box.bottom > view.bottom + 4 : box.top < view.top - 4;
}

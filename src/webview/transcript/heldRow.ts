import { useCallback, useMemo, useState } from "preact/hooks";

import type { Row } from "../../run/panel/transcriptCopy.ts";

/** Keeps the row that has the focus in the page while the list moves on: without it, the focus would be nowhere. */
export function useHeldRow(shown: readonly Row[]) {
  const [id, setId] = useState<string>();
  const entered = useCallback(({ target }: FocusEvent) => setId(rowOf(target)), []);
  const left = useCallback(({ relatedTarget }: FocusEvent) => {
    // Another window that gets the focus gives it back to what had it.
    if (document.hasFocus()) setId(rowOf(relatedTarget));
  }, []);
  const index = id === undefined ? -1 : shown.findIndex(({ entry }) => entry.id === id);
  const held = useMemo(() => (index === -1 ? [] : [index]), [index]);
  return { held, entered, left };
}

/** Whether the box in which somebody types is in sight, and would not be at the end of the list. */
export function hidesTyping(list: HTMLElement): boolean {
  const box = document.activeElement;
  if (box === null || !list.contains(box) || !box.matches("textarea, input, select")) return false;
  const { top, bottom } = list.getBoundingClientRect();
  const typed = box.getBoundingClientRect();
  const way = list.scrollHeight - list.clientHeight - list.scrollTop;
  return typed.bottom > top && typed.top < bottom && typed.top - way < top;
}

function rowOf(target: EventTarget | null): string | undefined {
  const row = target instanceof Element ? target.closest<HTMLElement>("[data-row]") : null;
  return row?.dataset["row"];
}

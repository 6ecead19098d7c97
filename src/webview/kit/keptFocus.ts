import { useLayoutEffect } from "preact/hooks";

/**
 * Keeps the focus where a person works: when the control in `area` that had it goes or is disabled, what `near` gives
 * gets it, for else it would be nowhere.
 */
export function useKeptFocus(
  area: { readonly current: HTMLElement | null },
  near: () => HTMLElement | null,
): void {
  const had = area.current?.contains(document.activeElement) === true;
  useLayoutEffect(() => {
    const now = document.activeElement;
    if (had && (now === document.body || now?.matches(":disabled") === true)) {
      near()?.focus({ preventScroll: true });
    }
  });
}

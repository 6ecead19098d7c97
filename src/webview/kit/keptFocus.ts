import { useLayoutEffect } from "preact/hooks";

/**
 * Keeps the focus where a person works: when the focused control in `area` goes or is disabled, the element that
 * `near` gives gets the focus.
 */
export function useKeptFocus(
  area: { readonly current: HTMLElement | null },
  near: () => HTMLElement | null,
): void {
  const had = area.current?.contains(document.activeElement) === true;
  useLayoutEffect(() => {
    // Who works in another part of the editor is left there.
    if (!document.hasFocus()) return;
    const now = document.activeElement;
    if (had && (now === document.body || now?.matches(":disabled") === true)) {
      near()?.focus({ preventScroll: true });
    }
  });
}

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

/**
 * Gives the page's focus back to the control that had it, or to its row, when the page gets it again: a question of the
 * editor's own takes it away, and then hands it to the page as a whole.
 */
export function keepFocusOverQuestions(): void {
  let had: readonly (HTMLElement | null)[] = [];
  addEventListener("focusout", ({ target, relatedTarget }) => {
    if (relatedTarget === null && target instanceof HTMLElement)
      had = [target, target.closest<HTMLElement>("[data-row]")];
  });
  addEventListener("focusin", () => (had = []));
  addEventListener("focus", () => {
    if (document.activeElement !== document.body) return;
    had.find((one) => one?.isConnected === true && !one.matches(":disabled"))?.focus({ preventScroll: true });
  });
}

import { useState } from "preact/hooks";

let last = 0;
const next = (): string => `id-${++last}`;

/** An id that no other element of the page has. The renderer's own begins anew whenever the whole page is drawn. */
export function useUniqueId(): string {
  return useState(next)[0];
}

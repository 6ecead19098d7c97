import { useEffect, useRef, useState } from "preact/hooks";

import { announcements } from "./announcements.ts";
import type { PanelView } from "./store.ts";

const pause = 700;
const mostSentences = 3;

/** The page's one live region: it gathers for a moment what happened and says the last of it politely. */
export function Announcer({ view }: { readonly view: PanelView }) {
  const before = useRef(view);
  const waiting = useRef<string[]>([]);
  const timer = useRef<ReturnType<typeof setTimeout>>(undefined);
  const [said, say] = useState({ text: "", turn: 0 });
  useEffect(() => {
    waiting.current.push(...announcements(before.current, view));
    before.current = view;
    if (waiting.current.length === 0) return;
    timer.current ??= setTimeout(() => {
      const all = [...new Set(waiting.current)];
      waiting.current = [];
      timer.current = undefined;
      const more = all.length - mostSentences;
      const text = `${more > 0 ? `${more} more events. ` : ""}${all.slice(-mostSentences).join(". ")}.`;
      say(({ turn }) => ({ text, turn: turn + 1 }));
    }, pause);
  }, [view]);
  return (
    <div class="hidden-visually" role="status" aria-live="polite" id="announcer">
      {/* Another element each time: the same words again would change nothing, and nothing would be said. */}
      <span key={said.turn}>{said.text}</span>
    </div>
  );
}

/** What a screen reader says while a run streams: events that matter, never tokens. */

import { useEffect, useRef, useState } from "preact/hooks";

import type { AssistantChoice, PanelState } from "../run/panel/messages.ts";
import { waitingRuns, waits } from "../run/panel/landmarks.ts";
import type { Entry } from "../run/panel/transcript.ts";
import { wordsFor } from "./interrupt/interruptCard.tsx";
import { assistantName } from "./kit/assistants.ts";
import { plural } from "./kit/measures.ts";
import { stateSign } from "./kit/sessionState.ts";
import { capitalized } from "./kit/texts.ts";
import { visibleText } from "./kit/visibleText.ts";
import { kindOfLane } from "./transcript/lanes.tsx";

/** What one frame shows. `version` grows when the entries change. */
export interface PanelView {
  readonly state: PanelState | undefined;
  /** The same array while text is appended, see `newest`. */
  readonly entries: readonly Entry[];
  /** What an entry is now. */
  readonly newest: (entry: Entry) => Entry;
  /** Events received so far. */
  readonly events: number;
  readonly version: number;
}

const pause = 700;
const mostSentences = 3;

/** The page's one live region: it gathers for a moment what happened and says the last of it politely. */
export function Announcer({ view }: { readonly view: PanelView }) {
  const before = useRef(view);
  const waiting = useRef<string[]>([]);
  const timer = useRef<ReturnType<typeof setTimeout>>(undefined);
  const [announced, announce] = useState({ text: "", count: 0 });
  useEffect(() => {
    waiting.current.push(...announcements(before.current, view));
    before.current = view;
    if (waiting.current.length === 0) return;
    timer.current ??= setTimeout(() => {
      const all = [...new Set(waiting.current)];
      waiting.current = [];
      timer.current = undefined;
      const more = all.length - mostSentences;
      const sentences = [...(more > 0 ? [plural(more, "more event")] : []), ...all.slice(-mostSentences)];
      const text = sentences.map((sentence) => sentence.replace(/\.?$/, ".")).join(" ");
      announce(({ count }) => ({ text, count: count + 1 }));
    }, pause);
  }, [view]);
  return (
    <div class="hidden-visually" role="status" aria-live="polite" id="announcer">
      {/* Another element each time: the same words again would change nothing, and nothing would be said. */}
      <span key={announced.count}>{announced.text}</span>
    </div>
  );
}

/** The sentences for what changed between two views; nothing for the first one, which is only read. */
function announcements(before: PanelView, after: PanelView): readonly string[] {
  if (before.state === undefined || after.state === undefined) return [];
  const said: string[] = [];
  const { session, paused } = after.state;
  if (paused !== undefined && before.state.paused?.words !== paused.words)
    said.push(visibleText(stateSign(session, paused).text));
  if (before.state.session.kind !== session.kind) {
    const isShownElsewhere =
      session.kind === "streaming" || (session.kind === "idle" && after.entries.some(waits));
    if (!isShownElsewhere) said.push(stateSign(session).text);
  }
  if (before.entries === after.entries) return said;
  const waiting = waitingRuns(after.entries);
  const current = currentRuns(before, after);
  for (const [entry, old] of changes(before.entries, after.entries)) {
    if (old === undefined && !waits(entry) && !isOf(current, entry)) continue;
    // Its question is told; that its server calls it a success would tell the opposite.
    if (entry.kind === "run" && entry.status === "success" && waiting.has(entry.runId)) continue;
    const sentence = sentenceFor(entry, old, after.state.assistants);
    if (sentence !== undefined) said.push(visibleText(sentence));
  }
  return said;
}

/**
 * The runs of which what is new to the page happens now: those that go on or did, and those that begin behind all that
 * was there. What is read in of others happened before, as did all that comes when a thread is loaded.
 */
function currentRuns(before: PanelView, after: PanelView): ReadonlySet<string> {
  if (before.state?.session.kind === "loading") return new Set();
  const known = new Set(before.entries.map(({ id }) => id));
  // A thread's first entries may come a moment after it says that it was loaded.
  const isKnown = known.size > 0 || before.state?.threadId === undefined;
  const last = isKnown ? after.entries.findLastIndex(({ id }) => known.has(id)) : Infinity;
  const runs = [
    ...before.entries.filter(goesOn),
    ...after.entries.filter((entry, index) => goesOn(entry) || (entry.kind === "run" && index > last)),
  ];
  return new Set(runs.flatMap(({ runId }) => runId ?? []));
}

function goesOn(entry: Entry): boolean {
  return entry.kind === "run" && (entry.status === "running" || entry.status === "pending");
}

/** What is not known to belong to a run happens while one is current; a notice of no run is no part of any. */
function isOf(current: ReadonlySet<string>, { kind, runId }: Entry): boolean {
  if (runId !== undefined) return current.has(runId);
  return kind === "notice" || current.size > 0;
}

/** The entries that differ, each with what it was; entries seldom move, so the same place is looked at first. */
function* changes(before: readonly Entry[], after: readonly Entry[]): Generator<[Entry, Entry | undefined]> {
  let byId: Map<string, Entry> | undefined;
  for (const [index, entry] of after.entries()) {
    const there = before[index];
    if (there === entry) continue;
    if (there?.id === entry.id) yield [entry, there];
    else {
      byId ??= new Map(before.map((old) => [old.id, old]));
      const old = byId.get(entry.id);
      if (old !== entry) yield [entry, old];
    }
  }
}

function sentenceFor(
  entry: Entry,
  old: Entry | undefined,
  assistants: readonly AssistantChoice[],
): string | undefined {
  switch (entry.kind) {
    case "run":
      return runSentence(
        assistantName(assistants, entry.assistantId),
        entry.status,
        old?.kind === "run" ? old.status : undefined,
      );
    case "message":
      if (entry.role !== "ai" || entry.streaming || entry.lane !== "") return undefined;
      return old?.kind === "message" && !old.streaming ? undefined : "Agent answered";
    case "tool":
      return toolSentence(entry.name, entry.status, old?.kind === "tool" ? old.status : undefined);
    case "lane":
      if (old === undefined) return `${capitalized(kindOfLane(entry))} ${entry.name} started`;
      return old.kind === "lane" && old.status !== entry.status
        ? `${capitalized(kindOfLane(entry))} ${entry.name}: ${entry.status}`
        : undefined;
    case "interrupt":
      if (old === undefined && entry.state === "open") return "The run waits for your answer";
      return old?.kind === "interrupt" && old.state !== entry.state
        ? `Question: ${wordsFor(entry, assistants)}`
        : undefined;
    case "notice":
      return old === undefined ? entry.text : undefined;
    case "feedback":
      return (
        entry.keys
          .filter((key, index) => old?.kind === "feedback" && old.keys[index]?.state !== key.state)
          .map((key) => `Feedback ${key.key}: ${key.state}`)
          .join(", ") || undefined
      );
    case "custom":
    case "step":
    case "values":
      return undefined;
    default:
      entry satisfies never;
      return undefined;
  }
}

function runSentence(name: string, status: string, before: string | undefined): string | undefined {
  if (before === status) return undefined;
  if (before === undefined && (status === "running" || status === "pending")) return `Run of ${name} started`;
  if (status === "success") return `Run of ${name} finished`;
  return status === "running" ? undefined : `Run of ${name}: ${status}`;
}

function toolSentence(name: string, status: string, before: string | undefined): string | undefined {
  if (before === status) return undefined;
  if (status === "running" || status === "pending")
    return before === undefined ? `Tool ${name} called` : undefined;
  return status === "done" ? `Tool ${name} finished` : `Tool ${name}: ${status}`;
}

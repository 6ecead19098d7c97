import { memo } from "preact/compat";
import { useCallback, useContext, useEffect, useMemo, useRef } from "preact/hooks";
import { Virtualizer } from "virtua";

import { overlappingRuns, waitingEntries } from "../../run/panel/landmarks.ts";
import { rows, type Row } from "../../run/panel/transcriptCopy.ts";
import type { Earlier } from "../../run/panel/messages.ts";
import type { Entry, MessageEntry } from "../../run/panel/transcript.ts";
import { Button, CopyButton } from "../controls/button.tsx";
import { Disclosure } from "../controls/disclosure.tsx";
import { Icon } from "../controls/icon.tsx";
import { Literal } from "../controls/literal.tsx";
import { LongText, UncutContext } from "../controls/longText.tsx";
import { Markdown } from "../controls/markdown.tsx";
import { Pictures } from "../controls/picture.tsx";
import { FeedbackBar } from "../feedback/feedbackBar.tsx";
import { InterruptCard } from "../interrupt/interruptCard.tsx";
import type { IconName } from "../kit/icons.ts";
import { useKeptFocus } from "../kit/keptFocus.ts";
import { plural } from "../kit/measures.ts";
import { memory } from "../kit/memory.ts";
import { visibleText } from "../kit/visibleText.ts";
import { CourseContext, MessageActions } from "../repair/courseActions.tsx";
import { Custom, Notice, Tool } from "./cards.tsx";
import { edge, useFollowedList } from "./followedList.ts";
import { useHeldRow } from "./heldRow.ts";
import { useLeading, type Leading } from "./landmarks.ts";
import {
  Lane,
  type LaneSummary,
  type ShownLanes,
  showsSameLanes,
  summarizeLanes,
  summaryOf,
} from "./lanes.tsx";
import { moveFocus } from "./rowFocus.ts";
import { menuContext, Run, useUnreadRuns } from "./run.tsx";
import { type Finding, useSearch } from "./searching.tsx";
import { Tokens } from "./status.tsx";
import { Step, Values } from "./steps.tsx";

interface TranscriptProps {
  /** The same array while text is appended: what is made of all of them is then not made anew. */
  readonly entries: readonly Entry[];
  /** What an entry is now; another function for each frame. */
  readonly newest: (entry: Entry) => Entry;
  readonly leading: Leading;
  readonly onEvent: (index: number) => void;
  readonly finding: Finding;
  readonly earlier: Earlier;
}

/** The conversation as a list of which only what is in sight exists; it follows its end while the reader is there. */
export function Transcript({ entries, newest, leading, onEvent, finding, earlier }: TranscriptProps) {
  const folded = memory.get("folded");
  const opened = memory.get("opened");
  const shown = useMemo(() => rows(entries, new Set(folded)), [entries, folded]);
  const waiting = useMemo(() => waitingEntries(entries), [entries]);
  const lanes = useMemo(() => summarizeLanes(entries, waiting), [entries]);
  const errors = useMemo(() => shownErrors(entries), [entries]);
  const lanesOfRun = useMemo(() => Map.groupBy(lanes.values(), ({ lane }) => lane.runId), [lanes]);
  const overlapping = useMemo(() => overlappingRuns(entries), [entries]);
  const unread = useUnreadRuns(entries);
  const list = useFollowedList(shown, newest);
  const { held, entered, left } = useHeldRow(shown);
  const onLane = useCallback(
    (laneId: string) => {
      if (memory.get("folded").includes(laneId)) memory.toggle("folded", laneId);
      list.goTo(laneId);
    },
    [list.goTo],
  );
  useLeading(leading, entries, lanes, list.scroller, list.goTo);
  const unreadRuns = unread.runIds;
  const search = useSearch(finding, { entries, newest, lanes, list, earlier, unreadRuns });
  return (
    <div class="list-frame">
      {search.bar}
      <div
        ref={list.scroller}
        class="scroller"
        role="region"
        aria-label="Transcript"
        tabIndex={0}
        onClickCapture={list.pressed}
        onFocusCapture={entered}
        onBlurCapture={left}
        onKeyDown={(event) => moveFocus(event, list, shown)}
      >
        <Virtualizer
          ref={list.handle}
          data={shown}
          itemSize={72}
          startMargin={edge}
          bufferSize={400}
          keepMounted={held}
          onScroll={list.scrolled}
          onResize={list.resized}
        >
          {(row: Row) => (
            <TranscriptRow
              key={row.entry.id}
              row={withNewest(row, newest)}
              summary={summaryOf(lanes, row.entry, newest)}
              lanes={row.entry.kind === "run" ? (lanesOfRun.get(row.entry.runId) ?? none) : none}
              opened={opened}
              waits={waiting.has(row.entry.id)}
              overlaps={row.entry.kind === "run" && overlapping.has(row.entry.runId)}
              errorShown={
                row.entry.kind === "run" && errors.has(`${row.entry.runId} ${row.entry.error ?? ""}`)
              }
              unread={unread.runIds.has(row.entry.runId ?? "") ? row.entry.runId : undefined}
              onUnread={unread.inSight}
              uncut={search.uncut === row.entry.id}
              onLane={onLane}
              onEvent={onEvent}
            />
          )}
        </Virtualizer>
      </div>
      {list.unseen !== undefined && (
        <div class="jump">
          <Button icon="arrow-down" kind="primary" onClick={list.toEnd}>
            {list.unseen > 0 ? `Jump to Latest (${plural(list.unseen, "new row")})` : "Jump to Latest"}
          </Button>
        </div>
      )}
    </div>
  );
}

const none: readonly LaneSummary[] = [];

/** The errors that notices show, each after the id of its run. */
function shownErrors(entries: readonly Entry[]): ReadonlySet<string> {
  const errors = new Set<string>();
  for (const entry of entries) {
    if (entry.kind === "notice" && entry.level === "error") errors.add(`${entry.runId ?? ""} ${entry.text}`);
  }
  return errors;
}

function withNewest(row: Row, newest: TranscriptProps["newest"]): Row {
  const entry = newest(row.entry);
  return entry === row.entry ? row : { ...row, entry };
}

interface RowProps extends ShownLanes {
  readonly row: Row;
  /** Changes when a card is opened or closed. */
  readonly opened: readonly string[];
  /** It asks something that waits for the reader. */
  readonly waits: boolean;
  /** It is a run that was started while another one went on. */
  readonly overlaps: boolean;
  /** The run's error is shown by a notice of its own. */
  readonly errorShown: boolean;
  /** The run of the row, where more of it can be read. */
  readonly unread: string | undefined;
  readonly onUnread: (runId: string) => void;
  /** Its long texts are shown as a whole. */
  readonly uncut: boolean;
  readonly onLane: (laneId: string) => void;
  readonly onEvent: (index: number) => void;
}

/** One row of the transcript, set in under its lane's rail. */
const TranscriptRow = memo(
  function TranscriptRow(props: RowProps) {
    const { row, summary, unread, onUnread } = props;
    useEffect(() => {
      if (unread !== undefined) onUnread(unread);
    }, [unread, onUnread]);
    const element = useRef<HTMLDivElement>(null);
    // A row is drawn with its buttons where these come and go: else nobody sees that one took the focus with it.
    useContext(CourseContext);
    useKeptFocus(element, () => element.current);
    const rail = summary === undefined ? "" : ` railed lane-colour-${summary.colour}`;
    const head = row.entry.kind === "lane" ? " lane-head" : "";
    return (
      <div
        ref={element}
        class={`row depth-${Math.min(row.depth, 4)}${rail}${head}`}
        data-row={row.entry.id}
        data-vscode-context={row.entry.kind === "run" ? menuContext(row.entry) : undefined}
        tabIndex={-1}
      >
        <UncutContext.Provider value={props.uncut}>
          <Content {...props} />
        </UncutContext.Provider>
      </div>
    );
  },
  (before, after) =>
    before.row.entry === after.row.entry &&
    before.row.depth === after.row.depth &&
    before.row.collapsed === after.row.collapsed &&
    before.opened === after.opened &&
    before.waits === after.waits &&
    before.overlaps === after.overlaps &&
    before.errorShown === after.errorShown &&
    before.unread === after.unread &&
    before.uncut === after.uncut &&
    showsSameLanes(after.row.entry.kind, before, after),
);

function Content({ row, summary, lanes, waits, overlaps, errorShown, onLane, onEvent }: RowProps) {
  const entry: Entry = row.entry;
  switch (entry.kind) {
    case "run":
      return <Run run={entry} {...{ waits, overlaps, lanes, onLane, errorShown }} />;
    case "message":
      return <Message message={entry} />;
    case "tool":
      return <Tool tool={entry} />;
    case "step":
      return <Step step={entry} waits={waits} />;
    case "values":
      return <Values values={entry} />;
    case "lane":
      return summary === undefined ? null : <Lane summary={summary} folded={row.collapsed === true} />;
    case "custom":
      return <Custom custom={entry} onEvent={onEvent} />;
    case "notice":
      return <Notice notice={entry} />;
    case "interrupt":
      return <InterruptCard interrupt={entry} />;
    case "feedback":
      return <FeedbackBar feedback={entry} />;
    default:
      return <LongText text={JSON.stringify(entry satisfies never)} label="Entry of an Unknown Kind" />;
  }
}

const roleIcons = new Map<string, IconName>([
  ["human", "account"],
  ["ai", "sparkle"],
  ["system", "gear"],
]);
const roleNames = new Map(Object.entries({ human: "You", ai: "Agent", system: "System" }));

/** One message of a person, an agent, or whoever else the server names. */
function Message({ message }: { readonly message: MessageEntry }) {
  const { role, text } = message;
  const state = message.streaming ? ", still writing" : message.partial === true ? ", partial" : "";
  const inLane = message.lane !== "";
  const roleName = role === "human" && inLane ? "Instruction" : roleNames.get(role);
  const name = message.name ?? roleName ?? role;
  const style = role === "ai" || (role === "human" && !inLane) ? role : "other";
  return (
    <article class={`message role-${style}`} aria-label={`Message of ${visibleText(name)}${state}`}>
      <div class="message-head">
        <Icon name={inLane && role === "human" ? "comment" : (roleIcons.get(role) ?? "comment")} />
        <Literal class="message-name" text={name} />
        {message.name !== undefined && name !== role && roleName !== undefined && (
          <span class="fact">{roleName}</span>
        )}
        {message.usage !== undefined && <Tokens usage={message.usage} />}
        <span class="message-tools">
          {!message.streaming && <MessageActions message={message} />}
          {text !== "" && !message.streaming && <CopyButton label="Copy Message" text={() => text} />}
        </span>
      </div>
      {(text !== "" || message.streaming) && <MessageText message={message} />}
      <Pictures pictures={message.pictures} />
      {message.partial === true && (
        <p class="partial">
          <Icon name="debug-pause" /> Partial: the run was interrupted
        </p>
      )}
    </article>
  );
}

function MessageText({ message }: { readonly message: MessageEntry }) {
  const { role, text, streaming } = message;
  if (role === "ai") return <Markdown text={text} streaming={streaming} />;
  if (role !== "human" || text.length > 8_000) {
    return (
      <Disclosure
        id={`text:${message.id}`}
        summary={<span class="preview">{visibleText(text.slice(0, 200))}</span>}
      >
        {() => <LongText text={text} label="Message" />}
      </Disclosure>
    );
  }
  return <Literal as="p" class="plain-text" dir="auto" text={text} prose files />;
}

import { memo } from "preact/compat";
import { useRef } from "preact/hooks";

import type { PanelState } from "../run/panel/messages.ts";
import { Button, IconButton } from "./controls/button.tsx";
import { Icon } from "./controls/icon.tsx";
import { Literal } from "./controls/literal.tsx";
import { post } from "./kit/host.ts";
import { useKeptFocus } from "./kit/keptFocus.ts";
import { count } from "./kit/measures.ts";
import { memory, type Remembered, type Tab, tabs } from "./kit/memory.ts";
import { stateSign } from "./kit/sessionState.ts";
import { visibleText } from "./kit/visibleText.ts";
import type { IconName } from "./kit/icons.ts";

interface HeaderProps {
  readonly state: PanelState;
  readonly events: number;
  readonly tab: Tab;
  readonly timeline: Remembered["timeline"];
  /** Something in the conversation waits for the reader. */
  readonly waits: boolean;
  readonly onWaiting: () => void;
  /** The entry of what failed last, where the thread stands at that. */
  readonly failure: string | undefined;
  readonly onFailure: (entry: string) => void;
  /** Searches what is on show. */
  readonly onSearch: () => void;
}

/** Which thread this is, where it lives, what goes on, and what can be done about it. */
export const Header = memo(function Header(props: HeaderProps) {
  const { state, events, tab, timeline, onSearch } = props;
  // A connection to a single server gives it its own name.
  const location = [...new Set([state.server, state.connection])].join(" · ");
  const element = useRef<HTMLElement>(null);
  useKeptFocus(element, () => document.getElementById(`tab-${tab}`));
  return (
    <header ref={element} class={state.mark === undefined ? "header" : `header mark-${state.mark.color}`}>
      <div class="header-names">
        <Literal as="h1" title={visibleText(state.title)} text={state.title} />
        <div class="header-where">
          {state.mark?.isProtected === true && (
            <span class="header-mark">
              <Icon name="shield" />
              <span>Protected</span>
            </span>
          )}
          <Literal as="p" class="header-place" title={visibleText(location)} text={location} />
        </div>
      </div>
      <SessionState {...props} />
      <Actions session={state.session} unsupported={state.unsupported} />
      <IconButton icon="search" label="Search (Ctrl+F)" onClick={onSearch} />
      {tab === "transcript" && (
        <IconButton
          icon="graph-line"
          label="Timeline (Shift+Alt+T)"
          pressed={timeline !== "hidden"}
          onClick={toggleTimeline}
        />
      )}
      <div class="switch" role="tablist" aria-label="View">
        {tabs.map((name) => (
          <TabButton key={name} name={name} count={name === "events" ? events : undefined} selected={tab} />
        ))}
      </div>
    </header>
  );
});

/** What goes on; where nothing does, the way to what the thread stands at. */
function SessionState({ state, waits, onWaiting, failure, onFailure }: HeaderProps) {
  const sign = stateSign(state.session, state.paused);
  const isIdle = state.session.kind === "idle" && state.paused === undefined;
  if (isIdle && waits)
    return (
      <div class="session-state">
        <Button icon="bell-dot" title="Go to the question" onClick={onWaiting}>
          Waiting for You
        </Button>
      </div>
    );
  if (isIdle && failure !== undefined)
    return (
      <div class="session-state error">
        <Button icon="error" title="Go to the error" onClick={() => onFailure(failure)}>
          Error
        </Button>
      </div>
    );
  return (
    <div class={`session-state ${sign.tone}`}>
      <Icon name={sign.icon} spin={sign.spins} />
      <span>{sign.text}</span>
    </div>
  );
}

function Actions({ session, unsupported }: Pick<PanelState, "session" | "unsupported">) {
  const live = session.kind === "streaming" || session.kind === "reconnecting";
  const stoppable = live || session.kind === "detached";
  if (!stoppable) return null;
  return (
    <div class="header-actions">
      {session.kind === "detached" && (
        <Button icon="debug-start" onClick={() => post({ type: "reattach" })}>
          Attach
        </Button>
      )}
      {live && (
        <Button
          icon="debug-disconnect"
          title="Stop watching. The run goes on at the server, and you can attach again."
          onClick={() => post({ type: "detach" })}
        >
          Detach
        </Button>
      )}
      {!unsupported.includes("stop") && (
        <Button icon="debug-stop" title="Cancel the run at the server" onClick={() => post({ type: "stop" })}>
          Stop
        </Button>
      )}
    </div>
  );
}

interface TabProps {
  readonly name: Tab;
  readonly count: number | undefined;
  readonly selected: Tab;
}

const tabLabels: Readonly<Record<Tab, readonly [icon: IconName, label: string]>> = {
  transcript: ["comment-discussion", "Transcript"],
  graph: ["type-hierarchy", "Graph"],
  events: ["list-unordered", "Events"],
};

function TabButton({ name, count: items, selected }: TabProps) {
  const isSelected = name === selected;
  const [icon, label] = tabLabels[name];
  return (
    <button
      type="button"
      role="tab"
      id={`tab-${name}`}
      aria-selected={isSelected}
      aria-controls="view"
      tabIndex={isSelected ? 0 : -1}
      onClick={() => memory.set("tab", name)}
      onKeyDown={(event) => {
        const by = { ArrowLeft: -1, ArrowRight: 1 }[event.key];
        if (by === undefined) return;
        const other = tabs[(tabs.indexOf(name) + by + tabs.length) % tabs.length] ?? name;
        memory.set("tab", other);
        document.getElementById(`tab-${other}`)?.focus();
      }}
    >
      <Icon name={icon} />
      <span>{items === undefined ? label : `${label} ${count(items)}`}</span>
    </button>
  );
}

/** Shows an agent's graph, and puts the focus on its tab as soon as that is drawn. */
export function showGraph(assistantId: string): void {
  memory.set("draft", { ...memory.get("draft"), assistantId });
  memory.set("tab", "graph");
  requestAnimationFrame(() => document.getElementById("tab-graph")?.focus());
}

/** Shows the timeline above the transcript, or hides it again. */
export function toggleTimeline(): void {
  const isShown = memory.get("tab") === "transcript" && memory.get("timeline") !== "hidden";
  memory.set("tab", "transcript");
  memory.set("timeline", isShown ? "hidden" : "chart");
}

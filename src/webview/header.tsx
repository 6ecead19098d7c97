import { memo } from "preact/compat";
import { useRef } from "preact/hooks";

import type { Activity, PanelState, ThreadCapability } from "../run/panel/messages.ts";
import { activitySign } from "./activity.ts";
import { Button } from "./controls/button.tsx";
import { Icon } from "./controls/icon.tsx";
import { Literal } from "./controls/literal.tsx";
import { post } from "./host.ts";
import { useKeptFocus } from "./keptFocus.ts";
import { count } from "./measures.ts";
import { memory } from "./memory.ts";
import { visibleText } from "./visibleText.ts";

interface HeaderProps {
  readonly state: PanelState;
  readonly events: number;
  readonly tab: "transcript" | "events";
  /** Something in the conversation waits for the reader. */
  readonly waits: boolean;
  readonly onWaiting: () => void;
}

/** Which thread this is, where it lives, what goes on, and what can be done about it. */
export const Header = memo(function Header({ state, events, tab, waits, onWaiting }: HeaderProps) {
  // A connection to a single server gives it its own name.
  const place = [...new Set([state.server, state.connection])].join(" · ");
  const element = useRef<HTMLElement>(null);
  useKeptFocus(element, () => document.getElementById(`tab-${tab}`));
  return (
    <header ref={element} class="header">
      <div class="header-names">
        <h1 title={visibleText(state.title)}>
          <Literal text={state.title} />
        </h1>
        <p class="header-place" title={visibleText(place)}>
          <Literal text={place} />
        </p>
      </div>
      {waits && state.activity.kind === "idle" ? (
        <div class="activity">
          <Button icon="bell-dot" title="Go to the question" onClick={onWaiting}>
            Waiting for you
          </Button>
        </div>
      ) : (
        <Sign activity={state.activity} />
      )}
      <Actions activity={state.activity} unsupported={state.unsupported} />
      <div class="switch" role="tablist" aria-label="View">
        <Tab name="transcript" icon="comment-discussion" label="Transcript" selected={tab} />
        <Tab name="events" icon="list-unordered" label={`Events ${count(events)}`} selected={tab} />
      </div>
    </header>
  );
});

function Sign({ activity }: { readonly activity: Activity }) {
  const sign = activitySign(activity);
  return (
    <div class={`activity ${sign.tone}`}>
      <Icon name={sign.icon} spin={sign.spins} />
      <span>{sign.text}</span>
    </div>
  );
}

interface ActionsProps {
  readonly activity: Activity;
  readonly unsupported: readonly ThreadCapability[];
}

function Actions({ activity, unsupported }: ActionsProps) {
  const live = activity.kind === "streaming" || activity.kind === "reconnecting";
  const stoppable = live || activity.kind === "detached";
  if (!stoppable) return null;
  return (
    <div class="header-actions">
      {activity.kind === "detached" && (
        <Button icon="debug-start" onClick={() => post({ type: "reattach" })}>
          Re-attach
        </Button>
      )}
      {live && (
        <Button
          icon="debug-disconnect"
          title="Stop watching. The run goes on at the server, and you can re-attach."
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
  readonly name: "transcript" | "events";
  readonly icon: string;
  readonly label: string;
  readonly selected: "transcript" | "events";
}

function Tab({ name, icon, label, selected }: TabProps) {
  const isSelected = name === selected;
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
        if (event.key !== "ArrowLeft" && event.key !== "ArrowRight") return;
        const other = name === "transcript" ? "events" : "transcript";
        memory.set("tab", other);
        document.getElementById(`tab-${other}`)?.focus();
      }}
    >
      <Icon name={icon} />
      <span>{label}</span>
    </button>
  );
}

import type { IconName } from "./icons.ts";
import type { PanelState, SessionState } from "../../run/panel/messages.ts";
import { duration } from "./measures.ts";
import { capitalized } from "./texts.ts";

/** How a session's state is shown: words, an icon, and a tone that picks its colour. */
export interface StateSign {
  readonly text: string;
  readonly icon: IconName;
  readonly spins: boolean;
  readonly tone: "quiet" | "busy" | "warning" | "error";
}

/** Puts into words what goes on between the host and the server; one that a debugger holds only waits. */
export function stateSign(state: SessionState, paused?: PanelState["paused"]): StateSign {
  if (paused !== undefined) {
    const words = paused.isHere ? paused.words : `server ${paused.words}`;
    const text = capitalized(words);
    return { text, icon: "debug-pause", spins: false, tone: "warning" };
  }
  switch (state.kind) {
    case "loading":
      return { text: "Loading", icon: "loading", spins: true, tone: "busy" };
    case "idle":
      return { text: "Idle", icon: "circle-large-outline", spins: false, tone: "quiet" };
    case "streaming": {
      const { idleMs } = state;
      const text = idleMs === undefined ? "Streaming" : `Connected, silent for ${duration(idleMs)}`;
      return { text, icon: "loading", spins: true, tone: "busy" };
    }
    case "reconnecting":
      return {
        text: `Reconnecting (attempt ${state.attempt})`,
        icon: "sync",
        spins: true,
        tone: "warning",
      };
    case "stopping":
      return { text: "Stopping", icon: "loading", spins: true, tone: "warning" };
    case "detached":
      return { text: "Detached: the run goes on", icon: "debug-disconnect", spins: false, tone: "warning" };
    case "failed":
      return { text: "Failed", icon: "error", spins: false, tone: "error" };
    default:
      state satisfies never;
      return { text: "Unknown", icon: "question", spins: false, tone: "quiet" };
  }
}

/** Whether a run is known to go on at the server. */
export function isRunning(state: SessionState): boolean {
  return state.kind !== "loading" && state.kind !== "idle" && state.kind !== "failed";
}

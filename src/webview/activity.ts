import type { Activity } from "../run/panel/messages.ts";
import { duration } from "./measures.ts";

/** How an activity is shown: words, an icon, and a tone that picks its colour. */
export interface ActivitySign {
  readonly text: string;
  readonly icon: string;
  readonly spins: boolean;
  readonly tone: "quiet" | "busy" | "warning" | "error";
}

const noticeableSilence = 10_000;

/** Puts into words what goes on between the host and the server. */
export function activitySign(activity: Activity): ActivitySign {
  switch (activity.kind) {
    case "loading":
      return { text: "Loading", icon: "loading", spins: true, tone: "busy" };
    case "idle":
      return { text: "Idle", icon: "circle-large-outline", spins: false, tone: "quiet" };
    case "streaming": {
      const silent = activity.idleMs ?? 0;
      const text = silent < noticeableSilence ? "Streaming" : `Connected, silent for ${duration(silent)}`;
      return { text, icon: "loading", spins: true, tone: "busy" };
    }
    case "reconnecting":
      return {
        text: `Reconnecting (attempt ${activity.attempt})`,
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
      activity satisfies never;
      return { text: "Unknown", icon: "question", spins: false, tone: "quiet" };
  }
}

/** Whether a run is known to go on at the server. */
export function runs(activity: Activity): boolean {
  return activity.kind !== "loading" && activity.kind !== "idle" && activity.kind !== "failed";
}

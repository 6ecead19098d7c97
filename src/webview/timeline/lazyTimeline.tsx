import { useEffect, useReducer } from "preact/hooks";

import { memory } from "../kit/memory.ts";
import type * as Loaded from "./timeline.tsx";

let loaded: typeof Loaded | undefined;
let loading: Promise<void> | undefined;

/** The timeline, which is loaded when it is seen first. */
export function LazyTimeline(props: Parameters<typeof Loaded.Timeline>[0]) {
  const [, redraw] = useReducer<number, undefined>((count) => count + 1, 0);
  useEffect(() => {
    if (loaded === undefined) void load().then(() => redraw(undefined));
  }, []);
  return loaded === undefined ? (
    <section class="timeline" aria-label="Timeline" aria-busy="true" />
  ) : (
    <loaded.Timeline {...props} />
  );
}

/** Shows it above the transcript, or hides it again. */
export function toggleTimeline(): void {
  const isShown = memory.get("tab") === "transcript" && memory.get("timeline") !== "hidden";
  memory.set("tab", "transcript");
  memory.set("timeline", isShown ? "hidden" : "chart");
}

/** Without it the transcript is as it was; the next look tries again. */
function load(): Promise<void> {
  loading ??= import("./timeline.tsx").then(
    (module) => {
      loaded = module;
    },
    () => {
      loading = undefined;
    },
  );
  return loading;
}

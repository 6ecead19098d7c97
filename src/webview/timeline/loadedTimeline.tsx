import type { ComponentProps } from "preact";
import { useEffect, useState } from "preact/hooks";

import { memory } from "../kit/memory.ts";
import type * as Timelines from "./timeline.tsx";

let timelines: typeof Timelines | undefined;

/** The timeline, whose code is loaded when it is first looked at. */
export function LoadedTimeline(props: ComponentProps<typeof Timelines.Timeline>) {
  const [isMissing, setMissing] = useState(false);
  const [, setLoaded] = useState(timelines);
  useEffect(() => {
    if (timelines !== undefined) return;
    import("./timeline.tsx").then(
      (loaded) => setLoaded((timelines = loaded)),
      () => setMissing(true),
    );
  }, []);
  if (timelines !== undefined) return <timelines.Timeline {...props} />;
  return (
    <p class="none centred" role="status">
      {isMissing ? "The timeline could not be loaded. Close this tab and open it again." : "Loading…"}
    </p>
  );
}

/** Shows it above the transcript, or hides it again. */
export function toggleTimeline(): void {
  const isShown = memory.get("tab") === "transcript" && memory.get("timeline") !== "hidden";
  memory.set("tab", "transcript");
  memory.set("timeline", isShown ? "hidden" : "chart");
}

import type { ComponentProps } from "preact";
import { useEffect, useState } from "preact/hooks";

import type * as Graphs from "./graphView.tsx";

let graphs: typeof Graphs | undefined;

/** The graph view, whose code is loaded when it is first looked at. */
export function LoadedGraph(props: ComponentProps<typeof Graphs.GraphView>) {
  const [isMissing, setMissing] = useState(false);
  const [, setLoaded] = useState(graphs);
  useEffect(() => {
    if (graphs !== undefined) return;
    import("./graphView.tsx").then(
      (loaded) => setLoaded((graphs = loaded)),
      () => setMissing(true),
    );
  }, []);
  if (graphs !== undefined) return <graphs.GraphView {...props} />;
  return (
    <p class="none centred" role="status">
      {isMissing ? "The graph view could not be loaded. Close this tab and open it again." : "Loading…"}
    </p>
  );
}

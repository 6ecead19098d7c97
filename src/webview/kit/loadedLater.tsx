import type { ComponentType } from "preact";
import { useEffect, useState } from "preact/hooks";

/** A component whose code is loaded when it is first looked at; `what` is "The graph view", for when that fails. */
export function loadedLater<Props extends object>(
  what: string,
  load: () => Promise<ComponentType<Props>>,
): ComponentType<Props> {
  let loaded: ComponentType<Props> | undefined;
  return function LoadedLater(props: Props) {
    const [isMissing, setMissing] = useState(false);
    const [, draw] = useState(loaded !== undefined);
    useEffect(() => {
      if (loaded !== undefined) return;
      load().then(
        (Component) => {
          loaded = Component;
          draw(true);
        },
        () => setMissing(true),
      );
    }, []);
    if (loaded !== undefined) {
      const Component = loaded;
      return <Component {...props} />;
    }
    return (
      <p class="none centred" role="status">
        {isMissing ? `${what} could not be loaded. Close this tab and open it again.` : "Loading…"}
      </p>
    );
  };
}

import { useLayoutEffect, useState } from "preact/hooks";

import { IconButton } from "./controls/button.tsx";
import { Icon } from "./controls/icon.tsx";
import { Literal } from "./controls/literal.tsx";
import { receive } from "./host.ts";

/** A wish that the host refused, shown until it is dismissed; the composer shows its own. */
export function Refusal() {
  const [message, setMessage] = useState<string>();
  useLayoutEffect(
    () =>
      receive((received) => {
        if (received.type === "refused" && received.wish !== "start") setMessage(received.message);
      }),
    [],
  );
  if (message === undefined) return null;
  return (
    <div class="banner warning" role="alert">
      <Icon name="warning" />
      <span class="banner-text">
        <Literal text={message} />
      </span>
      <IconButton icon="close" label="Dismiss" onClick={() => setMessage(undefined)} />
    </div>
  );
}

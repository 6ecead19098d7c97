import { useLayoutEffect, useState } from "preact/hooks";

import type { FromWebview } from "../run/panel/messages.ts";
import { receive } from "./host.ts";

/**
 * Whether a wish about `subject` was sent and is unanswered, and how to note that it was: the host answers with another
 * value of the subject, or refuses. It keeps a second click from sending twice.
 */
export function useSent(subject: object, wish: FromWebview["type"]): readonly [boolean, () => void] {
  const [sent, setSent] = useState<object>();
  useLayoutEffect(
    () =>
      receive((message) => {
        if (message.type === "refused" && message.wish === wish) setSent(undefined);
      }),
    [wish],
  );
  return [sent === subject, () => setSent(subject)];
}

import { useEffect, useState } from "preact/hooks";

import type { Usage } from "../../run/panel/transcript.ts";
import { Icon } from "../controls/icon.tsx";
import { Literal } from "../controls/literal.tsx";
import { count, duration, plural } from "../kit/measures.ts";
import type { IconName } from "../kit/icons.ts";
import { serverNow } from "../kit/serverTime.ts";

interface Sign {
  readonly icon: IconName;
  readonly tone: string;
  readonly spins?: boolean;
}

const signs: ReadonlyMap<string, Sign> = new Map(
  Object.entries<Sign>({
    pending: { icon: "clock", tone: "quiet" },
    running: { icon: "loading", tone: "busy", spins: true },
    success: { icon: "pass", tone: "good" },
    done: { icon: "pass", tone: "good" },
    error: { icon: "error", tone: "error" },
    timeout: { icon: "watch", tone: "error" },
    waiting: { icon: "bell-dot", tone: "warning" },
    asked: { icon: "comment-discussion", tone: "quiet" },
    interrupted: { icon: "debug-pause", tone: "warning" },
    stopped: { icon: "circle-slash", tone: "warning" },
  }),
);

/** A status with its icon; one that this page doesn't know is shown as the server spells it. */
export function Status({ status }: { readonly status: string }) {
  const sign = signs.get(status) ?? { icon: "question", tone: "quiet" };
  return (
    <span class={`status ${sign.tone}`}>
      <Icon name={sign.icon} spin={sign.spins ?? false} />
      <Literal text={status} />
    </span>
  );
}

/** What a question interrupted, a step or a lane, waits as long as the question does; what went on later had asked. */
export function stateOf(status: string, waits: boolean): string {
  if (status !== "interrupted") return status;
  return waits ? "waiting" : "asked";
}

/** Token counts as the server reported them. */
export function Tokens({ usage }: { readonly usage: Usage }) {
  return (
    <span class="fact" title={`${count(usage.total)} tokens in all`}>
      {plural(usage.input, "token")} in · {count(usage.output)} out
    </span>
  );
}

/** How long something takes or took, renewed every second while it is running; undefined when that isn't known. */
export function useElapsed(
  running: boolean,
  { startedAt, endedAt }: { readonly startedAt?: number; readonly endedAt?: number },
): string | undefined {
  const [now, setNow] = useState(serverNow);
  const ticking = running && startedAt !== undefined;
  useEffect(() => {
    if (!ticking) return;
    const timer = setInterval(() => setNow(serverNow()), 1000);
    return () => clearInterval(timer);
  }, [ticking]);
  const end = endedAt ?? (ticking ? Math.max(now, serverNow()) : undefined);
  return startedAt === undefined || end === undefined ? undefined : duration(end - startedAt);
}

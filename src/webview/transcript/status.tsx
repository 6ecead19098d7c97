import { Icon } from "../controls/icon.tsx";
import { Literal } from "../controls/literal.tsx";

interface Sign {
  readonly icon: string;
  readonly tone: string;
  readonly spins?: boolean;
}

const signs: Readonly<Record<string, Sign>> = {
  pending: { icon: "clock", tone: "quiet" },
  running: { icon: "loading", tone: "busy", spins: true },
  success: { icon: "pass", tone: "good" },
  done: { icon: "pass", tone: "good" },
  error: { icon: "error", tone: "error" },
  timeout: { icon: "watch", tone: "error" },
  interrupted: { icon: "debug-pause", tone: "warning" },
  stopped: { icon: "circle-slash", tone: "warning" },
};

/** A status with its icon; one that this page doesn't know is shown as the server spells it. */
export function Status({ status }: { readonly status: string }) {
  const sign = (Object.hasOwn(signs, status) ? signs[status] : undefined) ?? {
    icon: "question",
    tone: "quiet",
  };
  return (
    <span class={`status ${sign.tone}`}>
      <Icon name={sign.icon} spin={sign.spins ?? false} />
      <Literal text={status} />
    </span>
  );
}

import type { ComponentChildren } from "preact";

import { memory } from "../kit/memory.ts";
import { Icon } from "./icon.tsx";

interface DisclosureProps {
  /** Remembered as open under this id. */
  readonly id: string;
  readonly class?: string;
  readonly summary: ComponentChildren;
  readonly children: () => ComponentChildren;
}

/** A line that opens to show more; what is open is remembered, what is closed is not rendered. */
export function Disclosure({ id, class: style = "", summary, children }: DisclosureProps) {
  const open = memory.get("opened").includes(id);
  return (
    <div class={`disclosure ${style}`}>
      <button
        type="button"
        class="disclosure-head"
        aria-expanded={open}
        onClick={() => memory.toggle("opened", id)}
      >
        <Icon name={open ? "chevron-down" : "chevron-right"} />
        {summary}
      </button>
      {open && <div class="disclosure-body">{children()}</div>}
    </div>
  );
}

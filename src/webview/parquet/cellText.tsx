import { Literal } from "../controls/literal.tsx";
import type { CellView } from "./blocks.ts";

/** A cell as the table shows it: one line, with words for what has no text. */
export function CellText({ view }: { readonly view: CellView }) {
  if (view === undefined) return <span class="unread">…</span>;
  if ("problem" in view) {
    return (
      <span class="unreadable">
        can’t be read: <Literal text={view.problem} />
      </span>
    );
  }
  const { kind, text, cut } = view.cell;
  if (kind === "null") return <span class="null">null</span>;
  if (text === "") return <span class="null">empty</span>;
  return (
    <span class={`value ${kind}`}>
      <Literal text={text} />
      {cut === true && "…"}
    </span>
  );
}

import { useMemo } from "preact/hooks";

import type { Json } from "../../run/panel/messages.ts";
import type { TableFacts } from "../../table/messages.ts";
import { IconButton } from "../controls/button.tsx";
import { Literal } from "../controls/literal.tsx";
import { count, size } from "../kit/measures.ts";
import { visibleText } from "../kit/visibleText.ts";
import { JsonTree } from "./jsonTree.tsx";
import type { TableStore } from "./tableStore.ts";
import type { OpenedCell } from "./tableView.ts";

interface DetailProps {
  readonly store: TableStore;
  readonly opened: OpenedCell;
  readonly facts: TableFacts;
}

/** The whole value of one cell, JSON as a tree that folds; Escape goes back to the table. */
export function CellDetail({ store, opened, facts }: DetailProps) {
  const { row, column, cell, length } = opened;
  const { name = "", type = "" } = facts.columns[column] ?? {};
  const number = count((store.number(row) ?? row) + 1);
  const close = () => {
    store.close();
    document.querySelector<HTMLElement>(".grid")?.focus();
  };
  return (
    <section
      class="detail"
      aria-label={`Value of ${visibleText(name)} in row ${number}`}
      onKeyDown={(event) => {
        if (event.key === "Escape") close();
      }}
    >
      <div class="detail-head">
        <h2>
          <Literal text={name} /> <span class="detail-place">row {number}</span>
        </h2>
        <p class="facts">{[type, ...(cell === undefined ? [] : [size(length)])].join(" · ")}</p>
        <IconButton icon="copy" label="Copy Value" onClick={() => store.copy()} />
        <IconButton icon="close" label="Close Value" onClick={close} />
      </div>
      <div class="detail-body">
        <Value opened={opened} />
      </div>
    </section>
  );
}

function Value({ opened: { row, column, cell, length, problem } }: { readonly opened: OpenedCell }) {
  const json = useMemo(
    () => (cell?.kind === "json" && cell.cut !== true ? parse(cell.text) : undefined),
    [cell],
  );
  if (problem !== undefined) {
    return <Literal as="p" class="unreadable" text={problem} />;
  }
  if (cell === undefined) {
    return (
      <p class="facts" aria-busy="true">
        Reading…
      </p>
    );
  }
  if (json !== undefined) return <JsonTree key={`${row}-${column}`} value={json.value} />;
  return (
    <pre tabIndex={0} role="group" aria-label="Value">
      {cell.kind === "null" ? "null" : <Literal text={cell.text} />}
      {cell.cut === true && `\n… ${count(length - cell.text.length)} more characters are not shown`}
    </pre>
  );
}

function parse(text: string): { readonly value: Json } | undefined {
  try {
    return { value: JSON.parse(text) as Json };
  } catch {
    return undefined;
  }
}

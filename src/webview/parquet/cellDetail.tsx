import { useMemo } from "preact/hooks";

import type { TableFacts } from "../../table/messages.ts";
import type { Json } from "../../run/messages.ts";
import { Icon } from "../controls/icon.tsx";
import { Literal } from "../controls/literal.tsx";
import { count, size } from "../measures.ts";
import { JsonTree } from "./jsonTree.tsx";
import type { OpenedCell, TableStore } from "./tableStore.ts";

interface DetailProps {
  readonly store: TableStore;
  readonly opened: OpenedCell;
  readonly facts: TableFacts;
}

/** The whole value of one cell, JSON as a tree that folds; Escape goes back to the table. */
export function CellDetail({ store, opened: { row, column, cell, length, problem }, facts }: DetailProps) {
  const { name = "", type = "" } = facts.columns[column] ?? {};
  const json = useMemo(
    () => (cell?.kind === "json" && cell.cut !== true ? parse(cell.text) : undefined),
    [cell],
  );
  const close = () => {
    store.close();
    document.querySelector<HTMLElement>(".grid")?.focus();
  };
  return (
    <section
      class="detail"
      aria-label={`Value of ${name} in row ${count(row + 1)}`}
      onKeyDown={(event) => {
        if (event.key === "Escape") close();
      }}
    >
      <div class="detail-head">
        <h2>
          <Literal text={name} /> <span class="detail-place">row {count(row + 1)}</span>
        </h2>
        <p class="facts">{[type, ...(cell === undefined ? [] : [size(length)])].join(" · ")}</p>
        <button
          type="button"
          class="icon-button"
          aria-label="Copy value"
          title="Copy value"
          onClick={() => store.copy()}
        >
          <Icon name="copy" />
        </button>
        <button
          type="button"
          class="icon-button"
          aria-label="Close value"
          title="Close value"
          onClick={close}
        >
          <Icon name="close" />
        </button>
      </div>
      <div class="detail-body">
        {problem !== undefined ? (
          <p class="unreadable">
            <Literal text={problem} />
          </p>
        ) : cell === undefined ? (
          <p class="facts" aria-busy="true">
            Reading…
          </p>
        ) : json !== undefined ? (
          <JsonTree key={`${row}-${column}`} value={json.value} />
        ) : (
          <pre tabIndex={0} role="group" aria-label="Value">
            {cell.kind === "null" ? "null" : <Literal text={cell.text} />}
            {cell.cut === true && `\n… ${count(length - cell.text.length)} more characters are not shown`}
          </pre>
        )}
      </div>
    </section>
  );
}

function parse(text: string): { readonly value: Json } | undefined {
  try {
    return { value: JSON.parse(text) as Json };
  } catch {
    return undefined;
  }
}

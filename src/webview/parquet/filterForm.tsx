import { useLayoutEffect, useRef, useState } from "preact/hooks";

import type { Column, ColumnKind, Filter, TableFacts } from "../../table/messages.ts";
import { Button, IconButton } from "../controls/button.tsx";
import { Select } from "../controls/select.tsx";
import { visibleText } from "../kit/visibleText.ts";
import type { TableStore } from "./tableStore.ts";

interface FormProps {
  readonly store: TableStore;
  readonly facts: TableFacts;
  readonly column: number;
}

/** Where a person says what the cells of a column must be; Enter does it, Escape goes back to the table. */
export function FilterForm({ store, facts, column }: FormProps) {
  const { kind = "text", name = "" } = facts.columns[column] ?? ({} as Partial<Column>);
  const ways = waysOf[kind];
  const [how, setHow] = useState<Filter["how"]>(ways[0] ?? "is");
  const [value, setValue] = useState("");
  const box = useRef<HTMLDivElement>(null);
  // At once, so that what is typed next stands here.
  useLayoutEffect(() => box.current?.querySelector("select")?.focus(), []);
  const takesValue = how !== "null" && how !== "notNull";
  const isNumber = !takesValue || kind !== "number" || (value.trim() !== "" && !Number.isNaN(Number(value)));
  const close = () => {
    store.askFilter(undefined);
    backToGrid();
  };
  const isWhole = isNumber && (!takesValue || value !== "");
  const add = () => {
    if (!isWhole) return;
    store.addFilter({ column, how, value: takesValue ? value : "" });
    backToGrid();
  };
  return (
    <div
      ref={box}
      class="arrangement filter-form"
      role="group"
      aria-label={`Filter by ${visibleText(name)}`}
      onKeyDown={({ key, target, isComposing }) => {
        if (isComposing) return;
        if (key === "Escape") close();
        else if (key === "Enter" && !(target instanceof HTMLButtonElement)) add();
      }}
    >
      <span>Rows where {visibleText(name)}</span>
      <Select
        label="How it is compared"
        value={how}
        options={ways.map((way) => ({ value: way, label: wordsOf(way, kind) }))}
        onValue={(way) => setHow(way as Filter["how"])}
      />
      {takesValue && (
        <input
          class="input"
          type="text"
          aria-label="With what it is compared"
          maxLength={1000}
          placeholder={examples[kind]}
          spellcheck={false}
          value={value}
          onInput={({ currentTarget }) => setValue(currentTarget.value)}
        />
      )}
      <Button kind="primary" disabled={!isWhole} onClick={add}>
        Filter
      </Button>
      {!isNumber && value.trim() !== "" && <span role="alert">Enter a number, such as 100 or -0.5.</span>}
      <IconButton icon="close" label="Close (Escape)" onClick={close} />
    </div>
  );
}

/** The filter in words, such as: total_tokens above 100. */
export function filterWords({ column, how, value }: Filter, { columns }: TableFacts): string {
  const { kind = "text", name = "" } = columns[column] ?? ({} as Partial<Column>);
  const typed = how === "null" || how === "notNull" ? "" : kind === "number" ? ` ${value}` : ` “${value}”`;
  return visibleText(`${name} ${wordsOf(how, kind)}${typed}`);
}

const nulls = ["null", "notNull"] as const;
const waysOf: Readonly<Record<ColumnKind, readonly Filter["how"][]>> = {
  text: ["contains", "is", ...nulls],
  json: ["contains", "is", ...nulls],
  binary: ["contains", "is", ...nulls],
  time: ["is", "below", "above", ...nulls],
  number: ["is", "below", "above", ...nulls],
  boolean: ["is", ...nulls],
};

const examples: Readonly<Record<ColumnKind, string>> = {
  text: "Text",
  json: "Text",
  binary: "Text",
  time: "2026-06-01, or 2026-06-01 10:30",
  number: "100",
  boolean: "true or false",
};

function wordsOf(how: Filter["how"], kind: ColumnKind): string {
  if (how === "null") return "is null";
  if (how === "notNull") return "is not null";
  if (kind === "time")
    return { contains: "contains", is: "begins with", below: "before", above: "after" }[how];
  return { contains: "contains", is: "=", below: "<", above: ">" }[how];
}

/** The grid is there again after this is drawn. */
export function backToGrid(): void {
  document.querySelector<HTMLElement>(".grid")?.focus();
}

/** A form for a value that a schema describes. */

import { useCallback, useMemo, useState } from "preact/hooks";

import type { Json } from "../../run/panel/messages.ts";
import type { Problem } from "../../run/schema/problems.ts";
import type { SchemaDocument } from "../../run/schema/schemaDocument.ts";
import { Field } from "./field.tsx";
import { FormContext, keyOf, type Path } from "./formState.ts";

interface SchemaFormProps {
  readonly label: string;
  readonly document: SchemaDocument;
  readonly value: Json | undefined;
  readonly onValue: (value: Json) => void;
  readonly problems: readonly Problem[];
  /** All problems are shown, also of fields that nobody has been in. */
  readonly showAll: boolean;
  /** What is wrong with a field whose text is no value yet. */
  readonly onBroken: (problem: string | undefined) => void;
}

/** The fields of the schema's object, one below the other or side by side. */
export function SchemaForm(props: SchemaFormProps) {
  const { label, document, value, onValue, problems, showAll, onBroken } = props;
  const [visited, setVisited] = useState<ReadonlySet<string>>(new Set());
  const [broken] = useState(() => new Map<string, string>());
  const onVisit = useCallback((path: Path) => setVisited((known) => new Set(known).add(keyOf(path))), []);
  const noteBroken = useCallback((path: Path, problem: string | undefined) => {
    if (problem === undefined) broken.delete(keyOf(path));
    else broken.set(keyOf(path), `${path.join(".")}: ${problem}`);
    onBroken(broken.values().next().value);
  }, []);
  const state = useMemo(
    () => ({ document, problems, showAll, visited, onVisit, onBroken: noteBroken }),
    [document, problems, showAll, visited],
  );
  return (
    <FormContext.Provider value={state}>
      <div class="schema-form" role="group" aria-label={label}>
        <Field
          name=""
          path={root}
          schema={document.schema}
          required
          value={value}
          onValue={(changed) => onValue(changed ?? null)}
        />
      </div>
    </FormContext.Provider>
  );
}

const root: Path = [];

/** A form for a value that a schema describes. */

import { useCallback, useContext, useMemo, useState } from "preact/hooks";

import type { Json } from "../../run/panel/messages.ts";
import type { Problem } from "../../run/schema/problems.ts";
import type { SchemaDocument } from "../../run/schema/schemaDocument.ts";
import { fieldOf, isConversation } from "../../run/schema/fields.ts";
import { isList, isObject } from "../../run/json/json.ts";
import type { ControlProps } from "./fieldFrame.tsx";
import { type FieldProps, FormContext, keyOf, type Path } from "./formState.ts";
import { JsonValueField } from "./jsonValueField.tsx";
import { ListField, ObjectField } from "./nestedFields.tsx";
import { ChoiceField, FlagField, NumberField, TextBox, TextField } from "./valueFields.tsx";

const root: Path = [];
/** Deeper values are written as JSON. */
const deepest = 6;

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

/** The control that fits a part of the schema. */
function Field(props: FieldProps) {
  const { document } = useContext(FormContext);
  const { path, schema } = props;
  const field = fieldOf(document, schema);
  const { control } = field;
  if (path.length === 1 && path[0] === "messages" && isConversation(document, schema))
    return <MessageField {...props} field={field} />;
  switch (control.kind) {
    case "text":
      return <TextField {...props} field={field} />;
    case "number":
      return <NumberField {...props} field={field} />;
    case "flag":
      return <FlagField {...props} field={field} />;
    case "choice":
      return <ChoiceField {...props} field={field} choices={control.choices} />;
    case "list":
      return path.length < deepest ? (
        <ListField {...props} field={field} items={control.items} most={control.most} Item={Field} />
      ) : (
        <JsonValueField {...props} field={field} />
      );
    case "object":
      return path.length < deepest ? (
        <ObjectField {...props} field={field} properties={control.properties} Part={Field} />
      ) : (
        <JsonValueField {...props} field={field} />
      );
    case "json":
      return <JsonValueField {...props} field={field} />;
    default:
      return control satisfies never;
  }
}

/** What is said to the agent, as long as that is one text of a person; else the messages as JSON. */
function MessageField(props: ControlProps) {
  const { value, onValue } = props;
  const text = value === undefined ? "" : textIn(value);
  if (text === undefined) return <JsonValueField {...props} />;
  return (
    <TextBox
      {...props}
      text={text}
      placeholder="Message the agent"
      onText={(typed) => onValue([{ role: "user", content: typed }])}
    />
  );
}

function textIn(messages: Json): string | undefined {
  const [only, ...others] = isList(messages) ? messages : [];
  if (others.length > 0 || !isObject(only)) return isList(messages) && messages.length === 0 ? "" : undefined;
  const { role, content, ...rest } = only;
  const isPlain = role === "user" && typeof content === "string" && Object.keys(rest).length === 0;
  return isPlain ? content : undefined;
}

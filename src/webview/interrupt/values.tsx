/** JSON for reading before it is approved: each field by its name, text with its line breaks. */

import type { Json } from "../../run/panel/messages.ts";
import { type Field, fieldsOf, isLine, lineOf } from "../../run/json/fieldsText.ts";
import { CopyButton } from "../controls/button.tsx";
import { Literal } from "../controls/literal.tsx";
import { LongText } from "../controls/longText.tsx";

interface ValuesProps {
  readonly value: Json;
  /** What the value is, for the copy button and screen readers. */
  readonly label: string;
}

/** An object as a list of its fields; anything else, and what is too deep or too much for a list, as JSON. */
export function Values({ value, label }: ValuesProps) {
  const fields = fieldsOf(value);
  if (fields === undefined) return <Value value={value} label={label} depth={0} />;
  return (
    <div class="values" role="group" aria-label={label}>
      <Fields fields={fields} depth={0} />
      <span class="values-tools">
        <CopyButton label={`Copy ${label}`} text={() => JSON.stringify(value, undefined, 2)} />
      </span>
    </div>
  );
}

function Fields({ fields, depth }: { readonly fields: readonly Field[]; readonly depth: number }) {
  return (
    <dl>
      {fields.map(([name, value]) => (
        <div key={name} class={isLine(value) ? "value-line" : "value-block"}>
          <dt>
            <Literal text={name} />
          </dt>
          <dd>
            <Value value={value} label={name} depth={depth + 1} />
          </dd>
        </div>
      ))}
    </dl>
  );
}

function Value({ value, label, depth }: ValuesProps & { readonly depth: number }) {
  const fields = depth > 0 ? fieldsOf(value, depth) : undefined;
  if (fields !== undefined) return <Fields fields={fields} depth={depth} />;
  if (isLine(value)) return <Literal class={`code json-${kindOf(value)}`} text={lineOf(value)} />;
  return typeof value === "string" ? (
    <LongText text={value} label={label} verbatim />
  ) : (
    <LongText text={JSON.stringify(value)} label={label} />
  );
}

function kindOf(value: Json): "string" | "number" | "word" {
  return typeof value === "string" ? "string" : typeof value === "number" ? "number" : "word";
}

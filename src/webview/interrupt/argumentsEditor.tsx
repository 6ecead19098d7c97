/** The arguments of an action, changed before it is allowed: field by field, or as JSON. */

import { readJson, type JsonReading } from "../../run/json/jsonText.ts";
import type { Json } from "../../run/panel/messages.ts";
import { JsonField } from "../controls/jsonField.tsx";
import { ownValue } from "../kit/ownValue.ts";
import { boxRows } from "../kit/texts.ts";
import { visibleText } from "../kit/visibleText.ts";
import { useUniqueId } from "../kit/uniqueId.ts";

/** What was changed so far. */
export interface ArgumentsDraft {
  /** All arguments as JSON text; undefined while untouched. */
  readonly args?: string;
  /** The fields that were changed since: text as it is, anything else as JSON text. */
  readonly fields?: Readonly<Record<string, string>>;
  readonly asJson?: boolean;
}

interface ArgumentsEditorProps {
  readonly args: Json;
  readonly draft: ArgumentsDraft;
  readonly onDraft: (part: ArgumentsDraft) => void;
}

const mostFields = 40;

/** Boxes for each field, as long as the arguments have fields, and a switch to JSON. */
export function ArgumentsEditor({ args, draft, onDraft }: ArgumentsEditorProps) {
  const whole = wholeOf(args, draft);
  const fields = "value" in whole ? fieldsOf(whole.value) : undefined;
  const asJson = fields === undefined || draft.asJson === true;
  const edited = editedArguments(args, draft);
  const text = draft.args ?? textOf(args);
  const toJson = () =>
    onDraft({ asJson: true, ...("value" in edited && { args: textOf(edited.value), fields: {} }) });
  return (
    <div class="arguments-editor">
      <div class="switch" role="group" aria-label="Edit as">
        <button
          type="button"
          aria-pressed={!asJson}
          disabled={fields === undefined}
          onClick={() => onDraft({ asJson: false })}
        >
          Fields
        </button>
        <button type="button" aria-pressed={asJson} onClick={toJson}>
          JSON
        </button>
      </div>
      {asJson ? (
        <JsonField
          label="Edited arguments (JSON)"
          text={text}
          onText={(changed) => onDraft({ args: changed, fields: {} })}
        />
      ) : (
        fields.map(([name, value]) => (
          <ArgumentField
            key={name}
            name={name}
            value={value}
            text={ownValue(draft.fields, name)}
            onText={(changed) => onDraft({ fields: { ...draft.fields, [name]: changed } })}
          />
        ))
      )}
    </div>
  );
}

interface ArgumentFieldProps {
  readonly name: string;
  readonly value: Json;
  readonly text: string | undefined;
  readonly onText: (text: string) => void;
}

function ArgumentField({ name, value, text, onText }: ArgumentFieldProps) {
  const id = useUniqueId();
  const label = visibleText(name);
  if (typeof value !== "string")
    return <JsonField label={`${label} (JSON)`} rows={1} text={text ?? textOf(value)} onText={onText} />;
  const shown = text ?? value;
  return (
    <div class="field">
      <label for={id}>{label}</label>
      <textarea
        id={id}
        class="input code"
        rows={boxRows(shown, 14)}
        value={shown}
        spellcheck={false}
        onInput={(event) => onText(event.currentTarget.value)}
      />
    </div>
  );
}

/** The arguments with all changes, or what is wrong with one. */
export function editedArguments(args: Json, draft: ArgumentsDraft): JsonReading {
  const whole = wholeOf(args, draft);
  const fields = "value" in whole ? fieldsOf(whole.value) : undefined;
  if (fields === undefined) return whole;
  const edited: [string, Json][] = [];
  for (const [name, value] of fields) {
    const text = ownValue(draft.fields, name);
    const reading =
      text === undefined ? { value } : typeof value === "string" ? { value: text } : readJson(text);
    if ("problem" in reading) return reading;
    edited.push([name, reading.value]);
  }
  return { value: Object.fromEntries(edited) };
}

function wholeOf(args: Json, { args: text }: ArgumentsDraft): JsonReading {
  return text === undefined ? { value: args } : readJson(text);
}

function fieldsOf(value: Json): readonly (readonly [string, Json])[] | undefined {
  if (typeof value !== "object" || value === null || Array.isArray(value)) return undefined;
  const fields = Object.entries(value).flatMap(([name, field]) =>
    field === undefined ? [] : [[name, field] as const],
  );
  return fields.length === 0 || fields.length > mostFields ? undefined : fields;
}

function textOf(value: Json): string {
  return JSON.stringify(value, undefined, 2);
}

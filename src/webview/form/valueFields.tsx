/** Fields of a single value. */

import { useContext, useEffect, useState } from "preact/hooks";

import type { Json } from "../../run/panel/messages.ts";
import { isOtherAsNumber, sameJson } from "../../run/json/json.ts";
import type { Choice } from "../../run/schema/fields.ts";
import { Icon } from "../controls/icon.tsx";
import { boxRows } from "../kit/texts.ts";
import { visibleText } from "../kit/visibleText.ts";
import { type ControlProps, emptied, FieldFrame, mostRows } from "./fieldFrame.tsx";
import { FormContext, keyOf } from "./formState.ts";

interface TextBoxProps extends ControlProps {
  readonly text: string;
  readonly placeholder: string | undefined;
  readonly onText: (text: string) => void;
}

/** A box for a text, whatever value it stands for. */
export function TextBox({ text, placeholder, onText, ...field }: TextBoxProps) {
  return (
    <FieldFrame {...field} wide>
      {(attributes) => (
        <textarea
          {...attributes}
          class="input"
          rows={boxRows(text, mostRows)}
          value={text}
          placeholder={placeholder}
          onInput={({ currentTarget }) => onText(currentTarget.value)}
        />
      )}
    </FieldFrame>
  );
}

/** A text of one line or more. */
export function TextField(props: ControlProps) {
  const { value, onValue } = props;
  const text =
    typeof value === "string" ? value : value === undefined || value === null ? "" : JSON.stringify(value);
  return (
    <TextBox
      {...props}
      text={text}
      placeholder={value === null ? "null" : undefined}
      onText={(typed) => onValue(typed === "" ? emptied(props, "") : typed)}
    />
  );
}

/** A number; what is none stays as it was typed, and is refused by the schema, or here where no number can hold it. */
export function NumberField(props: ControlProps) {
  const { path, value, onValue } = props;
  const { onBroken } = useContext(FormContext);
  const [typed, setTyped] = useState<string>();
  const isTyped = typed !== undefined && sameJson(numberIn(typed), value);
  const text = isTyped ? typed : value === undefined || value === null ? "" : textOf(value);
  const broken = isTooMuch(text)
    ? "It has more digits than can be sent as a number, or is too large."
    : undefined;
  useEffect(() => {
    onBroken(path, broken);
    return () => onBroken(path, undefined);
  }, [keyOf(path), broken]);
  return (
    <FieldFrame {...props} broken={broken}>
      {(attributes) => (
        <input
          {...attributes}
          class="input"
          inputMode="decimal"
          value={text}
          placeholder={value === null && props.field.nullable ? "null" : undefined}
          onInput={({ currentTarget: { value: now } }) => {
            setTyped(now);
            onValue(now.trim() === "" ? emptied(props, null) : numberIn(now));
          }}
        />
      )}
    </FieldFrame>
  );
}

/** Yes or no; where nothing is asked for, also neither. */
export function FlagField(props: ControlProps) {
  const { value, required, field, onValue } = props;
  if (!required || field.nullable || typeof value !== "boolean")
    return (
      <ChoiceField {...props} choices={[false, true].map((flag) => ({ label: String(flag), value: flag }))} />
    );
  return (
    <FieldFrame {...props}>
      {(attributes) => (
        <input
          {...attributes}
          type="checkbox"
          checked={value}
          onChange={({ currentTarget: { checked } }) => onValue(checked)}
        />
      )}
    </FieldFrame>
  );
}

/** One of a few values. */
export function ChoiceField({ choices, ...props }: ControlProps & { readonly choices: readonly Choice[] }) {
  const { value, required, field, onValue } = props;
  const index = choices.findIndex((choice) => sameJson(choice.value, value));
  const isUnset = value === undefined || value === null;
  return (
    <FieldFrame {...props}>
      {(attributes) => (
        <div class="select">
          <select
            {...attributes}
            value={String(index)}
            onChange={({ currentTarget }) => {
              const chosen = choices[Number(currentTarget.value)];
              onValue(chosen === undefined ? emptied(props, null) : chosen.value);
            }}
          >
            {(index === -1 || !required || field.nullable) && (
              <option value="-1">{isUnset || index >= 0 ? "not set" : visibleText(textOf(value))}</option>
            )}
            {choices.map(({ label }, at) => (
              <option key={at} value={String(at)}>
                {visibleText(label)}
              </option>
            ))}
          </select>
          <Icon name="chevron-down" />
        </div>
      )}
    </FieldFrame>
  );
}

/** The number that a text is; else the text. */
function numberIn(text: string): Json {
  const isNumber = /^\s*-?(?:\d+\.?\d*|\.\d+)(?:[eE][+-]?\d+)?\s*$/.test(text);
  const number = Number(text);
  return isNumber && Number.isFinite(number) && !isTooMuch(text) ? number : text;
}

function isTooMuch(text: string): boolean {
  return isOtherAsNumber(text.trim().replace(/\.$/, ""));
}

function textOf(value: Json): string {
  return typeof value === "string" ? value : JSON.stringify(value);
}

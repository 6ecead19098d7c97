import { useContext, useEffect, useState } from "preact/hooks";

import { sameJson } from "../../run/json/json.ts";
import { type JsonReading, problemText, readJson } from "../../run/json/jsonText.ts";
import type { Json } from "../../run/panel/messages.ts";
import { boxRows } from "../kit/texts.ts";
import { type ControlProps, FieldFrame, mostRows } from "./fieldFrame.tsx";
import { FormContext, keyOf } from "./formState.ts";

/** A value that no other control fits, as JSON. */
export function JsonValueField(props: ControlProps) {
  const { path, required, value, onValue } = props;
  const { onBroken } = useContext(FormContext);
  const [last, setLast] = useState<{ readonly text: string; readonly over: Json | undefined }>();
  const typed = last?.text;
  const reading = typed === undefined || typed.trim() === "" ? undefined : readJson(typed);
  // What is no value yet stands for the value that it was typed over, and for no other.
  const isBroken = reading !== undefined && "problem" in reading && sameJson(last?.over, value);
  const broken = isBroken ? problemText(reading.problem) : undefined;
  const isValue = reading === undefined ? value === undefined : isSame(reading, value);
  const isTyped = typed !== undefined && (isBroken || isValue);
  const text = isTyped ? typed : value === undefined ? "" : JSON.stringify(value, undefined, 2);
  useEffect(() => {
    onBroken(path, broken);
    return () => onBroken(path, undefined);
  }, [keyOf(path), broken]);
  const change = (now: string): void => {
    setLast({ text: now, over: value });
    const read = readJson(now);
    if (now.trim() === "") onValue(required ? null : undefined);
    else if ("value" in read) onValue(read.value);
  };
  return (
    <FieldFrame {...props} broken={broken} wide>
      {(attributes) => (
        <textarea
          {...attributes}
          class="input code"
          rows={boxRows(text, mostRows)}
          value={text}
          spellcheck={false}
          placeholder="JSON"
          onInput={({ currentTarget }) => change(currentTarget.value)}
        />
      )}
    </FieldFrame>
  );
}

function isSame(reading: JsonReading, value: Json | undefined): boolean {
  return "value" in reading && sameJson(reading.value, value);
}

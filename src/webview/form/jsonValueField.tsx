import { useContext, useEffect, useState } from "preact/hooks";

import { sameJson } from "../../run/json/json.ts";
import { problemText, readJson } from "../../run/json/jsonText.ts";
import type { Json } from "../../run/panel/messages.ts";
import { boxRows } from "../kit/texts.ts";
import { type ControlProps, FieldFrame, mostRows } from "./fieldFrame.tsx";
import { FormContext } from "./formState.ts";

/** A value that no other control fits, as JSON. */
export function JsonValueField(props: ControlProps) {
  const { path, required, value, onValue } = props;
  const { onBroken } = useContext(FormContext);
  const [typed, setTyped] = useState<string>();
  const reading = typed === undefined || typed.trim() === "" ? undefined : readJson(typed);
  const broken = reading !== undefined && "problem" in reading ? problemText(reading.problem) : undefined;
  const isTyped =
    typed !== undefined &&
    (broken !== undefined ||
      (reading === undefined ? value === undefined : sameJson(readValue(reading), value)));
  const text = isTyped ? typed : value === undefined ? "" : JSON.stringify(value, undefined, 2);
  useEffect(() => {
    onBroken(path, broken);
    return () => onBroken(path, undefined);
  }, [broken]);
  const change = (now: string): void => {
    setTyped(now);
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

function readValue(reading: ReturnType<typeof readJson>): Json | undefined {
  return "value" in reading ? reading.value : undefined;
}

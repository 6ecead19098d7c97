import { isList, isObject } from "../../run/json/json.ts";
import type { Json } from "../../run/panel/messages.ts";
import { type ControlProps, FieldFrame } from "./fieldFrame.tsx";
import { JsonValueField } from "./jsonValueField.tsx";

const mostLines = 10;

/** What is said to the agent, as long as that is one text of a person; else the messages as JSON. */
export function MessageField(props: ControlProps) {
  const { value, onValue } = props;
  const text = value === undefined ? "" : textIn(value);
  if (text === undefined) return <JsonValueField {...props} />;
  return (
    <FieldFrame {...props} wide>
      {(attributes) => (
        <textarea
          {...attributes}
          class="input"
          rows={Math.min(mostLines, text.split("\n", mostLines).length)}
          value={text}
          placeholder="Message the agent"
          onInput={({ currentTarget }) => onValue([{ role: "user", content: currentTarget.value }])}
        />
      )}
    </FieldFrame>
  );
}

function textIn(messages: Json): string | undefined {
  const [only, ...others] = isList(messages) ? messages : [];
  if (others.length > 0 || !isObject(only)) return isList(messages) && messages.length === 0 ? "" : undefined;
  const { role, content, ...rest } = only;
  const isPlain = role === "user" && typeof content === "string" && Object.keys(rest).length === 0;
  return isPlain ? content : undefined;
}

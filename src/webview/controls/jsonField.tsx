import { problemText, readJson, readJsonObject } from "../../run/json/jsonText.ts";
import { boxRows } from "../kit/texts.ts";
import { useUniqueId } from "../kit/uniqueId.ts";

interface JsonFieldProps {
  readonly label: string;
  readonly text: string;
  readonly onText: (text: string) => void;
  /** Accept only an object, or nothing at all. */
  readonly object?: boolean;
  readonly placeholder?: string;
  readonly rows?: number;
  readonly disabled?: boolean;
}

/** A box for JSON that says at once where the text breaks. */
export function JsonField({
  label,
  text,
  onText,
  object = false,
  placeholder,
  rows = 4,
  disabled,
}: JsonFieldProps) {
  const id = useUniqueId();
  const reading = object ? readJsonObject(text) : readJson(text);
  const problem = "problem" in reading ? problemText(reading.problem) : undefined;
  return (
    <div class="field">
      <label for={id}>{label}</label>
      <textarea
        id={id}
        class="input code"
        rows={boxRows(text, 14, rows)}
        value={text}
        placeholder={placeholder}
        spellcheck={false}
        disabled={disabled}
        aria-invalid={problem !== undefined}
        aria-describedby={`${id}-problem`}
        onInput={(event) => onText(event.currentTarget.value)}
      />
      <p id={`${id}-problem`} class="problem" role="status">
        {problem}
      </p>
    </div>
  );
}
